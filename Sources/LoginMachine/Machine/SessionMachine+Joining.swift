/// Several edits and a press as one event.
extension SessionMachine {
  /// Makes the edits since `former` a part of the press that comes next: all of it is one revision, the one after that of `former`.
  public mutating func joinEdits(since former: borrowing SessionMachine) {
    let next = former.revision + 1
    revision = former.revision
    primarySince = former.primarySince
    guard hasExtras else { return }
    var arrivals = rare.arrivals
    for item in arrivals.keys {
      // What went and came again meanwhile was never seen to go.
      arrivals[item] = former.hides(item) ? next : former.extrasBox?.arrival(of: item)
    }
    rare.arrivals = arrivals
  }

  /// The question that is open, and has to be answered before anything is known of the last press. `nil` if there is none.
  public var awaitedQuestion: QuestionID? {
    guard case .requestPending(let question) = phase, isAsking else { return nil }
    return question.id
  }
}
