import LoginMachine

/// The pending requests `session/submit`, whose outcome is not known yet: at most one per session.
struct SubmitTable {
  struct Entry {
    let request: RequestID
    /// The question that decides the outcome.
    let question: QuestionID
    /// The timer that ends the wait, if the caller set a timeout.
    let timeout: TimerID?
  }

  /// The entries by the slots of their sessions.
  private var pending: [Int: Entry] = [:]

  var isEmpty: Bool { pending.isEmpty }
  var count: Int { pending.count }

  /// The slots of all sessions with a pending submit, in order.
  var slots: [Int] { pending.keys.sorted() }

  /// Adds a request that waits for the outcome of a question.
  mutating func insert(_ entry: Entry, inSlot slot: Int) { pending[slot] = entry }

  /// Removes the request of a session if it is over: the session waits for another question than
  /// the request.
  mutating func removeSettled(inSlot slot: Int, _ awaited: QuestionID?) -> Entry? {
    guard let entry = pending[slot], entry.question != awaited else { return nil }
    return remove(inSlot: slot)
  }

  /// Removes the request of a session.
  mutating func remove(inSlot slot: Int) -> Entry? { pending.removeValue(forKey: slot) }

  /// The slot of the session with the request of this id.
  func slot(of id: UnsafeRawBufferPointer) -> Int? {
    pending.filter { $0.value.request.text.elementsEqual(id) }.keys.min()
  }
}

/// What the response to a request repeats of it.
struct RequestID {
  /// The text of the id.
  let text: [UInt8]
  /// The params that were ignored, because the view was written for a later version of the
  /// protocol.
  let ignored: [String]
}
