public import LoginForms

/// What a press leads to.
extension SessionMachine {
  public enum PressOutcome: Equatable, Sendable {
    /// The state does not take it.
    case refused
    /// Nothing beyond the new state.
    case done
    /// Ask the authenticator.
    case submit(Submission)
    /// Tell the authenticator that nobody waits any more.
    case cancel(AttemptID)
    /// Destroy the secrets of the screen that was left.
    case wipeSecrets
    /// The conversation was left: destroy the secrets, and tell the authenticator that nobody waits any more.
    case end(Ending)
  }

  /// An action was pressed. `attempt` is the number to use if the authenticator is asked.
  public mutating func press(_ action: Action, attempt: AttemptID) -> PressOutcome {
    guard accepts(action) else { return .refused }
    let before = primaryPart
    let outcome: PressOutcome
    switch action {
    case .submit, .retry:
      if !hasNothingAside, let question = repeated(action, attempt) {
        outcome = question
      } else {
        outcome = submit(attempt, retryOf: unsettled)
      }
    case .cancel where conversationID != nil: outcome = leave()
    case .cancel:
      guard case .requestPending(let attempt) = phase else { return .refused }
      phase = standing
      aside.notice = nil
      outcome = .cancel(attempt.id)
    case .link(let link):
      switch screen.links[link].target {
      case .screen(let target):
        visit(target)
        outcome = .wipeSecrets
      case .ask: outcome = tell(screen.links[link].action.id, attempt)
      case .leave: outcome = leave()
      }
    case .dismiss:
      dismiss()
      outcome = .done
    }
    advance(from: before)
    return outcome
  }

  /// The first attempt with the values that still stand, if it came to nothing.
  var unsettled: AttemptID? {
    if case .requestFailed(let failure) = phase {
      failure.firstAttempt
    } else {
      hasNothingAside ? nil : aside.unsettled
    }
  }

  private mutating func submit(_ id: AttemptID, retryOf first: AttemptID?) -> PressOutcome {
    if !hasNothingAside { aside.notice = nil }
    guard let values = draft.validated() else {
      phase = .unvalidated
      if flow.manner.invalid == .alert {
        show(Alert(.invalid, messages: brokenRules))
      } else {
        draft.markAll()
      }
      return .done
    }
    draft.markAll()
    draft.dropAnswers()
    if !hasNothingAside { aside.unsettled = nil }
    let attempt = Attempt(id: id, retryOf: first)
    phase = .requestPending(attempt)
    return .submit(
      Submission(attempt: attempt, screen: screen, values: values, conversationID: beginAsking(.values)))
  }

  /// What is to be said of all values that do not meet their rules, without saying anything twice.
  private var brokenRules: [Message] {
    var messages: [Message] = []
    for index in draft.entries.indices where !draft.entries[index].isHidden {
      let rules = screen.items[index].rules
      for rule in rules.indices where draft.entries[index].failing.contains(rule) {
        let message = rules[rule].failure
        if !messages.contains(message) { messages.append(message) }
      }
    }
    return messages
  }

  mutating func visit(_ target: Int) {
    let pause = self.pause
    draft.forgetSecrets(of: screen, marks: flow.manner.validation == .live)
    shelf.append(Shelved(screen: screenIndex, draft: draft, pause: pause.map { .value($0) }))
    var paused: Pause?
    if let index = shelf.firstIndex(where: { $0.screen == target }) {
      let shelved = shelf.remove(at: index)
      draft = shelved.draft
      paused = shelved.pause?.value
    } else {
      draft = Draft(of: flow.screens[target])
    }
    var kept = Aside()
    if target == screenIndex {
      // A way from a screen to itself does not take away what is shown.
      if !hasNothingAside { kept.itemsSince = aside.itemsSince }
    } else {
      screenSince = revision + 1
      primarySince = revision + 1
    }
    stand(on: target)
    kept.throttle = paused?.attempt
    if !kept.isEmpty || !hasNothingAside { aside = kept }
    settle()
    if let failure = paused?.failure { phase = .requestFailed(failure) }
  }

