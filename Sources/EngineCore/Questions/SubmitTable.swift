import LoginMachine

/// The pending submits: `session/submit` requests whose outcome is not known yet. A session has at
/// most one.
struct SubmitTable {
  struct Entry {
    let request: RequestID
    /// The question whose answer is the outcome of the submit.
    let question: QuestionID
    /// The timer of the timeout that the caller has set for the submit; `nil` if it has set none.
    let timeout: TimerID?
  }

  /// The pending submits, keyed by the slots of their sessions.
  private var pending: [Int: Entry] = [:]

  var isEmpty: Bool { pending.isEmpty }
  var count: Int { pending.count }

  /// The slots of all sessions with a pending submit, in order.
  var slots: [Int] { pending.keys.sorted() }

  /// Adds the pending submit of the session in a slot.
  mutating func insert(_ entry: Entry, inSlot slot: Int) { pending[slot] = entry }

  /// Removes and returns the pending submit of a session, if the session no longer waits for the
  /// answer to the submit's question. `awaited` is the question for whose answer the session waits
  /// now.
  mutating func removeSettled(inSlot slot: Int, _ awaited: QuestionID?) -> Entry? {
    guard let entry = pending[slot], entry.question != awaited else { return nil }
    return remove(inSlot: slot)
  }

  /// Removes and returns the pending submit of a session.
  mutating func remove(inSlot slot: Int) -> Entry? { pending.removeValue(forKey: slot) }

  /// The slot of the session whose pending submit is the JSON-RPC request with this id.
  func slot(of id: UnsafeRawBufferPointer) -> Int? {
    pending.filter { $0.value.request.text.elementsEqual(id) }.keys.min()
  }
}

/// The parts of a request that its response repeats.
struct RequestID {
  /// The JSON text of the request's id.
  let text: [UInt8]
  /// The names of the request's params that were ignored, because the view was written for a later
  /// version of the protocol.
  let ignored: [String]
}
