/// From one screen of the flow to another.
extension SessionMachine {
  /// Leaves the screen for another. What was entered into either, but for secrets, is still there after a return, unless `values` says otherwise.
  mutating func show(
    screen target: Int, values: Screen.LinkValues = .stay, at utc: UInt64?, _ step: inout StepDraft
  ) {
    let (former, left) = (screen, draft)
    let isOther = target != originIndex
    let hidden = isOther ? [] : hiddenItems
    shelve(values)
    var paused: Pause?
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
        // A way from a screen to itself does not take away what is shown.
        kept.rare.arrivals = rare.arrivals
        kept.rare.requestLinksSince = rare.requestLinksSince
        rare.abandonQuestions(&step)
      }
    }
    if hasExtras {
      kept.rare.previous = rare.previous
      kept.rare.heldLinks = rare.heldLinks
    }
    kept.overlay.throttle = paused?.throttle
    noteEntry(primaryBefore: isOther ? nil : (primaryPart, primarySince), &step)
    if !kept.isEmpty || hasExtras { extras = kept }
    let hasNewValues = values == .go || values == .carry && carry(left, from: former, replaces: true, at: utc)
    // Other values may bring what the screen did not show with the former ones.
    noteArrivals(of: hidden, in: revision + 1)
    phase = phaseOnEntry
    if let failure = paused?.failure, !hasNewValues { phase = .requestFailed(failure) }
  }

  /// Puts away what was entered into the screen that is left, and until when it is too early for another request there.
  private mutating func shelve(_ values: Screen.LinkValues) {
    var pause = self.pause
    draft.forgetSecrets(of: screen, marks: marksEdits)
    if values == .go {
      guard pause != nil else { return }
      draft = Draft(of: screen)
      pause?.failure = nil
    }
    shelf.append(Shelved(screen: originIndex, draft: draft, pause: pause.map { .value($0) }))
  }

  /// Takes the texts of plain inputs that are on the screen along to inputs with the same api key, also to those that are not empty
  /// if `replaces` says so. What is read-only has no text of its own, and shows what the screen before had, be it empty. Whether that changed anything.
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

  /// Why it is too early for another request now, and what is shown of that.
  private var pause: Pause? {
    guard hasExtras, let throttle = overlay.throttle else { return nil }
    let losesSecret = draft.entries.contains { $0.isFilled }
    guard case .requestFailed(let failure) = phase, failure.source == .submit, flow.options.failure == .inline,
      !losesSecret
    else {
      return Pause(throttle: throttle)
    }
    // What a retry would send then is not linked to what was accepted before.
    let first = rare.previous == nil ? failure.firstQuestion : nil
    return Pause(throttle: throttle, failure: Failure(message: failure.message, firstQuestion: first))
  }

  /// Starts the session afresh, for whoever comes next: on the first screen, blank, and with nothing left of what was before. All that is shown is new, also if
  /// the screen is the same.
  mutating func startAfresh(_ step: inout StepDraft) {
    shelf = []
    enter(.flow(flow.start), &step)
    removeExtras()
    noteEntry(&step)
    phase = .initial
  }

  /// Notes that the screen was entered, whose initial requests are still to be made.
  private func noteEntry(primaryBefore: (part: Action, since: UInt64)? = nil, _ step: inout StepDraft) {
    step.entry = screen.initialRequests.isEmpty ? nil : .init(primaryBefore: primaryBefore)
  }

  /// Goes on to another screen once this one has done what it was for, taking along what is asked for there as well.
  mutating func move(to target: Int, at utc: UInt64?, _ step: inout StepDraft) {
    let (former, values) = (screen, draft)
    let alerts = hasExtras ? overlay.alerts : []
    let hidden = target == originIndex ? hiddenItems : []
    show(screen: target, at: utc, &step)
    // What was done is not to be done again with the same values.
    shelf.removeAll { $0.screen == target || flow.screens[$0.screen] === former }
    _ = carry(values, from: former, replaces: false, at: utc)
    noteArrivals(of: hidden, in: revision + 1)
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
