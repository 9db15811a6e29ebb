import AuthenticatorKit
import LoginMachine
import LoginProtocol
import SecretMemory

/// What the engine knows of an authenticator's process: what is to be sent to it, what it owes, what it has written, and when it may be started again.
///
/// Questions are known by their numbers only. It does nothing by itself: its methods say what is to be done.
final class AuthenticatorLink {
  let profile: AuthenticatorProfile
  /// Whether it takes `clock/advance`, as it has said.
  @exclusivity(unchecked) private(set) var followsClock = false
  let maximumLineBytes: Int
  @exclusivity(unchecked) private(set) var stage = Stage.stopped
  private(set) var description: AuthenticatorDescription?
  /// Whether its process was asked to describe itself and has not answered.
  private var awaitsDescription = false
  /// Counts the processes, so that what is read of one is never taken for another's.
  @exclusivity(unchecked) private(set) var generation = 0
  @exclusivity(unchecked) private var lines: LineBuffer
  /// Whether lines were read that could not be handled.
  @exclusivity(unchecked) private(set) var hasStalledLines = false
  @exclusivity(unchecked) private var outgoing = OutgoingLines()
  /// Whether the host was asked to send what waits.
  @exclusivity(unchecked) private var isSendRequested = false
  /// Questions that were sent, wholly or in part, by their conversations.
  @exclusivity(unchecked) private var sent: [ConversationID: OutgoingLines.SentQuestion] = [:]
  /// Conversations that go on, none of whose questions was sent since the last answer.
  @exclusivity(unchecked) private var idleConversations: Set<ConversationID> = []
  /// Questions that move its clock and were not answered.
  @exclusivity(unchecked) private(set) var clockQuestions: Set<ClockQuestionID> = []
  @exclusivity(unchecked) private var health = AuthenticatorHealth()
  /// A question that has timed out after which the authenticator was not judged yet.
  @exclusivity(unchecked) private var timedOut: OutgoingLines.SentQuestion?
  /// Whether it was started in this turn. What it does not take then counts as sent: what another is asked instead might end that one as well.
  @exclusivity(unchecked) private(set) var isFresh = false

  /// How far its process has come.
  enum Stage: Equatable {
    /// There is none.
    case stopped
    /// The host was asked to start it.
    case starting
    /// It runs. `isInputOpen` tells that it may be sent something, `isInputFull` that it took nothing at the last try.
    case running(isInputOpen: Bool, isInputFull: Bool)
    /// Nothing more is sent to it, so that it can exit. `isRunning` tells that it has not yet.
    case ending(isRunning: Bool)
  }

  init(_ profile: AuthenticatorProfile, maximumLineBytes: Int) {
    self.profile = profile
    self.maximumLineBytes = maximumLineBytes
    lines = LineBuffer(maximumLineBytes: maximumLineBytes)
  }

  var id: AuthenticatorID { profile.id }
  var name: AuthenticatorName { profile.name }
  var isAccounts: Bool { profile.backend.isAccounts }
  var isStarting: Bool { stage == .starting }

  var isRunning: Bool {
    switch stage {
    case .running, .ending(isRunning: true): true
    case .stopped, .starting, .ending(isRunning: false): false
    }
  }

  /// Whether it took nothing at the last try.
  var isInputFull: Bool { if case .running(_, isInputFull: true) = stage { true } else { false } }

  var isEnding: Bool { if case .ending = stage { true } else { false } }

  /// When `EngineCore.progress` is worth calling by the engine's time; `nil` while there is nothing to do.
  var nextDeadline: UInt64? {
    switch stage {
    case .stopped: outgoing.isEmpty ? nil : health.earliestStart
    case .running: health.unresponsiveDeadline
    case .starting, .ending: nil
    }
  }

  // MARK: What is to be sent

  func append(_ line: SecretLine) { outgoing.append(line) }

  func append(_ line: SecretLine, asking key: QuestionKey) {
    outgoing.append(line, .init(key: key, silence: health.silence))
  }

