import LoginMachine

/// Explores the authenticator's checks of values. The results of checks create no new states, since
/// they only change how an item looks.
extension Explorer {
  /// Whether the check of a value is at fault in this place: the check changes the state, or it
  /// stays open when a request is made or the screen changes.
  func checksFail(in place: Place) -> Bool {
    for item in place.machine.screen.items.indices where place.machine.awaitsCheck(of: item) {
      var asked = place
      let id = place.nextQuestion
      guard !asked.machine.check(item, question: id).questions.isEmpty else {
        return !allowsNoQuestion(item, place.machine)
      }
      for verdict in [CheckVerdict.valid, .invalid(Message("explored")), .notice(Message("explored")), .unknown] {
        var next = asked
        guard !next.machine.handleCheck(verdict, to: id).isRefused, key(of: next) == key(of: place) else { return true }
      }
      let links = asked.machine.screen.links.indices.map { SessionMachine.Action.link($0) }
      for action in [asked.machine.primaryRole] + links {
        var next = asked.machine
        let step = next.press(action, question: id.next, at: Alphabet.utc)
        let isOver = !step.isRefused && (!next.phase.isOpen || next.screenSince == next.revision)
        guard isOver else { continue }
        guard step.abandoned.contains(id), next.handleCheck(.unknown, to: id).isRefused else { return true }
      }
    }
    return false
  }

  /// Whether it is right that no check is made of an item, for example because the item's value no
  /// longer meets its rules after an edit of another item.
  private func allowsNoQuestion(_ item: Int, _ machine: SessionMachine) -> Bool {
    !machine.phase.isOpen || !machine.draft.state(of: item).failing.isEmpty || machine.draft.state(of: item).isHidden
  }

  private func key(of place: Place) -> [UInt8] { place.key(alphabets[place.machine.originIndex], place.alerts) }
}
