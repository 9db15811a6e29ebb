import LoginMachine

/// Visits every state of a flow once, breadth first, so that no path to a state is longer than
/// necessary.
struct Explorer {
  var found: Exploration
  let alphabets: [Alphabet]
  /// The machines of `found.states`, in the same order.
  private var places: [Place] = []
  private var known: [[UInt8]: Int] = [:]
  private var view = ViewState()
  /// The screens that an authenticator's notice may name.
  private var namedScreens: [Int] = []

  /// The number of queued alerts at which the exploration adds no more, because a machine treats a
  /// third alert like a second one.
  private static let maximumAlerts = 2

  init(of flow: Flow) {
    found = Exploration(blank: flow)
    alphabets = flow.screens.map { Alphabet(of: $0) }
  }

  mutating func walk(_ progress: (Int) -> Void) {
    visit(Place(flow: found.flow, screen: found.flow.start), origin: nil)
    var next = 0
    while next < places.count {
      leave(next)
      next += 1
      if next % 64 == 0 { progress(places.count) }
    }
    found.ownStates = found.states.count
    found.ownEdges = found.edges.count
    // An authenticator's notice may name any screen. Only screens that the flow itself reaches are
    // explored in this way.
    namedScreens = Set(found.states.map(\.visible.screen)).sorted()
    for state in places.indices where places[state].machine.phase.name == .requestPending { nameScreens(from: state) }
    while next < places.count {
      leave(next)
      nameScreens(from: next)
      next += 1
      if next % 64 == 0 { progress(places.count) }
    }
  }

  /// Returns the index of the state of a place. A place that is not known yet becomes a new state,
  /// unless there are `Exploration.maximumStates` already; then returns `nil`.
  @discardableResult private mutating func visit(_ arrived: Place, origin: Exploration.Origin?) -> Int? {
    var place = arrived
    place.computeProspects(from: origin.map { places[$0.state] })
    let alerts = place.alerts
    let key = place.key(alphabets[place.machine.originIndex], alerts)
    if let state = known[key] { return state }
    guard places.count < Exploration.maximumStates else {
      found.isComplete = false
      return nil
    }
    known[key] = places.count
    places.append(place)
    found.states.append(
      Exploration.State(
        visible: Exploration.VisibleState(
          screen: place.machine.originIndex, phase: place.machine.phase.name, alert: alerts.first,
          isThrottled: place.machine.isThrottled),
        alerts: alerts, hasNotice: place.machine.notice != nil, origin: origin))
    recordReached(place.machine)
    close(places.count - 1)
    return places.count - 1
  }

  /// Closes the session in a state, as the engine does on `session/close` or after the idle
  /// timeout.
  private mutating func close(_ state: Int) {
    let before = places[state].machine
    var after = before
    let withdrawn = after.close().abandoned
    for reason in Exploration.remainingSecrets(closing: before, after, withdrawn: withdrawn) {
      found.remainingSecrets.append(Exploration.RemainingSecret(event: .close, state: state, reason: reason))
    }
    found.closings += 1
  }

  /// Records the transition from a state to the state of `place`.
  private mutating func follow(
    _ event: Event, from state: Int, to place: Place, isOffered: Bool = true, wipes: Bool = false,
    entry: Exploration.Entry? = nil
  ) {
    guard let target = visit(place, origin: Exploration.Origin(state: state, event: event, entry: entry)) else {
      return
    }
    let before = places[state].machine
    for reason in Exploration.remainingSecrets(before, place.machine, wipes: wipes) {
      found.remainingSecrets.append(Exploration.RemainingSecret(event: event, state: target, reason: reason))
    }
    if let action = before.screen.actionID(of: event) {
      found.reached.insert(.action(screen: before.screen.id, id: action))
    }
    guard target != state else { return }
    found.edges.append(Exploration.Edge(from: state, to: target, event: event, isOffered: isOffered, entry: entry))
  }

  // MARK: Events

