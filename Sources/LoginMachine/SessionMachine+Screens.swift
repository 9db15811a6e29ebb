import LoginForms

/// From one screen of the flow to another.
extension SessionMachine {
  /// Leaves the screen for another. What was entered into either, but for secrets, is still there after a return.
  mutating func visit(_ target: Int) {
    let pause = self.pause
    draft.forgetSecrets(of: screen, marks: marksEdits)
    shelf.append(Shelved(screen: originIndex, draft: draft, pause: pause.map { .value($0) }))
    var paused: Pause?
    if let index = shelf.firstIndex(where: { $0.screen == target }) {
      let shelved = shelf.remove(at: index)
      draft = shelved.draft
      paused = shelved.pause?.value
    } else {
      draft = Draft(of: flow.screens[target])
    }
    var kept = Overlay()
    if target == originIndex {
      // A way from a screen to itself does not take away what is shown.
      if hasOverlay { kept.itemsSince = overlay.itemsSince }
    } else {
      screenSince = revision + 1
      primarySince = revision + 1
    }
    stand(on: target)
    kept.throttle = paused?.question
    if !kept.isEmpty || hasOverlay { overlay = kept }
    phase = phaseOnEntry
    if let failure = paused?.failure { phase = .requestFailed(failure) }
  }

  /// Why it is too early for another request now, and what is shown of that.
  private var pause: Pause? {
    guard hasOverlay, let question = overlay.throttle else { return nil }
    let losesSecret = draft.entries.contains { $0.isFilled }
    guard case .requestFailed(let failure) = phase, flow.options.failure == .inline, !losesSecret else {
      return Pause(question: question)
    }
    return Pause(question: question, failure: failure)
  }

  /// Goes on to another screen once this one has done what it was for, taking along what is asked for there as well.
  mutating func move(to target: Int) {
    let (former, values) = (screen, draft)
    let alerts = hasOverlay ? overlay.alerts : []
    visit(target)
    // What was done is not to be done again with the same values.
    shelf.removeAll { $0.screen == target || flow.screens[$0.screen] === former }
    for (index, item) in screen.items.enumerated() {
      guard let key = item.apiKey, case .input = item.kind, !item.isSecret, draft.entries[index].text.isEmpty,
        let source = former.items.firstIndex(where: { $0.apiKey == key && !$0.isSecret }),
        case .input = former.items[source].kind, !values.entries[source].text.isEmpty
      else { continue }
      let text = values.entries[source].text
      draft.enter(text.span, into: index, of: screen, marks: marksEdits)
    }
    phase = phaseOnEntry
    guard let first = alerts.first else { return }
    if screen.alert != nil {
      overlay.alerts = alerts
      overlay.alertSince = revision + 1
    } else {
      // Nothing on this screen could end an alert.
      overlay.notice = first.messages.first
    }
  }
}
