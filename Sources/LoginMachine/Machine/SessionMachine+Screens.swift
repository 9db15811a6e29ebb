/// Navigation between screens of the flow.
extension SessionMachine {
  /// Leaves the current screen for another. Both screens keep their values except for secrets,
  /// unless the argument `values` says otherwise.
  mutating func show(
    screen target: Int, values: Screen.LinkValues = .stay, at utc: UInt64?, _ step: inout StepDraft
  ) {
    let (former, left) = (screen, draft)
    let isOther = target != originIndex
    let hidden = isOther ? [] : hiddenItems
    shelve(values)
    var paused: ShelvedThrottle?
    var found: Draft?
    if let index = shelf.firstIndex(where: { $0.screen == target }) {
      let shelved = shelf.remove(at: index)
      found = values == .go ? nil : shelved.draft
      paused = shelved.pause?.value
    }
    var kept = Extras()
    if isOther {
      enter(.flow(target), with: found, &step)
    } else {
      draft = found ?? Draft(of: screen)
      if hasExtras {
        // A link from a screen to itself keeps the items on the screen, so they do not count as
        // new.
        kept.rare.arrivals = rare.arrivals
        kept.rare.requestLinksSince = rare.requestLinksSince
        rare.abandonQuestions(&step)
      }
    }
    if hasExtras {
      kept.rare.previous = rare.previous
      kept.rare.throttledLinks = rare.throttledLinks
    }
    kept.overlay.throttle = paused?.throttle
    recordEntry(primaryBefore: isOther ? nil : (primaryRole, primarySince), &step)
    if !kept.isEmpty || hasExtras { extras = kept }
    let hasNewValues = values == .go || values == .carry && carry(left, from: former, replaces: true, at: utc)
    // Items that were hidden because of the former values may appear.
    recordAppearances(of: hidden, in: revision + 1)
    phase = phaseOnEntry
    if let failure = paused?.failure, !hasNewValues { phase = .requestFailed(failure) }
  }

  /// Stores the values and the throttle of the screen that is left.
  private mutating func shelve(_ values: Screen.LinkValues) {
    var pause = self.pause
    draft.discardSecrets(of: screen, marks: marksEdits)
    if values == .go {
      guard pause != nil else { return }
      draft = Draft(of: screen)
      pause?.failure = nil
    }
    shelf.append(Shelved(screen: originIndex, draft: draft, pause: pause.map { .value($0) }))
  }

  /// Copies the texts of visible plain inputs of the former screen into those inputs of the current
  /// screen that have the same API key. A filled input is replaced only if `replaces` is true. A
  /// read-only input always takes the text, even an empty one. Returns whether any text changed.
  private mutating func carry(_ values: Draft, from former: Screen, replaces: Bool, at utc: UInt64?) -> Bool {
    var hasChanged = false
    for (index, item) in screen.items.enumerated() {
      guard let key = item.apiKey, case .input = item.kind, !item.isSecret,
        replaces || item.isReadOnly || draft.entries[index].text.isEmpty,
        let source = former.items.firstIndex(where: { $0.apiKey == key && !$0.isSecret }),
        case .input = former.items[source].kind, !values.entries[source].isHidden
      else { continue }
      let text = values.entries[source].text[...]
      guard !text.isEmpty || item.isReadOnly, text != draft.entries[index].text[...] else { continue }
      draft.enter(text.span, into: index, of: screen, marks: marksEdits, at: utc)
      hasChanged = true
    }
    return hasChanged
  }

  /// The throttle of the current screen, and the failure that is shown together with it; `nil` if
  /// there is no throttle.
  private var pause: ShelvedThrottle? {
    guard hasExtras, let throttle = overlay.throttle else { return nil }
    let losesSecret = draft.entries.contains { $0.isFilled }
    guard case .requestFailed(let failure) = phase, failure.source == .submit, flow.options.failure == .inline,
      !losesSecret
    else {
      return ShelvedThrottle(throttle: throttle)
    }
    // If the failed question was linked to an accepted request, a later retry does not refer to it,
    // because the retry has lost that link.
    let first = rare.previous == nil ? failure.firstQuestion : nil
    return ShelvedThrottle(throttle: throttle, failure: Failure(message: failure.message, firstQuestion: first))
  }

  /// Starts the session again for the next user, with the flow's first screen, which is blank. No
  /// state is kept, and the screen counts as newly shown even if it was shown before.
  mutating func startAgain(_ step: inout StepDraft) {
    shelf = []
    enter(.flow(flow.start), &step)
    removeExtras()
    recordEntry(&step)
    phase = .initial
  }

  /// Records that a screen was entered, so that its initial requests are made.
  private func recordEntry(primaryBefore: (part: Action, since: UInt64)? = nil, _ step: inout StepDraft) {
    step.entry = screen.initialRequests.isEmpty ? nil : .init(primaryBefore: primaryBefore)
  }

  /// Moves to the next screen after an accepted request. Values of inputs that both screens have
  /// are carried over.
  mutating func move(to target: Int, at utc: UInt64?, _ step: inout StepDraft) {
    let (former, values) = (screen, draft)
    let alerts = hasExtras ? overlay.alerts : []
    let hidden = target == originIndex ? hiddenItems : []
    show(screen: target, at: utc, &step)
    // The completed request must not be repeated with its values, so both screens forget them.
    shelf.removeAll { $0.screen == target || flow.screens[$0.screen] === former }
    _ = carry(values, from: former, replaces: false, at: utc)
    recordAppearances(of: hidden, in: revision + 1)
    phase = phaseOnEntry
    guard let first = alerts.first else { return }
    if screen.alert != nil {
      overlay.alerts = alerts
      overlay.alertSince = revision + 1
    } else {
      // The next screen has no action to dismiss an alert, so the first message becomes a notice.
      overlay.notice = first.messages.first
    }
  }
}
