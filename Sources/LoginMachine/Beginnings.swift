/// What there is of requests that begin by themselves.
struct Beginnings: Equatable, Sendable {
  /// A request that goes on beside the form.
  struct Beside: Equatable, Sendable {
    /// The index among those of the screen.
    let index: Int
    let question: QuestionID
  }

  /// Which part the primary action played, and the revision since which it has.
  struct PrimaryAge: Equatable, Sendable {
    let part: SessionMachine.Action
    let since: UInt64
  }

  /// Whether the screen was entered and its requests are still to begin.
  var areDue = false
  /// The primary action before the screen was entered, if that was from the same screen: one that is the same once the requests have begun was never away.
  var primaryBefore: PrimaryAge?
  /// The requests that go on beside the form.
  var beside: [Beside] = []
  /// The checks of items under way, at most one for each item.
  var checks: [Check] = []
  /// Questions that nobody waits for any more, as long as the machine's owner has not been told.
  var abandoned: [QuestionID] = []

  /// What there is of them once the screen is left for another, or for the same from its beginning.
  func left(areDue: Bool) -> Beginnings {
    Beginnings(areDue: areDue, abandoned: abandoned + beside.map(\.question) + checks.compactMap(\.question))
  }
}
