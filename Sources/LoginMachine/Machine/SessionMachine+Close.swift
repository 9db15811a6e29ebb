/// Closing a session.
extension SessionMachine {
  /// Ends the session in any state and discards all entered values, including those of screens that
  /// were left. The view gets no update.
  ///
  /// The caller has to destroy the bytes of the secrets, including copies in abandoned questions.
  public mutating func close() -> Step {
    let ending = ending
    var step = StepDraft()
    shelf = []
    enter(.flow(originIndex), &step)
    removeExtras()
    if let ending { step.effects.append(.end(ending)) }
    // The session has no open question any more, so later answers are refused.
    phase = .initial
    return .unseen(step.effects)
  }

  /// The ids of the secret items on the current screen that are filled.
  package var filledSecrets: [String] { filled(draft, on: screen) }

  /// The ids of the filled secret items on screens that were left, for another screen or for a
  /// challenge.
  package var shelvedSecrets: [String] {
    shelf.flatMap { filled($0.draft, on: flow.screens[$0.screen]) }
      + (conversation.map { filled($0.formerDraft, on: origin) } ?? [])
  }

  private func filled(_ draft: Draft, on screen: Screen) -> [String] {
    draft.entries.indices.filter { draft.state(of: $0).isFilled }.map { screen.items[$0].id }
  }
}
