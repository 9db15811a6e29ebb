import LoginMachine

/// The requests `session/submit` whose outcome is not known yet: at most one of each session.
struct SubmitTable {
  struct Pending: Equatable {
    /// The text of the request's id.
    let id: [UInt8]
    /// The question that decides what the outcome is.
    let question: QuestionID
  }

  /// By the slots of their sessions.
  private var pending: [Int: Pending] = [:]

  var isEmpty: Bool { pending.isEmpty }
  var count: Int { pending.count }

  /// The slots of all sessions that have one, in their order.
  var slots: [Int] { pending.keys.sorted() }

  subscript(slot: Int) -> Pending? { pending[slot] }

  mutating func set(_ submit: Pending, inSlot slot: Int) { pending[slot] = submit }

  mutating func remove(inSlot slot: Int) -> Pending? { pending.removeValue(forKey: slot) }
}
