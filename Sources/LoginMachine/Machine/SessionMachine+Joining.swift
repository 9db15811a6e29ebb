/// Several edits and a press as one event.
extension SessionMachine {
  /// Combines the edits made since the state `former` with the press that follows. Together they
  /// get one revision, the one after the revision of `former`.
  public mutating func joinEdits(since former: borrowing SessionMachine) {
    let next = former.revision + 1
    revision = former.revision
    primarySince = former.primarySince
    guard hasExtras else { return }
    var arrivals = rare.arrivals
    for item in arrivals.keys {
      // An item that was hidden and shown again by these edits counts as shown all the time.
      arrivals[item] = former.hides(item) ? next : former.extrasBox?.arrival(of: item)
    }
    rare.arrivals = arrivals
  }

  /// The question whose answer decides the result of the last press; `nil` if none is open.
  public var awaitedQuestion: QuestionID? {
    guard case .requestPending(let question) = phase, isAsking else { return nil }
    return question.id
  }
}
