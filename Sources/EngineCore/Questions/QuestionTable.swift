import LoginMachine

/// Who decides a request.
enum AuthenticatorReference: Hashable {
  /// Whoever reads the engine's output.
  case frontend
  case process(AuthenticatorID)
}

/// A question's number, and that of its conversation, which is the number of the first question.
struct QuestionKey: Hashable {
  let id: QuestionID
  let conversation: ConversationID

  init(_ id: QuestionID, of conversation: ConversationID) {
    self.id = id
    self.conversation = conversation
  }

  /// The first question of a conversation.
  init(_ id: QuestionID) { self.init(id, of: ConversationID(first: id)) }

  var isFirst: Bool { conversation == ConversationID(first: id) }
}

/// A question to an authenticator that has not been answered.
struct OpenQuestion {
  let session: Session
  let authenticator: AuthenticatorReference
  let conversation: ConversationID
  /// The flow's name for what is asked.
  let request: String
  /// When it was put, in milliseconds of the engine's clock.
  let start: UInt64
  /// Whether it goes on beside a form: nothing waits for its answer.
  var isBackground = false
  /// Whether it is the check of an item, which is no try.
  var isCheck = false
}

extension OpenQuestion {
  /// What its session is told if there is no answer, or none that is one.
  func lost(because message: Message) -> Answer { isBackground ? .undecided(message) : .failed(message, items: []) }
}

/// All questions that have not been answered, with the time that is left for each, and those that never will be as long as nobody has been told.
struct QuestionTable {
  private struct Entry {
    let question: OpenQuestion
    var timeout: Timeout
  }

  /// The time that an authenticator still has for an answer.
  private enum Timeout {
    /// The time passes; the timer fires at the deadline.
    case running(TimerID, deadline: UInt64)
    /// The time stands still, with so many milliseconds left, because the person is what is waited for.
    case paused(remaining: UInt64)
  }

  private var open: [QuestionID: Entry] = [:]
  /// How many of them go on beside a form.
  private var beside = 0
  private var lost: ArraySlice<(loss: Loss, message: EngineMessage)> = []
  /// The number of the last question that was put.
  private var last: QuestionID = 0

  /// Something that an authenticator will not go on with.
  enum Loss {
    case question(QuestionID)
    /// None of the conversation's questions is open.
    case conversation(ConversationID)
  }

  var isEmpty: Bool { open.isEmpty }

  /// Whether an answer is waited for: none is to a question that goes on beside a form.
  var areAwaited: Bool { open.count > beside }

  var count: Int { open.count }

  /// The number that the next question has; none is used twice.
  var nextID: QuestionID { last.next }

  /// Notes that a number was used.
  mutating func use(_ id: QuestionID) { last = max(last, id) }

  subscript(id: QuestionID) -> OpenQuestion? { open[id]?.question }

  // MARK: From the question to its end

  /// Notes that a question was put, whose answer may take so many milliseconds. They do not pass yet if the person is what is waited for.
  mutating func insert(
    _ question: OpenQuestion, _ id: QuestionID, timeout milliseconds: UInt64, isPaused: Bool, _ time: inout EngineTime
  ) {
    use(id)
    let timeout = isPaused ? Timeout.paused(remaining: milliseconds) : running(id, for: milliseconds, &time)
    open[id] = Entry(question: question, timeout: timeout)
    if question.isBackground { beside += 1 }
  }

  /// Lets the time of a question stand still or pass.
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

  /// Takes a question off the list, and its time with it.
  @discardableResult mutating func close(_ id: QuestionID, _ time: inout EngineTime) -> OpenQuestion? {
    guard let entry = open.removeValue(forKey: id) else { return nil }
    if entry.question.isBackground { beside -= 1 }
    if case .running(let timer, _) = entry.timeout { time.cancel(timer) }
    return entry.question
  }

  private func running(_ id: QuestionID, for milliseconds: UInt64, _ time: inout EngineTime) -> Timeout {
    let (sum, overflow) = time.now.addingReportingOverflow(milliseconds)
    let deadline = overflow ? .max : sum
    return .running(time.schedule(at: deadline, .requestTimeout(id)), deadline: deadline)
  }

  // MARK: All of them

  /// The numbers of the questions that go on beside forms, in their order.
  var backgroundIDs: [QuestionID] { beside == 0 ? [] : open.filter { $0.value.question.isBackground }.keys.sorted() }

  /// The numbers of all open questions, in their order.
  var ids: [QuestionID] { open.keys.sorted() }

  /// The numbers of the open questions to an authenticator, in their order.
  func ids(to authenticator: AuthenticatorReference) -> [QuestionID] {
    open.filter { $0.value.question.authenticator == authenticator }.keys.sorted()
  }

  func contains(to authenticator: AuthenticatorReference) -> Bool {
    !open.isEmpty && open.values.contains { $0.question.authenticator == authenticator }
  }

  // MARK: What was lost

  /// Whether sessions are still to be told of a loss.
  var hasLost: Bool { !lost.isEmpty }

  mutating func lose(_ loss: Loss, _ message: EngineMessage) { lost.append((loss, message)) }

  mutating func popLost() -> (loss: Loss, message: EngineMessage)? { lost.popFirst() }
}
