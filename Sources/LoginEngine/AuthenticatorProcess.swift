import EventLoop
import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// A process that decides logins: started when first needed, restarted after a fault with growing delays, never waited for.
final class AuthenticatorProcess: Authenticator {
  /// How it is started.
  struct Command {
    var arguments: [String]
    /// What the log and traces call it.
    var name: String
    /// What a recording calls it; `nil` if there is no other.
    var nameInTranscripts: String?
    /// Whether it is this very program, which may have been moved or deleted since it was started.
    var isThisProgram = false
    var environment: [String: String] = [:]
    /// Whether it takes `clock/advance`.
    var followsClock = false

    init(_ arguments: [String], name: String) {
      self.arguments = arguments
      self.name = name
    }
  }

  let command: Command
  let loop: EventLoop
  let log: Log
  unowned let owner: any AuthenticatorOwner
  var child: ChildProcess?
  /// Counts the processes, so that what is read of one is never taken for another's.
  var generation = 0
  private(set) var complaints: Complaints?
  var outputWatch: EventLoop.Watch?
  var inputWatch: EventLoop.Watch?
  var lines: LineBuffer
  var outgoing = OutgoingLines()
  /// Whether its standard input took no more when something was to be written last.
  var isFull = false
  /// Questions that were written, wholly or in part, by their conversations.
  var asked: [ConversationID: OutgoingLines.Asking] = [:]
  /// Questions that move its clock and were not answered yet.
  var clockQuestions: Set<ClockQuestionID> = []
  private(set) var description: AuthenticatorDescription?
  /// Conversations that go on, none of whose questions was written since the last answer.
  private var open: Set<ConversationID> = []
  /// Faults in a row without a good answer between them.
  private var faults = 0
  /// When it may be started again.
  private var earliestStart: UInt64?
  /// When it is given up, because it takes no more questions although some wait.
  var replacement: UInt64?
  /// How often in a row a question has timed out that was put when nothing had been heard since the one before.
  var silence = 0
  /// How many more bytes are read of a process that has exited; another one may hold its output open.
  var leftToRead: Int?
  /// Whether it was told to end.
  private(set) var isEnding = false
  /// Whether it was started in this turn of the loop. What it does not take then counts as said: what another is asked instead might end that one as well.
  var isFresh = false
  let maximumLineBytes: Int
  /// Who is told what is said, if anybody is.
  var observer: Observer?

  /// How long one that takes no more questions has time to answer those it took, in milliseconds.
  static var graceOfTheDeaf: UInt64 { 1000 }
  /// After how many timeouts in a row without a word one is taken for hung.
  static var longestSilence: Int { 2 }

  init(
    _ command: Command, loop: EventLoop, log: Log, maximumLineBytes: Int, owner: any AuthenticatorOwner
  ) {
    self.command = command
    self.loop = loop
    self.log = log
    self.owner = owner
    self.maximumLineBytes = maximumLineBytes
    lines = LineBuffer(maximumLineBytes: maximumLineBytes)
  }

  var ids: AuthenticatorWire.IDs { .numbers }
  var isRunning: Bool { child != nil }

  /// When `progress` will be worth calling by the engine's clock; `nil` while there is nothing to do.
  var nextEngineTime: UInt64? { child == nil ? (outgoing.isEmpty || isEnding ? nil : earliestStart) : replacement }

  // MARK: Asking

  func ask(_ line: WipedLine, _ question: QuestionKey) {
    outgoing.append(line, .init(question: question, silence: silence))
    start()
    writeOutgoing()
  }

  /// Sends a line that asks nothing of a session.
  func send(_ line: WipedLine) {
    outgoing.append(line)
    start()
    writeOutgoing()
  }

  func cancel(_ conversationID: ConversationID, hasTimedOut: Bool, notice: () -> WipedLine) {
    if outgoing.begun == conversationID { outgoing.blankFirst() }
    let unsent = outgoing.remove(conversationID)
    let sent = asked.removeValue(forKey: conversationID)
    let isKnown = open.remove(conversationID) != nil || sent != nil
    if isKnown, isRunning {
      outgoing.append(notice())
      writeOutgoing()
    }
    replaceIfDeaf()
    if hasTimedOut, let question = sent ?? unsent { noteSilence(question) }
  }