  /// Why it is too early for another request now.
  private var pause: Pause? {
    guard !hasNothingAside, let attempt = aside.throttle else { return nil }
    let losesSecret = draft.entries.contains { $0.isFilled }
    guard case .requestFailed(let failure) = phase, flow.manner.failure == .inline, !losesSecret else {
      return Pause(attempt: attempt)
    }
    return Pause(attempt: attempt, failure: failure)
  }

  /// Finds the phase of a screen that was just entered.
  mutating func settle() {
    if draft == Draft(of: screen) {
      phase = .initial
    } else {
      phase = flow.manner.validation == .live ? standing : .unvalidated
    }
  }

  // MARK: Alerts

  /// Puts an alert behind those that there are.
  mutating func show(_ alert: Alert) {
    aside.alerts.append(alert)
    if aside.alerts.count == 1 { aside.alertSince = revision + 1 }
  }

  private mutating func dismiss() {
    let ended = aside.alerts.removeFirst()
    aside.alertSince = revision + 1
    // The failure was only what the alert said.
    if ended.kind == .failure, case .requestFailed(let failure) = phase {
      phase = standing
      aside.unsettled = failure.firstAttempt
    }
  }

  // MARK: Answers

  /// What an answer leads to.
  public enum AnswerOutcome: Equatable, Sendable {
    /// Nobody waits for this attempt any more; nothing has changed.
    case late
    /// Nothing beyond the new state.
    case done
    /// Destroy all secrets of the session.
    case wipeSecrets
    /// Call `endThrottle` after so many milliseconds.
    case throttled(UInt64)
    /// A challenge is shown: destroy all secrets of the session, and see to its times.
    case challenged(Timing)
    /// Nothing that is shown has changed; the times go on.
    case unchanged(Timing)
  }

  /// What is to be done later about a challenge.
  public struct Timing: Equatable, Sendable {
    /// Whether it is another screen, and what was to be done about the one before is void.
    public var isNew = false
    /// Call `poll` after so many milliseconds.
    public var pollAfter: UInt64?
    /// Call `breakOff` after so many milliseconds, unless that is to be done already.
    public var expiresIn: UInt64?

    public init(isNew: Bool = false, pollAfter: UInt64? = nil, expiresIn: UInt64? = nil) {
      self.isNew = isNew
      self.pollAfter = pollAfter
      self.expiresIn = expiresIn
    }
  }

  /// The authenticator's answer to an attempt, or why there is none.
  public mutating func answer(_ answer: Answer, to id: AttemptID) -> AnswerOutcome {
    guard case .requestPending(let attempt) = phase, attempt.id == id, isAsking else { return .late }
    if case .challenge(let challenge) = answer { return face(challenge, attempt) }
    let before = primaryPart
    if !hasNothingAside { aside.notice = nil }
    let first = firstAttempt(of: attempt, answer)
    let hasEnded = !hasNothingAside && closeConversation(after: answer)
    let outcome: AnswerOutcome
    switch answer {
    case .accepted(let principal, let data):
      outcome = .wipeSecrets
      switch screen.success {
      case .scene(let scene):
        shelf = []
        draft = Draft(of: screen)
        phase = .requestSucceeded(Scene(id: scene, principal: principal, data: data))
      case .screen(let target): move(to: target)
      }
    case .failed(let message, let items, let retryAfter):
      fail(message, items, firstAttempt: first)
      if let retryAfter {
        aside.throttle = attempt.id
        outcome = .throttled(retryAfter)
      } else {
        outcome = hasEnded ? .wipeSecrets : .done
      }
    case .undecided(let message):
      fail(message, [], firstAttempt: first)
      outcome = .done
    case .notice(let message, let target):
      outcome = target == nil && !leadsToScreen && !hasEnded ? .done : .wipeSecrets
      if let target {
        move(to: target)
      } else if case .screen(let target) = screen.success {
        move(to: target)
      } else if !hasEnded {
        phase = standing
      }
      aside.notice = message
    case .challenge: return .late
    }
    advance(from: before)
    return outcome
  }

