import LoginMachine

/// The authenticator that decides a request: the frontend or a process.
enum AuthenticatorReference: Hashable {
  /// The frontend: the program that reads the engine's output.
  case frontend
  case process(AuthenticatorID)
}

/// The number of a question and the id of its conversation. The id is the number of the question
/// that began the conversation.
struct QuestionKey: Hashable {
  let id: QuestionID
  let conversation: ConversationID

  init(_ id: QuestionID, of conversation: ConversationID) {
    self.id = id
    self.conversation = conversation
  }

  /// The key of a question that begins a conversation.
  init(_ id: QuestionID) { self.init(id, of: ConversationID(first: id)) }

  var isFirst: Bool { conversation == ConversationID(first: id) }
}

/// A question to an authenticator that is not answered yet.
struct OpenQuestion {
  let session: Session
  let authenticator: AuthenticatorReference
  let conversation: ConversationID
  /// The name of the request in the flow.
  let request: String
  /// The time at which the question was asked, in milliseconds of the engine's clock.
  let start: UInt64
  /// Whether the question belongs to a background request. Nothing has to wait for its answer.
  var isBackground = false
  /// Whether the question is the check of an item, which does not count as an attempt.
  var isCheck = false
}

extension OpenQuestion {
  /// The answer that is passed to the session's machine if the authenticator gives no valid answer.
  func lost(because message: Message) -> Answer { isBackground ? .undecided(message) : .failed(message, items: []) }
}

/// The open questions with their timeouts, and the failed questions and conversations about which
/// sessions were not informed yet.
struct QuestionTable {
  private struct Entry {
    let question: OpenQuestion
    var timeout: Timeout
  }

  /// The state of a question's timeout.
  private enum Timeout {
    /// The timeout is running; the timer fires at the deadline.
    case running(TimerID, deadline: UInt64)
    /// The timeout is paused while the session waits for the user. It has `remaining` milliseconds
    /// left.
    case paused(remaining: UInt64)
  }

  private var open: [QuestionID: Entry] = [:]
  /// The number of open background questions.
  private var backgroundCount = 0
  private var failures: ArraySlice<(subject: FailedSubject, message: EngineMessage)> = []
  /// The number of the last question that was asked.
  private var last: QuestionID = 0

  /// A question or conversation for which no answer can arrive any more.
  enum FailedSubject {
    case question(QuestionID)
    /// A conversation without an open question.
    case conversation(ConversationID)
  }

  var isEmpty: Bool { open.isEmpty }

  /// Whether a session waits for an answer. No session waits for the answers to background
  /// questions.
  var areAwaited: Bool { open.count > backgroundCount }

  var count: Int { open.count }

  /// The number of the next question. No number is used twice.
  var nextID: QuestionID { last.next }

  /// Records that the number of a question is in use.
  mutating func use(_ id: QuestionID) { last = max(last, id) }

  subscript(id: QuestionID) -> OpenQuestion? { open[id]?.question }

  // MARK: From asking to closing

  /// Adds an open question. `milliseconds` is how long its answer may take. If `isPaused`, the
  /// timeout does not start until it is resumed.
  mutating func insert(
    _ question: OpenQuestion, _ id: QuestionID, timeout milliseconds: UInt64, isPaused: Bool, _ time: inout EngineTime
  ) {
    use(id)
    let timeout = isPaused ? Timeout.paused(remaining: milliseconds) : running(id, for: milliseconds, &time)
    open[id] = Entry(question: question, timeout: timeout)
    if question.isBackground { backgroundCount += 1 }
  }

  /// Pauses or resumes the timeout of a question.
  mutating func setPaused(_ isPaused: Bool, _ id: QuestionID, _ time: inout EngineTime) {
    switch (open[id]?.timeout, isPaused) {
    case (.running(let timer, let deadline), true):
      time.cancel(timer)
      open[id]?.timeout = .paused(remaining: deadline > time.now ? deadline - time.now : 0)
    case (.paused(let remaining), false):
      let timeout = running(id, for: remaining, &time)
      open[id]?.timeout = timeout
    case (.running, false), (.paused, true), (nil, _): break
    }
  }

  /// Removes a question from the open questions, and cancels its timeout.
  @discardableResult mutating func close(_ id: QuestionID, _ time: inout EngineTime) -> OpenQuestion? {
    guard let entry = open.removeValue(forKey: id) else { return nil }
    if entry.question.isBackground { backgroundCount -= 1 }
    if case .running(let timer, _) = entry.timeout { time.cancel(timer) }
    return entry.question
  }

  private func running(_ id: QuestionID, for milliseconds: UInt64, _ time: inout EngineTime) -> Timeout {
    let (sum, overflow) = time.now.addingReportingOverflow(milliseconds)
    let deadline = overflow ? .max : sum
    return .running(time.schedule(at: deadline, .requestTimeout(id)), deadline: deadline)
  }

  // MARK: All of them

  /// The ids of the open background questions, in order.
  var backgroundIDs: [QuestionID] {
    backgroundCount == 0 ? [] : open.filter { $0.value.question.isBackground }.keys.sorted()
  }

  /// The ids of all open questions, in order.
  var ids: [QuestionID] { open.keys.sorted() }

  /// The ids of the open questions to one authenticator, in order.
  func ids(to authenticator: AuthenticatorReference) -> [QuestionID] {
    open.filter { $0.value.question.authenticator == authenticator }.keys.sorted()
  }

  func contains(to authenticator: AuthenticatorReference) -> Bool {
    !open.isEmpty && open.values.contains { $0.question.authenticator == authenticator }
  }

  // MARK: Failures

  /// Whether there are failed questions or conversations about which sessions were not informed
  /// yet.
  var hasFailures: Bool { !failures.isEmpty }

  mutating func fail(_ subject: FailedSubject, _ message: EngineMessage) { failures.append((subject, message)) }

  mutating func popFailure() -> (subject: FailedSubject, message: EngineMessage)? { failures.popFirst() }
}