  /// Explores every event that is possible in a state.
  private mutating func leave(_ state: Int) {
    let place = places[state]
    view.project(place.machine)
    edit(state, place)
    press(state, place)
    let throttles = (place.machine.throttle.map { [$0] } ?? []) + place.machine.throttledLinks.map(\.question)
    for throttle in throttles {
      var next = place
      if !next.machine.endThrottle(of: throttle).isRefused { follow(.throttleOver, from: state, to: next) }
    }
    if case .requestPending(let question) = place.machine.phase { followAnswers(state, place, question.id) }
    followBackgroundAnswers(state, place)
    if checksFail(in: place) { found.checkFaults.append(state) }
    if phaseFails(in: place) { found.phaseFaults.append(state) }
  }

  private mutating func edit(_ state: Int, _ place: Place) {
    let alphabet = alphabets[place.machine.originIndex]
    let filled = place.machine.draft.entries.indices.filter { place.machine.draft.state(of: $0).isFilled }
    // On a screen that is filled in from top to bottom, the loss of a secret is explored only while
    // everything above it is valid.
    let isWhole = place.machine.draft.entries.allSatisfy { $0.isHidden || !$0.isTouched || $0.failing.isEmpty }
    for item in alphabet.isOrdered ? filled.suffix(isWhole ? 1 : 0) : filled {
      var next = place
      next.secrets[item] = []
      if !next.machine.discardSecret(item).isRefused {
        follow(.secretLost, from: state, to: next, entry: Exploration.Entry(item, 0))
      }
    }
    guard place.machine.acceptsEdits else { return }
    for item in place.editedItems(alphabet) {
      for value in 0..<alphabet.values[item].count {
        var next = place
        guard next.enter(alphabet.values[item], value, into: item) else { continue }
        next.wipeHiddenSecrets()
        follow(
          .edit, from: state, to: next, isOffered: view.isEditable, entry: Exploration.Entry(item, value))
      }
    }
  }

  private mutating func press(_ state: Int, _ place: Place) {
    let links = place.machine.screen.links.indices
    let presses: [(Event, SessionMachine.Action, Bool)] =
      [
        (.submit, .submit, view.primaryIsEnabled), (.cancel, .cancel, view.primaryIsEnabled),
        (.retry, .retry, view.primaryIsEnabled), (.again, .again, view.primaryIsEnabled),
        (.dismiss, .dismiss, view.alert != nil),
      ] + links.map { (.link($0), .link($0), view.enablesLink($0)) }
    for (event, action, isOffered) in presses {
      var next = place
      let step = next.machine.press(action, question: place.nextQuestion, at: Alphabet.utc)
      if step.isRefused { continue }
      recordRequestsLeft(event, state, place, next, answered: nil, withdrawn: step.abandoned)
      let wipes = step.wiping == .all
      if wipes { next.wipeSecrets() }
      follow(event, from: state, to: next, isOffered: isOffered, wipes: wipes)
    }
  }

  private mutating func followAnswers(_ state: Int, _ place: Place, _ question: QuestionID) {
    let message = Message("explored")
    followAnswer(.accepted(principal: nil, data: nil), as: .accepted, state, place, question)
    followAnswer(.failed(message, items: []), as: .rejected, state, place, question)
    if let item = place.machine.draft.entries.indices.first(where: {
      !place.machine.draft.state(of: $0).isHidden && place.machine.screen.items[$0].apiKey != nil
    }) {
      followAnswer(
        .failed(message, items: [Draft.Remark(item: item, message: message)]), as: .rejectedItems, state, place,
        question
      )
    }
    followAnswer(.failed(message, items: [], retryAfter: 1), as: .tooEarly, state, place, question)
    followAnswer(.failed(message, items: []), as: .fault, state, place, question)
    followAnswer(.notice(message, screen: nil), as: .notice, state, place, question)
    var next = place
    if !next.machine.notify(message, nil, of: ConversationID(first: question)).isRefused {
      follow(.message, from: state, to: next)
    }
    guard place.machine.screen.alert == nil || place.alerts.count < Explorer.maximumAlerts else { return }
    next = place
    if !next.machine.notify(nil, Alert(.notice, messages: [message]), of: ConversationID(first: question)).isRefused {
      follow(.alert, from: state, to: next)
    }
  }

