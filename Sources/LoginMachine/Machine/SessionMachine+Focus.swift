/// Where the keyboard focus moves after an event. Edits never move it, so that typing is not
/// interrupted.
extension SessionMachine {
  /// Moves the focus after an accepted event.
  ///
  /// - Parameter ended: the alert that the event dismissed, if any.
  mutating func moveFocus(after ended: Alert? = nil) {
    focus(on: focusTarget(after: ended), since: revision)
  }

  /// Moves the focus to the item in which the user should start entering values.
  mutating func moveFocusToBeginning() { focus(on: focusTargetOnEntry, since: revision) }

  private func focusTarget(after ended: Alert?) -> Focus.Target? {
    if hasExtras, alert != nil { return .dismissal }
    switch phase {
    case .requestPending, .requestSucceeded: return nil
    case .requestFailed(let failure):
      return focusTarget(afterFailure: failure.message, isOfSubmit: failure.source == .submit)
    case .initial, .unvalidated, .validated:
      if let ended, ended.kind == .failure, let message = ended.messages.first {
        return focusTarget(afterFailure: message, isOfSubmit: true)
      }
      if case .unvalidated = phase, screenSince != revision, let invalid = firstItem(where: { isInvalid($0) }) {
        return .item(invalid)
      }
      return focusTargetOnEntry
    }
  }

  /// What gets the focus when a screen is entered: the first empty item, else the first invalid
  /// one, else the primary action.
  private var focusTargetOnEntry: Focus.Target {
    (firstItem { isEmpty($0) } ?? firstItem { isInvalid($0) }).map { .item($0) } ?? .primary
  }

  /// What gets the focus after a failure: the first item that the authenticator has rejected; else
  /// the primary action, if there was no decision and the request can be repeated; else the first
  /// secret, because secrets have to be entered again. Empty secrets come before filled ones.
  private func focusTarget(afterFailure message: Message, isOfSubmit: Bool) -> Focus.Target {
    if let blamed = draft.remarks.map(\.item).filter({ isEntered($0) }).min() { return .item(blamed) }
    let isUndecided = message.code.hasPrefix(EngineMessage.networkPrefix)
    if isUndecided || !isOfSubmit, accepts(primaryRole) { return .primary }
    let item =
      firstItem { isSecret($0) && !draft.state(of: $0).isFilled } ?? firstItem { isSecret($0) }
      ?? firstItem { _ in true }
    return item.map { .item($0) } ?? .primary
  }

  private func firstItem(where isWanted: (Int) -> Bool) -> Int? {
    draft.entries.indices.first { isEntered($0) && isWanted($0) }
  }

  /// Whether an item is on the screen and can be edited.
  private func isEntered(_ item: Int) -> Bool {
    !draft.state(of: item).isHidden && screen.traits[item].isDisjoint(with: .isFixed)
  }

  private func isSecret(_ item: Int) -> Bool { screen.traits[item].contains(.isSecret) }

  private func isInvalid(_ item: Int) -> Bool { !draft.state(of: item).failing.isEmpty }

  /// Whether an item has no value. A switch always has a value.
  private func isEmpty(_ item: Int) -> Bool {
    let traits = screen.traits[item]
    if traits.contains(.isSecret) { return !draft.state(of: item).isFilled }
    return !traits.contains(.isSwitch) && draft.entries[item].text.isEmpty
  }
}
