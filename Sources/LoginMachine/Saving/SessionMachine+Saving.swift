/// Moving sessions to another engine.
extension SessionMachine {
  // MARK: Saving

  /// The state to save; `nil` if the user is logged in, because a successful login is never saved.
  ///
  /// Secrets are discarded, and a notice informs the user about that. A conversation is ended
  /// unless its authenticator provided a state to resume it. A pending request is ended if it
  /// cannot be repeated without a secret.
  public func saved() -> SavedState? {
    if case .requestSucceeded = phase { return nil }
    var machine = self
    let challenged = machine.leaveChallenge()
    machine.discardUnmovableState()
    guard var state = machine.state() else { return nil }
    if let challenged { state.stage = challenged }
    return state
  }

  /// Returns to the form on which the current conversation began. If the conversation can be
  /// resumed, returns the stage to save.
  private mutating func leaveChallenge() -> SavedState.Stage? {
    guard let conversation else { return nil }
    guard let resume = conversation.resume else {
      _ = failConversation(conversation.id, Message(.challengeInterrupted))
      return nil
    }
    // Only a copy of the machine leaves the challenge, so the effects are dropped.
    var step = StepDraft()
    goBack(with: conversation.exit, &step)
    // While a request is pending, nothing but an alert has the focus.
    if alert != nil { focus(on: .dismissal, since: revision) }
    return .challenged(conversation.source, resume: resume)
  }

  /// Discards the parts of the state that cannot move to another engine.
  private mutating func discardUnmovableState() {
    let hasSentSecrets = mayHaveSentSecrets
    let losesValues = draft.discardUnsavedValues(of: screen)
    if case .requestPending(let question) = phase {
      if question.resumes {
        // An authenticator accepts a resume state only once.
        interrupt(question.source, .challengeInterrupted)
      } else if sendsValues(question.source), hasSentSecrets {
        interrupt(question.source)
      }
    }
    for index in shelf.indices { shelf[index].discardUnsavedValues(of: flow.screens[shelf[index].screen]) }
    guard losesValues else { return }
    updatePhase()
    if case .requestFailed(let failure) = phase {
      // The user may enter another secret, so a retry must not refer to the failed question.
      phase = .requestFailed(Failure(message: failure.message, firstQuestion: nil, source: failure.source))
    }
    rare.failedQuestion = nil
    overlay.notice = Message(.secretsNotKept)
  }

  /// Whether the values that were sent may have included a value that is not saved, such as a
  /// secret. The value may have been cleared since. Values of hidden items were not sent.
  private var mayHaveSentSecrets: Bool {
    screen.traits.indices.contains { index in
      !screen.traits[index].isDisjoint(with: [.isSecret, .isExternal]) && !draft.state(of: index).isHidden
    }
  }

  /// Fails a request that cannot be repeated because part of it is lost.
  private mutating func interrupt(_ source: RequestSource, _ reason: EngineMessage = .interrupted) {
    showFailure(Message(reason), [], firstQuestion: nil, of: source)
    if alert == nil { moveFocusToBeginning() } else { moveFocus() }
  }

  private func sendsValues(_ source: RequestSource) -> Bool {
    switch source {
    case .submit: true
    case .link(let link, _): origin.links[link].request?.sends == .values
    case .initial: false
    }
  }

  /// The state to save for a session that shows a screen of the flow. It does not contain the last
  /// accepted request (`rare.previous`). Otherwise anyone who can change a saved state could choose
  /// which user is logged in.
  private func state() -> SavedState? {
    guard let stage, conversation == nil else { return nil }
    var state = SavedState(
      screen: originIndex, language: language, revision: revision, events: events, draft: draft, stage: stage)
    state.left = shelf.map { shelved in
      var left = SavedState.Left(screen: shelved.screen, draft: shelved.draft)
      left.throttle = shelved.pause?.value.throttle.saved
      if left.throttle != nil {
        left.failure = shelved.pause?.value.failure?.message
        left.failedQuestion = shelved.pause?.value.failure?.firstQuestion
      }
      return left
    }
    state.focus = focus.target
    guard hasExtras else { return state }
    let (overlay, rare) = (overlay, rare)
    state.alerts = overlay.alerts
    state.notice = overlay.notice
    state.throttle = overlay.throttle?.saved
    state.throttledLinks = rare.throttledLinks.compactMap { held in
      held.retry.map { .init(screen: held.screen, link: held.link, throttle: .init(question: held.question, time: $0)) }
    }
    state.failedQuestion = rare.failedQuestion
    state.waitsForEdit = overlay.waitsForEdit
    state.background = rare.background.map(\.index)
    state.checks = rare.checks.map(\.item)
    return state
  }

  private var stage: SavedState.Stage? {
    switch phase {
    case .initial: .initial
    case .unvalidated: .unvalidated
    case .validated: .validated
    case .requestPending(let question):
      question.firstQuestion.map { .requestPending(question.source, $0) } ?? .initial
    case .requestFailed(let failure): .requestFailed(failure.message, failure.source, failure.firstQuestion)
    case .requestSucceeded: nil
    }
  }

  // MARK: Opening

  /// Opens a saved session. Everything that the session shows counts as shown since the revision
  /// after the saved revision, because the view starts empty.
  ///
  /// - Parameters:
  ///   - flow: the flow of the saved session.
  ///   - over: the questions whose throttles have ended in the meantime.
  ///   - first: the id for the first question that is asked.
  /// - Returns: the machine, and a step with the repeated questions and the checks. The step is
  ///   never `shown`, because nothing was shown before.
  public static func opened(
    from saved: SavedState, of flow: Flow, over: [QuestionID] = [], question first: QuestionID
  ) -> (machine: SessionMachine, step: Step) {
    var machine = SessionMachine(flow: flow, screen: saved.screen, language: saved.language)
    machine.restoreState(saved)
    for question in over { _ = machine.endThrottle(of: question) }
    var effects = machine.scheduleChecks(of: saved)
    effects += machine.repeatRequests(of: saved, first).map { .ask($0) }
    machine.begin(at: saved.revision + 1)
    return (machine, .unseen(effects))
  }

