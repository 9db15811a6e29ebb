import LoginMachine

/// The requests `session/submit` whose outcome is not known yet: at most one of each session.
struct SubmitTable {
  struct Entry {
    let request: RequestID
    /// The question that decides what the outcome is.
    let question: QuestionID
    /// When the question is given up, if the caller waits less long than the flow.
    let timeout: TimerID?
  }

  /// By the slots of their sessions.
  private var pending: [Int: Entry] = [:]

  var isEmpty: Bool { pending.isEmpty }
  var count: Int { pending.count }

  /// The slots of all sessions that have one, in their order.
  var slots: [Int] { pending.keys.sorted() }

  /// Has a request wait for what becomes of a question.
  mutating func insert(_ entry: Entry, inSlot slot: Int) { pending[slot] = entry }

  /// Takes out the request of a session if it is over: it waits for another question than the one that the session waits for.
  mutating func removeSettled(inSlot slot: Int, _ awaited: QuestionID?) -> Entry? {
    guard let entry = pending[slot], entry.question != awaited else { return nil }
    return remove(inSlot: slot)
  }

  /// Takes out the request of a session.
  mutating func remove(inSlot slot: Int) -> Entry? { pending.removeValue(forKey: slot) }

  /// The slot of the session that has the request with this id.
  func slot(of id: UnsafeRawBufferPointer) -> Int? {
    pending.filter { $0.value.request.text.elementsEqual(id) }.keys.min()
  }
}

/// What the response to a request repeats of it.
struct RequestID {
  /// The text of the id.
  let text: [UInt8]
  /// The params that were ignored, because the view was written for a later version of the protocol.
  let ignored: [String]
}
