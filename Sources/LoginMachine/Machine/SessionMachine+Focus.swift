/// Where the keyboard goes after an event. Edits never move it, so that nobody is interrupted.
extension SessionMachine {
  /// Moves the keyboard to where the event that was just accepted leads.
  ///
  /// - Parameter ended: the alert that the event has ended, if it has ended one.
  mutating func moveFocus(after ended: Alert? = nil) {
    focus(on: focusTarget(after: ended), since: revision)
  }

  /// Moves the keyboard to where a person begins on the screen.
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

  /// Where a person begins on a screen: at the first item that is empty, or else that does not meet its rules; at the button if nothing is left to enter.
  private var focusTargetOnEntry: Focus.Target {
    (firstItem { isEmpty($0) } ?? firstItem { isInvalid($0) }).map { .item($0) } ?? .primary
  }

  /// After a failure: the first item that the authenticator has blamed; the button, if nobody has decided anything and it can be tried again as it is; else
  /// the first secret, one that is empty before others, since that is what has to be entered anew.
  private func focusTarget(afterFailure message: Message, isOfSubmit: Bool) -> Focus.Target {
    if let blamed = draft.remarks.map(\.item).filter({ isEntered($0) }).min() { return .item(blamed) }
    let isUndecided = message.code.hasPrefix(EngineMessage.networkPrefix)
    if isUndecided || !isOfSubmit, accepts(primaryPart) { return .primary }
    let item =
      firstItem { isSecret($0) && !draft.state(of: $0).isFilled } ?? firstItem { isSecret($0) }
      ?? firstItem { _ in true }
    return item.map { .item($0) } ?? .primary
  }

  private func firstItem(where isWanted: (Int) -> Bool) -> Int? {
    draft.entries.indices.first { isEntered($0) && isWanted($0) }
  }

  /// Whether an item is on the screen and takes values.
  private func isEntered(_ item: Int) -> Bool {
    !draft.state(of: item).isHidden && screen.traits[item].isDisjoint(with: .isFixed)
  }

  private func isSecret(_ item: Int) -> Bool { screen.traits[item].contains(.isSecret) }

  private func isInvalid(_ item: Int) -> Bool { !draft.state(of: item).failing.isEmpty }

  /// Whether nothing was entered; a switch always has a position.
  private func isEmpty(_ item: Int) -> Bool {
    let traits = screen.traits[item]
    if traits.contains(.isSecret) { return !draft.state(of: item).isFilled }
    return !traits.contains(.isSwitch) && draft.entries[item].text.isEmpty
  }
}