  /// Puts lines before all others, while nothing was sent.
  func putAhead(_ line: SecretLine) { outgoing.putAhead(line) }

  /// Asks a process that was just started to describe itself.
  func askForDescription(_ line: SecretLine) {
    putAhead(line)
    awaitsDescription = true
  }

  /// Sends a line before all others of which nothing was sent. `followsClock` tells that from then on the process is told when a manual clock moves.
  func configure(_ line: SecretLine, followsClock: Bool) {
    outgoing.insertNext(line)
    self.followsClock = followsClock
  }

  /// Whether the host has to start a process, which it then is to be asked for.
  func mayStart(at now: UInt64, waitsBetweenStarts: Bool) -> Bool {
    guard stage == .stopped, !outgoing.isEmpty else { return false }
    if let time = health.earliestStart, time > now, waitsBetweenStarts { return false }
    health.noteStart()
    stage = .starting
    return true
  }

  /// Whether the host has to be asked to send what waits.
  func requestSend() -> Bool {
    guard case .running(isInputOpen: true, let isFull) = stage, !outgoing.isEmpty, !isSendRequested, !isFull else {
      return false
    }
    isSendRequested = true
    return true
  }

  /// Notes that the host sends what waits. Returns false if there is nobody to send it to.
  func beginSending() -> Bool {
    isSendRequested = false
    if case .running(isInputOpen: true, _) = stage { return true }
    return false
  }

  /// The line to send next, from where the last sending ended, and the question it asks if nothing of it was sent.
  func nextLine() -> (line: SecretLine, start: Int, question: OutgoingLines.SentQuestion?)? {
    outgoing.next().map { ($0.line, outgoing.sent, $0.question) }
  }

  /// So many bytes of the next line were sent; or count as sent. Returns whether it took nothing at the try before.
  func noteSent(_ count: Int, _ question: OutgoingLines.SentQuestion?) -> Bool {
    var wasFull = false
    if case .running(let isOpen, isInputFull: true) = stage {
      wasFull = true
      stage = .running(isInputOpen: isOpen, isInputFull: false)
    }
    if let question {
      sent[question.key.conversation] = question
      idleConversations.remove(question.key.conversation)
    }
    outgoing.advance(count)
    return wasFull
  }

  /// It can take more, but nothing waits any more. Returns whether it took nothing at the last try.
  func noteDrained() -> Bool {
    guard case .running(let isOpen, isInputFull: true) = stage else { return false }
    stage = .running(isInputOpen: isOpen, isInputFull: false)
    return true
  }

  /// It took nothing. Returns whether that is new.
  func noteFull() -> Bool {
    guard case .running(let isOpen, isInputFull: false) = stage else { return false }
    stage = .running(isInputOpen: isOpen, isInputFull: true)
    return true
  }

  /// It will never take anything more.
  func noteInputClosed() {
    if case .running = stage { stage = .running(isInputOpen: false, isInputFull: false) }
  }

  /// Whether something waits to be sent.
  var hasUnsent: Bool { !outgoing.isEmpty }

  /// Nobody waits for anything of this conversation any more, perhaps because its question was not answered in time. A question that was
  /// not sent yet never will be. Returns whether `notice` waits to be sent.
  func cancel(_ conversation: ConversationID, hasTimedOut: Bool, notice: () -> SecretLine) -> Bool {
    if outgoing.begun == conversation { outgoing.blankFirst() }
    let unsent = outgoing.remove(conversation)
    let asked = sent.removeValue(forKey: conversation)
    let isKnown = idleConversations.remove(conversation) != nil || asked != nil
    if hasTimedOut { timedOut = asked ?? unsent ?? timedOut }
    guard isKnown, isRunning else { return false }
    outgoing.append(notice())
    return true
  }