  private mutating func restoreState(_ saved: SavedState) {
    draft = saved.draft
    events = saved.events
    shelf = saved.left.map { left in
      let pause = left.throttle.map { throttle in
        ShelvedThrottle(
          throttle: Throttle(throttle),
          failure: left.failure.map { Failure(message: $0, firstQuestion: left.failedQuestion) })
      }
      return Shelved(screen: left.screen, draft: left.draft, pause: pause.map { .value($0) })
    }
    var extras = Extras()
    extras.overlay.alerts = saved.alerts
    extras.overlay.notice = saved.notice
    extras.overlay.throttle = saved.throttle.map { Throttle($0) }
    extras.overlay.waitsForEdit = saved.waitsForEdit
    extras.rare.failedQuestion = saved.failedQuestion
    extras.rare.throttledLinks = saved.throttledLinks.map {
      ThrottledLink(screen: $0.screen, link: $0.link, question: $0.throttle.question, retry: $0.throttle.time)
    }
    self.extras = extras
    switch saved.stage {
    case .initial, .requestPending, .challenged: phase = .initial
    // The validity of rules that depend on the day may have changed.
    case .unvalidated: phase = phase(after: .unvalidated)
    case .validated: phase = phase(after: .validated)
    case .requestFailed(let message, let source, let first):
      phase = .requestFailed(Failure(message: message, firstQuestion: first, source: source))
    }
    if saved.focusesStart { return moveFocusToBeginning() }
    focus(on: saved.focus, since: revision)
  }

  /// Schedules the checks that were open when the session was saved.
  private mutating func scheduleChecks(of saved: SavedState) -> [Step.Effect] {
    saved.checks.compactMap { item in
      guard screen.items.indices.contains(item), let check = screen.items[item].check else { return nil }
      rare.checks.append(.init(item: item, stage: .scheduled))
      return .scheduleCheck(item: item, after: check.delay)
    }
  }

  /// Repeats the requests that were pending when the session was saved.
  private mutating func repeatRequests(of saved: SavedState, _ first: QuestionID) -> [Question] {
    var questions: [Question] = []
    var id = first
    if case .requestPending(let source, let former) = saved.stage {
      if let question = repeated(source, PendingQuestion(id: id, retryOf: former, source: source)) {
        phase = .requestPending(PendingQuestion(id: id, retryOf: former, source: source))
        questions.append(question)
        id = id.next
      } else {
        interrupt(source)
      }
    }
    if case .challenged(let source, let resume) = saved.stage {
      let pending = PendingQuestion(id: id, retryOf: nil, source: source, resumes: true)
      phase = .requestPending(pending)
      questions.append(
        Question(
          pending, of: nil, on: screen, .resume(resume, request: request(of: source), action: action(of: source)),
          after: previousRequest))
      id = id.next
    }
    for index in saved.background {
      // The question is not a retry, because the values in the form may have changed.
      let pending = PendingQuestion(id: id, retryOf: nil, source: .initial(index))
      rare.background.append(.init(index: index, question: id))
      questions.append(question(pending, about: index, isBackground: true))
      id = id.next
    }
    return questions
  }

  /// The question that repeats a saved request; `nil` if the request needs values that are no
  /// longer valid.
  private func repeated(_ source: RequestSource, _ pending: PendingQuestion) -> Question? {
    switch source {
    case .submit:
      draft.validated().map { Question(pending, of: nil, on: screen, .values($0), after: previousRequest) }
    case .link(let link, _):
      origin.links[link].request.flatMap { request in
        let values = request.sends == .values ? draft.validated() : nil
        if request.sends == .values, values == nil { return nil }
        return Question(
          pending, of: nil, on: screen, .request(request.name, action: origin.links[link].action.id, values),
          after: previousRequest)
      }
    case .initial(let index): question(pending, about: index, isBackground: false)
    }
  }

  private func request(of source: RequestSource) -> String {
    switch source {
    case .submit: screen.request
    case .link(let link, _): origin.links[link].request?.name ?? origin.request
    case .initial(let index): origin.initialRequests[index].request
    }
  }

  private func action(of source: RequestSource) -> String? {
    if case .link(let link, _) = source { origin.links[link].action.id } else { nil }
  }

  /// Makes everything on the screen count as shown since the revision `revision`.
  private mutating func begin(at revision: UInt64) {
    self.revision = revision
    screenSince = revision
    primarySince = revision
    focus(on: focus.target, since: revision)
    if hasExtras, !overlay.alerts.isEmpty { overlay.alertSince = revision }
  }
}

extension SessionMachine.Shelved {
  /// Discards the values of a screen that are not saved. If there were any, a retry no longer
  /// repeats the failed question, because the user may enter another secret.
  fileprivate mutating func discardUnsavedValues(of screen: Screen) {
    guard draft.discardUnsavedValues(of: screen), var pause = pause?.value, let failure = pause.failure else { return }
    pause.failure = Failure(message: failure.message, firstQuestion: nil, source: failure.source)
    self.pause = .value(pause)
  }
}

extension Throttle {
  init(_ saved: SavedThrottle) {
    question = saved.question
    retry = saved.time
  }

  /// The throttle in its saved form; `nil` if the time of day was unknown.
  fileprivate var saved: SavedThrottle? { retry.map { SavedThrottle(question: question, time: $0) } }
}
