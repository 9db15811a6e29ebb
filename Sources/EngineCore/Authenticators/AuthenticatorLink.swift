import AuthenticatorKit
import LoginMachine
import LoginProtocol
import SecretMemory

/// What the engine keeps about one authenticator process: the lines to send to it, the questions
/// that it still has to answer, the lines that it wrote, and the time of its next start.
///
/// A link knows questions only by their numbers, and performs no actions: its methods return what
/// the caller has to do.
final class AuthenticatorLink {
  let profile: AuthenticatorProfile
  /// Whether the authenticator asked to be told when a manual clock moves (`clock/advance`).
  @exclusivity(unchecked) private(set) var followsClock = false
  let maximumLineBytes: Int
  @exclusivity(unchecked) private(set) var stage = Stage.stopped
  private(set) var description: AuthenticatorDescription?
  /// Whether the process was asked to describe itself and has not answered.
  private var awaitsDescription = false
  /// How many processes of this authenticator have failed so far. While the lines of a process are
  /// handled, a change of this number shows that the process has failed, so its remaining lines are
  /// no longer handled.
  @exclusivity(unchecked) private(set) var generation = 0
  @exclusivity(unchecked) private var lines: LineBuffer
  /// Whether there are lines of the authenticator that were read and could not be handled yet.
  @exclusivity(unchecked) private(set) var hasStalledLines = false
  @exclusivity(unchecked) private var outgoing = OutgoingLines()
  /// Whether the host was asked to send the waiting lines and has not begun.
  @exclusivity(unchecked) private var isSendRequested = false
  /// The unanswered questions that were sent, at least in part, keyed by their conversations.
  @exclusivity(unchecked) private var sent: [ConversationID: OutgoingLines.SentQuestion] = [:]
  /// Open conversations in which no question was sent since the authenticator's last answer.
  @exclusivity(unchecked) private var idleConversations: Set<ConversationID> = []
  /// Questions that ask the authenticator to move its clock and are not answered yet.
  @exclusivity(unchecked) private(set) var clockQuestions: Set<ClockQuestionID> = []
  @exclusivity(unchecked) private var health = AuthenticatorHealth()
  /// A question that has timed out and that `judge` has not taken into account yet.
  @exclusivity(unchecked) private var timedOut: OutgoingLines.SentQuestion?
  /// Whether the process was started in this turn. If such a process turns out to have closed its
  /// input, the waiting lines count as sent: sending them to a new process could make that process
  /// fail as well.
  @exclusivity(unchecked) private(set) var hasJustStarted = false

  /// The stages of an authenticator process.
  enum Stage: Equatable {
    /// There is no process.
    case stopped
    /// The host was asked to start a process.
    case starting
    /// A process runs. `isInputOpen` is whether it can be sent anything; `isInputFull` is whether
    /// its input accepted nothing at the last write.
    case running(isInputOpen: Bool, isInputFull: Bool)
    /// The engine sends nothing more, so that the process can finish and exit. `isRunning` is false
    /// once it has exited.
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

  /// Whether the authenticator's input accepted nothing at the last write.
  var isInputFull: Bool { if case .running(_, isInputFull: true) = stage { true } else { false } }

  var isEnding: Bool { if case .ending = stage { true } else { false } }

  /// The next time at which the engine has to start or give up this authenticator, in engine time;
  /// `nil` for none.
  var nextDeadline: UInt64? {
    switch stage {
    case .stopped: outgoing.isEmpty ? nil : health.earliestStart
    case .running: health.unresponsiveDeadline
    case .starting, .ending: nil
    }
  }

  // MARK: Sending

  func append(_ line: SecretLine) { outgoing.append(line) }

  func append(_ line: SecretLine, asking key: QuestionKey) {
    outgoing.append(line, .init(key: key, silence: health.silence))
  }

  /// Puts a line before all other waiting lines. Call only before any line was sent to the process.
  func putAhead(_ line: SecretLine) { outgoing.putAhead(line) }

  /// Asks a process that was just started to describe itself.
  func askForDescription(_ line: SecretLine) {
    putAhead(line)
    awaitsDescription = true
  }

  /// Queues the line with the authenticator's settings before all unsent lines. `followsClock` says
  /// whether the engine has to tell this process from now on when a manual clock moves.
  func configure(_ line: SecretLine, followsClock: Bool) {
    outgoing.insertBeforeUnsent(line)
    self.followsClock = followsClock
  }

  /// Whether a process has to be started now. If so, the caller has to request the effect `start`.
  func mayStart(at now: UInt64, waitsBetweenStarts: Bool) -> Bool {
    guard stage == .stopped, !outgoing.isEmpty else { return false }
    if let time = health.earliestStart, time > now, waitsBetweenStarts { return false }
    health.noteStart()
    stage = .starting
    return true
  }

  /// Whether the caller has to ask the host to send the waiting lines.
  func requestSend() -> Bool {
    guard case .running(isInputOpen: true, let isFull) = stage, !outgoing.isEmpty, !isSendRequested, !isFull else {
      return false
    }
    isSendRequested = true
    return true
  }

  /// Records that the host is sending the waiting lines. Returns false if no process with an open
  /// input is running.
  func beginSending() -> Bool {
    isSendRequested = false
    if case .running(isInputOpen: true, _) = stage { return true }
    return false
  }

