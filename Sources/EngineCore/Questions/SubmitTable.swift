import LoginMachine

/// The requests `session/submit` whose outcome is not known yet: at most one of each session.
struct SubmitTable {
  private struct Entry {
    /// The text of the request's id.
    let id: [UInt8]
    /// The question that decides what the outcome is.
    let question: QuestionID
  }

  /// By the slots of their sessions.
  private var pending: [Int: Entry] = [:]

  var isEmpty: Bool { pending.isEmpty }
  var count: Int { pending.count }

  /// The slots of all sessions that have one, in their order.
  var slots: [Int] { pending.keys.sorted() }

  /// Has a request, of which that is the id's text, wait for what becomes of a question.
  mutating func insert(_ id: [UInt8], awaiting question: QuestionID, inSlot slot: Int) {
    pending[slot] = Entry(id: id, question: question)
  }

  /// Takes out the request of a session if it is over: it waits for another question than the one that the session waits for. Returns its id's text.
  mutating func removeSettled(inSlot slot: Int, _ awaited: QuestionID?) -> [UInt8]? {
    guard let entry = pending[slot], entry.question != awaited else { return nil }
    return remove(inSlot: slot)
  }

  /// Takes out the request of a session. Returns its id's text.
  mutating func remove(inSlot slot: Int) -> [UInt8]? { pending.removeValue(forKey: slot)?.id }
}