  /// Explores the answers to background requests.
  private mutating func followBackgroundAnswers(_ state: Int, _ place: Place) {
    let message = Message("explored")
    for (question, index) in zip(place.machine.backgroundQuestions, place.machine.backgroundRequests) {
      followAnswer(.accepted(principal: nil, data: nil), as: .backgroundAccepted(index), state, place, question)
      followAnswer(.failed(message, items: []), as: .backgroundRejected(index), state, place, question)
      followAnswer(.undecided(message), as: .backgroundLost(index), state, place, question)
    }
  }

  private mutating func nameScreens(from state: Int) {
    let place = places[state]
    guard case .requestPending(let question) = place.machine.phase else { return }
    for screen in namedScreens {
      followAnswer(.notice(Message("explored"), screen: screen), as: .noticeTo(screen), state, place, question.id)
    }
  }

  private mutating func followAnswer(
    _ answer: Answer, as event: Event, _ state: Int, _ place: Place, _ question: QuestionID
  ) {
    switch answer {
    case .accepted, .failed, .notice: break
    // An undecided answer leads to the same states as a failure, except for background requests.
    case .undecided: if case .backgroundLost = event { break } else { return }
    // Challenges are not part of the flow. (For a new kind of answer, extend `followAnswers`.)
    case .challenge: return
    }
    var next = place
    let step = next.machine.handleAnswer(
      answer, to: question, at: Alphabet.utc, question: place.nextQuestion.next)
    if step.isRefused { return }
    let wipes = step.wiping == .all
    if wipes { next.wipeSecrets() }
    recordRequestsLeft(event, state, place, next, answered: question, withdrawn: step.abandoned)
    follow(event, from: state, to: next, wipes: wipes)
  }

  // MARK: Checks of a state

  /// Whether the phase contradicts the values: a validated form must be valid, and with live
  /// validation an unvalidated form must be invalid.
  private func phaseFails(in place: Place) -> Bool {
    switch place.machine.phase {
    case .validated: !place.machine.draft.isValid
    case .unvalidated: place.machine.flow.options.validation == .live && place.machine.draft.isValid
    case .initial, .requestPending, .requestFailed, .requestSucceeded: false
    }
  }

  private mutating func recordRequestsLeft(
    _ event: Event, _ state: Int, _ before: Place, _ after: Place, answered: QuestionID?, withdrawn: [QuestionID]
  ) {
    found.remainingRequests += Exploration.remainingRequests(
      before.machine, after.machine, answered: answered, withdrawn: withdrawn
    ).map { Exploration.RemainingRequest(event: event, state: state, reason: $0) }
  }

  private mutating func recordReached(_ machine: SessionMachine) {
    let screen = machine.screen
    found.reached.insert(.screen(screen.id))
    found.reached.insert(.phase(machine.phase.name))
    found.reached.insert(.phaseOn(screen: screen.id, machine.phase.name))
    if let alert = machine.alert { found.reached.insert(.alert(screen: screen.id, alert.kind)) }
    for section in screen.sections where machine.draft.meets(section.visibility) {
      found.reached.insert(.section(screen: screen.id, id: section.id))
      for item in section.items where !machine.draft.state(of: item).isHidden {
        found.reached.insert(.item(screen: screen.id, id: screen.items[item].id))
      }
    }
  }
}

extension Screen {
  /// The id of the action that an event presses.
  func actionID(of event: Event) -> String? {
    switch event {
    case .submit: primary.submit.id
    case .cancel: primary.cancel.id
    case .retry: primary.retry.id
    case .again: primary.again?.id
    case .dismiss: alert?.dismiss.id
    case .link(let link): links.indices.contains(link) ? links[link].action.id : nil
    case .edit, .accepted, .rejected, .rejectedItems, .tooEarly, .notice, .noticeTo, .message, .alert, .fault,
      .secretLost, .throttleOver, .backgroundAccepted, .backgroundRejected, .backgroundLost, .close:
      nil
    }
  }
}
