/// Several edits and a press as one event.
extension SessionMachine {
  /// Makes the edits since `former` part of the next press: all of it is one revision, the next
  /// after that of `former`.
  public mutating func joinEdits(since former: borrowing SessionMachine) {
    let next = former.revision + 1
    revision = former.revision
    primarySince = former.primarySince
    guard hasExtras else { return }
    var arrivals = rare.arrivals
    for item in arrivals.keys {
      // An item that disappeared and reappeared between the revisions was shown continuously.
      arrivals[item] = former.hides(item) ? next : former.extrasBox?.arrival(of: item)
    }
    rare.arrivals = arrivals
  }

  /// The open question whose answer determines the result of the last press; `nil` if there is
  /// none.
  public var awaitedQuestion: QuestionID? {
    guard case .requestPending(let question) = phase, isAsking else { return nil }
    return question.id
  }
}
