/// The end of a session.
extension SessionMachine {
  /// The session ends here, whatever state it is in: forgets all that was entered, on this screen and on those that were left. The bytes of its
  /// secrets are to be destroyed.
  ///
  /// The copies of the secrets in questions that are abandoned are to be destroyed as well. The view is told nothing: a session that is gone shows nothing.
  public mutating func close() -> Step {
    let ending = ending
    var step = StepDraft()
    shelf = []
    enter(.flow(originIndex), &step)
    removeExtras()
    if let ending { step.effects.append(.end(ending)) }
    // No answer can bring anything back.
    phase = .initial
    return .unseen(step.effects)
  }

  /// The ids of the secret items of this screen that are counted as filled.
  package var filledSecrets: [String] { filled(draft, on: screen) }

  /// The same of the screens that were left, be it for another or for a challenge.
  package var shelvedSecrets: [String] {
    shelf.flatMap { filled($0.draft, on: flow.screens[$0.screen]) }
      + (conversation.map { filled($0.formerDraft, on: origin) } ?? [])
  }

  private func filled(_ draft: Draft, on screen: Screen) -> [String] {
    draft.entries.indices.filter { draft.state(of: $0).isFilled }.map { screen.items[$0].id }
  }
}