  func settle(_ question: QuestionKey, conversationGoesOn: Bool) {
    asked[question.conversationID] = nil
    if conversationGoesOn { open.insert(question.conversationID) }
    faults = 0
  }

  /// Notes what it has said of itself.
  func describe(_ description: AuthenticatorDescription) {
    self.description = description
    let words = [description.name ?? "nameless", description.version ?? ""].map {
      JSONValue.string(String($0.unicodeScalars.prefix(64))).text
    }
    log.write(.info, "authenticator \(command.name) is \(words.joined(separator: " "))")
  }

  /// Notes that a question was written, at least in part.
  func noteAsked(_ asking: OutgoingLines.Asking) {
    asked[asking.question.conversationID] = asking
    open.remove(asking.question.conversationID)
  }

  // MARK: Starting and stopping

  /// Starts it if it is not running, may run, and has something to do, and tells it that. Gives it up if it has had its time.
  func progress() {
    if let time = replacement, time <= owner.engineTime {
      observer?.timePasses()
      fail(.exited, "takes no more questions")
    }
    start()
  }

  private func start() {
    guard child == nil, !outgoing.isEmpty, !isEnding else { return }
    if let time = earliestStart, time > owner.engineTime, owner.waitsBetweenStarts { return }
    earliestStart = nil
    do throws(SystemError) {
      let started = try ChildProcess(
        command.arguments, executable: command.isThisProgram ? ExecutablePath.current() : nil,
        environment: command.environment, standardError: .piped)
      child = started
      isFresh = true
      observer?.authenticatorStarts(self)
      if let error = started.error { complaints = Complaints(error, of: command.name, loop: loop, log: log) }
      if let output = started.output {
        outputWatch = loop.watch(output, .read) { [unowned self] _ in readAnswers() }
      }
      log.write(.info, "authenticator \(command.name) started as process \(started.processID)")
      owner.authenticatorStarted(self)
      // What has waited for the restart is sent by nobody else.
      writeOutgoing()
    } catch {
      log.write(.error, "the authenticator \(command.name) cannot be started: \(error)")
      observer?.authenticatorIsMissing(self)
      owner.authenticator(self, lost: outgoing.removeAll(), between: [], code: .unavailable)
    }
  }

  /// Ends its input, so that it finishes what it does and exits.
  func closeInput() {
    isEnding = true
    unwatchInput()
    child?.closeInput()
  }

  /// Ends it and what it has started, since it did not end in time.
  func kill() { child?.killGroup() }

  /// Puts lines in front of all others.
  func sendFirst(_ line: WipedLine) { outgoing.putAhead(line) }

  /// Ends the process and tells what became of its questions, because of what it did, or did not.
  func fail(_ code: EngineMessage, _ reason: String) {
    guard let child else { return }
    let status = child.reapGroup().map { " (\($0))" } ?? ""
    complaints?.end()
    complaints = nil
    log.write(
      isEnding ? .info : .warning, "authenticator \(command.name), process \(child.processID), \(reason)\(status)")
    if let outputWatch { loop.unwatch(outputWatch) }
    outputWatch = nil
    unwatchInput()
    // Giving up the value kills the process if it still runs.
    self.child = nil
    generation += 1
    lines = LineBuffer(maximumLineBytes: maximumLineBytes)
    leftToRead = nil
    isFull = false
    description = nil
    clockQuestions = []
    replacement = nil
    silence = 0
    var lost = asked.values.map(\.question)
    asked = [:]
    // The next process knows nothing of conversations with this one; a notice about one died with it.
    outgoing.keepQuestionsOnly()
    var between: [ConversationID] = []
    for conversationID in open {
      if let unsent = outgoing.remove(conversationID) {
        lost.append(unsent.question)
      } else {
        between.append(conversationID)
      }
    }
    open = []
    if faults > 0 {
      let delay = min(UInt64(100) << UInt64(min(faults - 1, 6)), 5000)
      earliestStart = owner.engineTime + delay
    }
    faults += 1
    owner.authenticator(self, lost: lost.sorted { $0.id < $1.id }, between: between.sorted(), code: code)
    start()
  }

  /// What it said cannot be understood, so nothing it says can be relied on.
  func reject(_ reason: String) {
    fail(.invalidAnswer, "was stopped: \(reason)")
  }

  /// Whether lines were read that could not be taken.
  var hasStalledAnswers = false
}