  /// The line to send next, and the offset of its first unsent byte. If the line asks a question
  /// and none of the line was sent yet, also returns the question.
  func nextLine() -> (line: SecretLine, start: Int, question: OutgoingLines.SentQuestion?)? {
    outgoing.next().map { ($0.line, outgoing.sent, $0.question) }
  }

  /// Records that `count` bytes of the next line were sent, or are treated as sent. Returns whether
  /// the authenticator's input was full until now.
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

  /// Records that the authenticator's input no longer counts as full, since no lines are left to
  /// send. Returns whether it was full until now.
  func noteDrained() -> Bool {
    guard case .running(let isOpen, isInputFull: true) = stage else { return false }
    stage = .running(isInputOpen: isOpen, isInputFull: false)
    return true
  }

  /// Records that the authenticator's input accepted nothing. Returns false if the input was full
  /// already.
  func noteFull() -> Bool {
    guard case .running(let isOpen, isInputFull: false) = stage else { return false }
    stage = .running(isInputOpen: isOpen, isInputFull: true)
    return true
  }

  /// Records that the authenticator has closed its input, so that nothing more can be sent to it.
  func noteInputClosed() {
    if case .running = stage { stage = .running(isInputOpen: false, isInputFull: false) }
  }

  /// Whether lines wait to be sent to the authenticator.
  var hasUnsent: Bool { !outgoing.isEmpty }

  /// Cancels a conversation, possibly because its question has timed out. Drops the conversation's
  /// question if it is unsent. If the authenticator knows the conversation, queues `notice`, which
  /// tells the authenticator about the cancellation. Returns whether the notice was queued.
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

  /// Records the answer to a question. If the conversation stays open, it is remembered, so that
  /// the authenticator can be informed if the conversation is cancelled later.
  func settle(_ key: QuestionKey, isConversationOpen: Bool) {
    sent[key.conversation] = nil
    if isConversationOpen { idleConversations.insert(key.conversation) }
    health.noteAnswer()
  }

  func expectClockMoved(_ question: ClockQuestionID) { clockQuestions.insert(question) }
  func noteClockMoved(_ question: ClockQuestionID) { clockQuestions.remove(question) }

  /// Records the process's description of itself; `nil` if it cannot be used. Returns false if no
  /// description is awaited.
  func describe(_ description: AuthenticatorDescription?) -> Bool {
    guard awaitsDescription else { return false }
    awaitsDescription = false
    self.description = description
    return true
  }

  // MARK: Health

  /// What the engine concludes about an authenticator that may have to be given up.
  enum Verdict {
    case fine
    /// The authenticator accepts no more questions, although the engine has not ended its input.
    case takesNoQuestions
    /// The authenticator wrote nothing while this number of questions in a row timed out.
    case silent(questions: Int)
  }

  /// Decides whether the authenticator has to be given up. Call after sending the waiting lines.
  func judge(at now: UInt64) -> Verdict {
    if case .running(isInputOpen: false, _) = stage {
      if sent.isEmpty { return .takesNoQuestions }
      // It may still answer what it has taken, but not for long if other questions wait.
      if outgoing.hasQuestions { health.startUnresponsiveTimeout(from: now) }
    }
    guard !isSendRequested, let question = timedOut else { return .fine }
    timedOut = nil
    let isSilent = health.noteTimeout(of: question)
    return isSilent && sent.isEmpty ? .silent(questions: health.silence) : .fine
  }

  /// Whether the authenticator accepts no more questions and has not answered in time the questions
  /// that it already has.
  func isUnresponsive(at now: UInt64) -> Bool { health.unresponsiveDeadline.map { $0 <= now } ?? false }

  // MARK: Output of the authenticator

  func read<Failure>(_ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int) throws(Failure) {
    try lines.append(read)
  }

  func nextReply() -> LineBuffer.Line? {
    let line = lines.next()
    if case .whole = line { health.noteOutput() }
    return line
  }

  func noteStalled(_ isStalled: Bool) { hasStalledLines = isStalled }

  // MARK: The process

  /// Records that a turn of the core begins, so that `hasJustStarted` is false until a process is
  /// started.
  func beginTurn() { hasJustStarted = false }

  func noteStarted() {
    stage = .running(isInputOpen: true, isInputFull: false)
    hasJustStarted = true
  }

  /// Records that no process could be started. Returns the questions that waited to be sent to a
  /// process.
  func noteUnavailable() -> [QuestionKey] {
    stage = .stopped
    return outgoing.removeAll()
  }

  /// Records that the engine will send nothing more. Returns whether a process is running whose
  /// input the host has to close.
  func endInput() -> Bool {
    guard !isEnding else { return false }
    stage = .ending(isRunning: isRunning)
    return isRunning
  }

  /// The questions and conversations that a failed process has lost.
  struct FailedWork {
    /// Questions that only the failed process could have answered, ordered by number.
    var questions: [QuestionKey]
    /// Conversations of the failed process without an open question, ordered by number.
    var conversations: [ConversationID]
  }

  /// Records that the process has failed. Unsent questions that begin a conversation stay queued
  /// for the next process.
  func noteFailed(at now: UInt64) -> FailedWork {
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
    var lost = FailedWork(questions: sent.values.map(\.key), conversations: [])
    sent = [:]
    // The next process knows nothing of this one's conversations, so notices about them are
    // obsolete.
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
