package import LoginMachine

/// The properties of a flow that an exploration checks. Each list of faults is empty for a sound
/// flow.
extension Exploration {
  /// Whether a session is finished in a state: the view shows the scene, and no alert covers the
  /// scene.
  public func isFinal(_ state: Int) -> Bool {
    states[state].visible.phase == .requestSucceeded && states[state].alerts.isEmpty
  }

  /// The states that are not final, although a session cannot leave them because neither the user
  /// nor the authenticator nor time can cause a transition.
  package var deadEnds: [Int] {
    var hasExit = states.map { _ in false }
    for edge in edges where isExit(edge) { hasExit[edge.from] = true }
    return states.indices.filter { !hasExit[$0] && !isFinal($0) }
  }

  /// The states from which no values and no answers lead to success.
  package var cannotSucceed: [Int] {
    var origins = [[Int32]](repeating: [], count: states.count)
    for edge in edges where isExit(edge) { origins[edge.to].append(Int32(truncatingIfNeeded: edge.from)) }
    var succeeds = states.indices.map { isFinal($0) }
    var open = states.indices.filter { succeeds[$0] }
    while let state = open.popLast() {
      for origin in origins[state] where !succeeds[Int(origin)] {
        succeeds[Int(origin)] = true
        open.append(Int(origin))
      }
    }
    return states.indices.filter { !succeeds[$0] }
  }

  /// Whether a transition belongs to the flow itself and is offered by a view. A notice of the
  /// authenticator that names a screen does not count.
  private func isExit(_ edge: Edge) -> Bool {
    if case .noticeTo = edge.event { false } else { edge.isOffered }
  }

  /// The phases that the flow's options allow but no session reaches.
  package var unreachedPhases: [Element] {
    declaredPhases.filter { !reached.contains($0) }
  }

  /// The screens, sections, items, actions and alerts that the flow declares but no session
  /// reaches.
  package var unreachedEvents: [Element] {
    declaredEvents.filter { !reached.contains($0) }
  }

  /// Whether all properties hold in all states of the flow.
  package var isSound: Bool {
    isComplete && deadEnds.isEmpty && cannotSucceed.isEmpty && remainingSecrets.isEmpty && remainingRequests.isEmpty
      && checkFaults.isEmpty && phaseFaults.isEmpty && unreachedPhases.isEmpty && unreachedEvents.isEmpty
      && closings == states.count
  }

  /// Finds secrets that a step should have wiped. All secrets must be wiped when the screen changes
  /// and when the session succeeds. Secrets in hidden items and on screens that were left must
  /// never remain.
  ///
  /// - Parameter wipes: whether the step told the engine to wipe the bytes of secrets.
  package static func remainingSecrets(
    _ before: SessionMachine, _ after: SessionMachine, wipes: Bool
  ) -> [RemainingSecret.Reason] {
    var reasons: [RemainingSecret.Reason] = []
    let hasSucceeded = after.phase.name == .requestSucceeded
    let hasEnded =
      after.screenReference != before.screenReference || hasSucceeded && before.phase.name != .requestSucceeded
    if hasEnded && !wipes && before.draft.entries.contains(where: \.isFilled) { reasons.append(.notWiped) }
    for (item, entry) in after.draft.entries.enumerated()
    where entry.isFilled && (hasEnded || hasSucceeded || wipes || entry.isHidden) {
      reasons.append(.filled(item: after.screen.items[item].id))
    }
    return reasons + after.shelvedSecrets.map { .filled(item: $0) }
  }

  /// Finds secrets that remain after a session was closed. Wiping the bytes themselves is the
  /// engine's task, not the machine's.
  ///
  /// - Parameter withdrawn: the questions that the engine was told to withdraw.
  package static func remainingSecrets(
    closing before: SessionMachine, _ after: SessionMachine, withdrawn: [QuestionID]
  ) -> [RemainingSecret.Reason] {
    var reasons: [RemainingSecret.Reason] = (after.filledSecrets + after.shelvedSecrets).map { .filled(item: $0) }
    guard case .requestPending(let question) = before.phase else { return reasons }
    var later = after
    let late = later.handleAnswer(.failed(Message("explored"), items: []), to: question.id, question: question.id.next)
    if !withdrawn.contains(question.id) || !late.isRefused {
      reasons.append(.notWithdrawn)
    }
    return reasons
  }

  // MARK: Declarations of a flow

  private var declaredPhases: [Element] {
    let isLive = flow.options.validation == .live
    var phases: [Element] = [.initial, .validated, .requestPending, .requestFailed, .requestSucceeded]
      .map { .phase($0) }
    // Without rules, no value can be invalid, and a form can be unvalidated only without live
    // validation.
    if !isLive || flow.screens.contains(where: \.hasRules) { phases.insert(.phase(.unvalidated), at: 1) }
    for screen in flow.screens {
      var own: [Phase.Name] = []
      if !isLive && screen.hasEdits || screen.hasRules { own.append(.unvalidated) }
      if isLive && screen.hasEdits { own.append(.validated) }
      own += [.requestPending, .requestFailed]
      if screen.leadsToScene { own.append(.requestSucceeded) }
      phases += own.map { .phaseOn(screen: screen.id, $0) }
    }
    return phases
  }

  private var declaredEvents: [Element] {
    flow.screens.flatMap { (screen) -> [Element] in
      var actions = [screen.primary.submit]
      if flow.options.pending == .cancel { actions.append(screen.primary.cancel) }
      if flow.options.failure == .inline { actions.append(screen.primary.retry) }
      if screen.leadsToScene, let again = screen.primary.again { actions.append(again) }
      actions += screen.links.map(\.action)
      if let alert = screen.alert { actions.append(alert.dismiss) }
      var elements: [Element] = [.screen(screen.id)]
      elements += actions.map { Element.action(screen: screen.id, id: $0.id) }
      elements += alertKinds(of: screen).map { Element.alert(screen: screen.id, $0) }
      elements += screen.sections.map { Element.section(screen: screen.id, id: $0.id) }
      elements += screen.items.map { Element.item(screen: screen.id, id: $0.id) }
      return elements
    }
  }

  private func alertKinds(of screen: Screen) -> [Screen.AlertKind] {
    guard let alert = screen.alert else { return [] }
    return Screen.AlertKind.allCases.filter { kind in
      switch kind {
      case .invalid: flow.options.invalid == .alert || alert.titles[kind] != nil
      case .failure: flow.options.failure == .alert || alert.titles[kind] != nil
      case .notice: true
      }
    }
  }
}

extension Screen {
  fileprivate var hasRules: Bool { items.contains { !$0.rules.isEmpty } }
  fileprivate var hasEdits: Bool { traits.contains { $0.isDisjoint(with: .isFixed) } }
}
