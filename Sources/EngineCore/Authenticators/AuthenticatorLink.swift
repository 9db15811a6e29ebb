import AuthenticatorKit
import LoginMachine
import LoginProtocol
import SecretMemory

/// The engine's state of one authenticator process: the lines to send, the questions that it owes
/// answers to, the lines that it wrote, and the time of its next start.
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
  /// The number of processes so far, so that output of one process is never taken for another's.
  @exclusivity(unchecked) private(set) var generation = 0
  @exclusivity(unchecked) private var lines: LineBuffer
  /// Whether lines were read that could not be handled yet.
  @exclusivity(unchecked) private(set) var hasStalledLines = false
  @exclusivity(unchecked) private var outgoing = OutgoingLines()
  /// Whether the host was asked to send the waiting lines.
  @exclusivity(unchecked) private var isSendRequested = false
  /// Questions that were sent, at least in part, by their conversations.
  @exclusivity(unchecked) private var sent: [ConversationID: OutgoingLines.SentQuestion] = [:]
  /// Open conversations without a question since the last answer.
  @exclusivity(unchecked) private var idleConversations: Set<ConversationID> = []
  /// Unanswered questions that move the authenticator's clock.
  @exclusivity(unchecked) private(set) var clockQuestions: Set<ClockQuestionID> = []
  @exclusivity(unchecked) private var health = AuthenticatorHealth()
  /// A question that has timed out and is not taken into account by `judge` yet.
  @exclusivity(unchecked) private var timedOut: OutgoingLines.SentQuestion?
  /// Whether it was started in this turn. If its input is closed then, the lines count as sent: to
  /// send them to a new process could make that one fail as well.
  @exclusivity(unchecked) private(set) var hasJustStarted = false

  /// The stages of the process.
  enum Stage: Equatable {
    /// There is no process.
    case stopped
    /// The host was asked to start a process.
    case starting
    /// A process runs. `isInputOpen` is whether it can be sent anything; `isInputFull` is whether
    /// its input accepted nothing at the last write.
    case running(isInputOpen: Bool, isInputFull: Bool)
    /// Nothing more is sent, so that the process can exit. `isRunning` is whether it is still
    /// running.
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

  /// Whether the input accepted nothing at the last write.
  var isInputFull: Bool { if case .running(_, isInputFull: true) = stage { true } else { false } }

  var isEnding: Bool { if case .ending = stage { true } else { false } }

  /// The next time at which `EngineCore.progress` has something to do, in engine time; `nil` for
  /// none.
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

  /// Puts a line before all others. Only before anything was sent.
  func putAhead(_ line: SecretLine) { outgoing.putAhead(line) }

  /// Asks a process that was just started to describe itself.
  func askForDescription(_ line: SecretLine) {
    putAhead(line)
    awaitsDescription = true
  }

  /// Sends a line before all unsent ones. `followsClock` is whether to tell the process from then
  /// on when a manual clock moves.
  func configure(_ line: SecretLine, followsClock: Bool) {
    outgoing.insertBeforeUnsent(line)
    self.followsClock = followsClock
  }

  /// Whether the host has to start a process now. If so, the caller has to request it.
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

  /// Records that the host is sending. Returns false if there is no open input.
  func beginSending() -> Bool {
    isSendRequested = false
    if case .running(isInputOpen: true, _) = stage { return true }
    return false
  }

  /// The line to send next, the offset of its first unsent byte, and the question that it asks if
  /// none of it was sent.
  func nextLine() -> (line: SecretLine, start: Int, question: OutgoingLines.SentQuestion?)? {
    outgoing.next().map { ($0.line, outgoing.sent, $0.question) }
  }

  /// Records that `count` bytes of the next line were sent, or count as sent. Returns whether the
  /// input was full before.
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

  /// Records that the input has room although no lines are left to send. Returns whether the input
  /// was full before.
  func noteDrained() -> Bool {
    guard case .running(let isOpen, isInputFull: true) = stage else { return false }
    stage = .running(isInputOpen: isOpen, isInputFull: false)
    return true
  }

  /// Records that the input accepted nothing. Returns whether that is new.
  func noteFull() -> Bool {
    guard case .running(let isOpen, isInputFull: false) = stage else { return false }
    stage = .running(isInputOpen: isOpen, isInputFull: true)
    return true
  }

  /// Records that the input is closed for good.
  func noteInputClosed() {
    if case .running = stage { stage = .running(isInputOpen: false, isInputFull: false) }
  }

  /// Whether lines wait to be sent.
  var hasUnsent: Bool { !outgoing.isEmpty }

  /// Cancels a conversation, possibly because its question has timed out. An unsent question is
  /// dropped. Returns whether `notice` was queued, which tells the authenticator.
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

  /// Records the answer to a question. An open conversation stays the authenticator's until it is
  /// cancelled.
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

  /// The judgement about an authenticator.
  enum SecretVerdict {
    case fine
    /// It accepts no more questions, although its input was not ended.
    case takesNoQuestions
    /// It wrote nothing during this number of questions.
    case silent(questions: Int)
  }

  /// Judges the authenticator. Call after the waiting lines were sent.
  func judge(at now: UInt64) -> SecretVerdict {
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

  /// Whether it accepts no more questions and its time to answer the others is over.
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

  /// Starts a turn, in which no process was started yet.
  func beginTurn() { hasJustStarted = false }

  func noteStarted() {
    stage = .running(isInputOpen: true, isInputFull: false)
    hasJustStarted = true
  }

  /// Records that no process could be started. Returns the questions that waited for it.
  func noteUnavailable() -> [QuestionKey] {
    stage = .stopped
    return outgoing.removeAll()
  }

  /// Records that nothing more will be sent. Returns whether the process has to be told.
  func endInput() -> Bool {
    guard !isEnding else { return false }
    stage = .ending(isRunning: isRunning)
    return isRunning
  }

  /// The questions and conversations that a failed process has lost.
  struct FailedWork {
    /// Questions that it was sent, in their order.
    var questions: [QuestionKey]
    /// Conversations without an open question, in their order.
    var conversations: [ConversationID]
  }

  /// Records that the process has failed. Unsent questions stay for the next process.
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