  private var leadsToScreen: Bool {
    if case .screen = screen.success { true } else { false }
  }

  mutating func fail(_ message: Message, _ items: [Draft.Answer], firstAttempt: AttemptID?) {
    phase = .requestFailed(Failure(message: message, firstAttempt: firstAttempt))
    note(items)
    guard flow.manner.failure == .alert else { return }
    var messages = [message]
    for item in items where !messages.contains(item.message) { messages.append(item.message) }
    show(Alert(.failure, messages: messages))
  }

  /// Shows what the authenticator says of items.
  mutating func note(_ items: [Draft.Answer]) {
    for item in showable(items) { draft.add(item.message, to: item.item) }
  }

  /// What can be shown of what the authenticator says of items: nothing of one that is not on the screen, not even when it comes back.
  func showable(_ items: [Draft.Answer]) -> [Draft.Answer] {
    guard flow.manner.invalid == .inline else { return [] }
    return items.filter { draft.entries.indices.contains($0.item) && !draft.entries[$0.item].isHidden }
  }

  /// Goes on to another screen, taking along what it asks for as well.
  private mutating func move(to target: Int) {
    let (former, values) = (screen, draft)
    let alerts = hasNothingAside ? [] : aside.alerts
    visit(target)
    // What was done is not to be done again with the same values.
    shelf.removeAll { $0.screen == target || flow.screens[$0.screen] === former }
    for (index, item) in screen.items.enumerated() {
      guard let key = item.apiKey, case .input = item.kind, !item.isSecret, draft.entries[index].text.isEmpty,
        let source = former.items.firstIndex(where: { $0.apiKey == key && !$0.isSecret }),
        case .input = former.items[source].kind, !values.entries[source].text.isEmpty
      else { continue }
      let text = values.entries[source].text
      draft.enter(text.span, into: index, of: screen, marks: flow.manner.validation == .live)
    }
    settle()
    guard let first = alerts.first else { return }
    if screen.alert != nil {
      aside.alerts = alerts
      aside.alertSince = revision + 1
    } else {
      // Nothing on this screen could end an alert.
      aside.notice = first.messages.first
    }
  }

  // MARK: What nobody has asked for

  /// What comes of something that is no event of the view's.
  public enum Reception: Equatable, Sendable {
    /// It is about nothing that goes on; nothing has changed.
    case ignored
    /// It has changed nothing that is shown, and so is no revision.
    case unseen
    /// It has changed what is shown.
    case shown
  }

  /// Raises the revision if `change` changes anything that is shown.
  private mutating func receive(_ change: (inout SessionMachine) -> Void) -> Reception {
    var (before, after) = (ViewState(), ViewState())
    before.project(self)
    change(&self)
    after.project(self)
    guard before != after else { return .unseen }
    revision += 1
    return .shown
  }

  /// What the authenticator wants to be read while it works. Ignored unless it works on this attempt, or on the conversation that began with it.
  public mutating func notify(_ message: Message?, _ alert: Alert?, of id: AttemptID) -> Reception {
    guard case .requestPending(let attempt) = phase, conversationID ?? attempt.id == id, message != nil || alert != nil
    else { return .ignored }
    return receive { machine in
      if let message { machine.aside.notice = message }
      guard let alert else { return }
      if machine.screen.alert == nil { machine.aside.notice = alert.messages.first } else { machine.show(alert) }
    }
  }

  /// It is no longer too early for another request, as far as the answer to that attempt went.
  public mutating func endThrottle(of attempt: AttemptID) -> Reception {
    if let index = shelf.firstIndex(where: { $0.pause?.value.attempt == attempt }) {
      shelf[index].pause = nil
      return .unseen
    }
    guard !hasNothingAside, aside.throttle == attempt else { return .ignored }
    return receive { machine in
      machine.aside.throttle = nil
      if case .requestFailed(let failure) = machine.phase, machine.flow.manner.failure == .inline {
        machine.phase = .requestFailed(Failure(message: Message(.throttleOver), firstAttempt: failure.firstAttempt))
      }
    }
  }
}