  /// An answer came to a question. A conversation that goes on is the authenticator's until it is cancelled.
  func settle(_ key: QuestionKey, conversationGoesOn: Bool) {
    sent[key.conversation] = nil
    if conversationGoesOn { idleConversations.insert(key.conversation) }
    health.noteAnswer()
  }

  func expectClockMoved(_ question: ClockQuestionID) { clockQuestions.insert(question) }
  func noteClockMoved(_ question: ClockQuestionID) { clockQuestions.remove(question) }

  /// Takes the answer to the question what the process is; `nil` for one that cannot be used. Returns false if that was not asked, or was answered before.
  func describe(_ description: AuthenticatorDescription?) -> Bool {
    guard awaitsDescription else { return false }
    awaitsDescription = false
    self.description = description
    return true
  }

  // MARK: Whether it works

  /// What is to be done about an authenticator that does not do its part.
  enum Verdict {
    case fine
    /// It takes no more questions, although it was not told to end.
    case takesNoQuestions
    /// It has not said a word during so many questions.
    case silent(questions: Int)
  }

  /// Judges it. Call it once what it was to be told was sent.
  func judge(at now: UInt64) -> Verdict {
    if case .running(isInputOpen: false, _) = stage {
      if sent.isEmpty { return .takesNoQuestions }
      // What it has taken it may answer, but not for long if others wait.
      if outgoing.hasQuestions { health.limitUnresponsiveness(from: now) }
    }
    guard !isSendRequested, let question = timedOut else { return .fine }
    timedOut = nil
    let isSilent = health.noteTimeout(of: question)
    return isSilent && sent.isEmpty ? .silent(questions: health.silence) : .fine
  }

  /// Whether it takes no more questions and has had its time to answer those it took.
  func isUnresponsive(at now: UInt64) -> Bool { health.unresponsiveDeadline.map { $0 <= now } ?? false }

  // MARK: What it says

  func read<Failure>(_ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int) throws(Failure) {
    try lines.append(read)
  }

  func nextReply() -> LineBuffer.Line? {
    let line = lines.next()
    if case .whole = line { health.noteWord() }
    return line
  }

  func noteStalled(_ isStalled: Bool) { hasStalledLines = isStalled }

  // MARK: Its process

  /// A turn begins, in which it was not started.
  func beginTurn() { isFresh = false }

  func noteStarted() {
    stage = .running(isInputOpen: true, isInputFull: false)
    isFresh = true
  }

  /// It could not be started. Returns the questions that waited for it.
  func noteUnavailable() -> [QuestionKey] {
    stage = .stopped
    return outgoing.removeAll()
  }

  /// Notes that nothing more will be sent. Returns whether that is new.
  func endInput() -> Bool {
    guard !isEnding else { return false }
    stage = .ending(isRunning: isRunning)
    return isRunning
  }

  /// What an authenticator that has failed will not go on with.
  struct Lost {
    /// Questions that it was sent, in their order.
    var questions: [QuestionKey]
    /// Conversations of which it was asked nothing, in their order.
    var conversations: [ConversationID]
  }

  /// Its process is of no use any more. What was not sent waits for the next one.
  func noteFailed(at now: UInt64) -> Lost {
    stage = isEnding ? .ending(isRunning: false) : .stopped
    generation += 1
    lines = LineBuffer(maximumLineBytes: maximumLineBytes)
    hasStalledLines = false
    description = nil
    awaitsDescription = false
    followsClock = false
    timedOut = nil
    clockQuestions = []
    isSendRequested = false
    var lost = Lost(questions: sent.values.map(\.key), conversations: [])
    sent = [:]
    // The next process knows nothing of conversations with this one; a notice about one died with it.
    outgoing.keepQuestionsOnly()
    for conversation in idleConversations {
      if let unsent = outgoing.remove(conversation) {
        lost.questions.append(unsent.key)
      } else {
        lost.conversations.append(conversation)
      }
    }
    idleConversations = []
    lost.questions.sort { $0.id < $1.id }
    lost.conversations.sort()
    health.noteFault(at: now)
    return lost
  }
}
