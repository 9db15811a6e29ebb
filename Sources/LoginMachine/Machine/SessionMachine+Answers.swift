/// Handling an authenticator's answers.
extension SessionMachine {
  /// Handles the authenticator's answer to a question, or the reason why there is no answer.
  /// Refused if the question is no longer open.
  ///
  /// - Parameters:
  ///   - utc: the time, in milliseconds since 1970.
  ///   - first: the id for the first question that the machine asks as a result.
  public mutating func handleAnswer(
    _ answer: Answer, to id: QuestionID, at utc: UInt64? = nil, question first: QuestionID
  ) -> Step {
    guard case .requestPending(let question) = phase, question.id == id, isAsking else {
      return handleInBackground(answer, to: id, at: utc, question: first)
    }
    if case .challenge(let challenge) = answer {
      // A challenge without a screen keeps the current challenge's screen. If there is none, the
      // answer is invalid.
      if challenge.screen != nil || conversation != nil { return showChallenge(challenge, question, StepDraft()) }
      return decide(.failed(Message(.invalidAnswer), items: []), question, at: utc, question: first)
    }
    return decide(answer, question, at: utc, question: first)
  }

  /// Applies an answer that is not a challenge.
  private mutating func decide(
    _ answer: Answer, _ question: PendingQuestion, at utc: UInt64?, question first: QuestionID
  ) -> Step {
    let before = primaryRole
    var step = StepDraft()
    if hasExtras { overlay.notice = nil }
    let asked = conversationID ?? ConversationID(first: question.id)
    let exit = hasExtras ? applyToConversation(by: answer, &step) : nil
    let hasEnded = exit != nil
    let repeated = exit.map(\.firstQuestion) ?? question.firstQuestion
    // If the conversation goes on, the failure is about the values of the challenge's screen.
    let source = exit?.source ?? question.source
    recordEnd(of: source)
    var wiping = hasEnded ? Step.SecretWiping.all : .nothing
    switch answer {
    case .accepted(let principal, let data, let message, let retryAfter, let proofs):
      let (origin, success) = (originIndex, success(of: source))
      if let success {
        wiping = .all
        let request = AcceptedRequest(
          asked, principal: principal, data: data, proofs: proofs, after: previousRequest)
        follow(success, request, at: utc, &step)
      } else if !hasEnded {
        returnToForm(after: source)
      }
      if let message, source != .submit, phase.isOpen { overlay.notice = message }
      guard let retryAfter else { break }
      if case .link(let link, _) = source { hold(link, on: origin, Throttle(question.id, for: retryAfter, at: utc)) }
      step.effects.append(.throttle(question.id, for: retryAfter))
    case .failed(let message, let items, let retryAfter):
      if let retryAfter { step.effects.append(.throttle(question.id, for: retryAfter)) }
      if case .link(let link, let former) = source, let retryAfter {
        hold(link, from: former, because: message, Throttle(question.id, for: retryAfter, at: utc))
      } else {
        showFailure(message, items, firstQuestion: repeated, of: source)
        if let retryAfter { overlay.throttle = Throttle(question.id, for: retryAfter, at: utc) }
      }
    case .undecided(let message): showFailure(message, [], firstQuestion: repeated, of: source)
    case .notice(let message, let target):
      var next = target
      if next == nil, case .screen(let target) = success(of: source) { next = target }
      if let next {
        wiping = .all
        move(to: next, at: utc, &step)
      } else if !hasEnded {
        returnToForm(after: source)
      }
      overlay.notice = message
    // Handled in `handleAnswer`.
    case .challenge: break
    }
    advance(from: before)
    moveFocus()
    makeInitialRequests(first, &step)
    return .shown(step.effects, wiping: wiping)
  }

  /// Applies what the flow defines for an accepted request: a scene or another screen.
  mutating func follow(
    _ success: Screen.Success, _ request: AcceptedRequest, at utc: UInt64?, _ step: inout StepDraft
  ) {
    switch success {
    case .scene(let scene):
      // The form is cleared, so the scene can get the values that were in it only from the machine.
      let values = draft.plainValues(on: screen)
      shelf = []
      let hidden = hiddenItems
      draft = Draft(of: screen)
      if hasExtras {
        rare.abandonQuestions(&step)
        rare.previous = nil
      }
      // Items that were hidden because of the former values may appear in the cleared form.
      recordAppearances(of: hidden, in: revision + 1)
      phase = .requestSucceeded(
        Scene(
          id: scene, principal: request.principal, data: request.data, values: values, proofs: request.proofs))
    case .screen(let target):
      move(to: target, at: utc, &step)
      rare.previous = request
    }
  }

  /// The accepted request that the next request refers to.
  package var previousRequest: AcceptedRequest? { hasExtras ? rare.previous : nil }

  /// Returns the form to the phase that it has after a request with this trigger has ended.
  mutating func returnToForm(after source: RequestSource) {
    switch source {
    case .submit: phase = phaseOfValues
    case .link(_, let former): phase = phase(after: former)
    case .initial: phase = phaseOnEntry
    }
  }

  /// Shows that a request failed, in the form or in an alert as the flow chooses.
  mutating func showFailure(
    _ message: Message, _ items: [Draft.Remark], firstQuestion: QuestionID?, of source: RequestSource = .submit
  ) {
    phase = .requestFailed(Failure(message: message, firstQuestion: firstQuestion, source: source))
    note(items)
    guard flow.options.failure == .alert else { return }
    var messages = [message]
    for item in items where !messages.contains(item.message) { messages.append(item.message) }
    show(Alert(.failure, messages: messages))
  }

  /// Shows the authenticator's messages about items.
  mutating func note(_ items: [Draft.Remark]) {
    for item in showable(items) { draft.add(item.message, to: item.item) }
  }

  /// The authenticator's messages about items that can be shown. A message about a hidden item is
  /// dropped and is not shown later, even if the item appears.
  func showable(_ items: [Draft.Remark]) -> [Draft.Remark] {
    guard flow.options.showsMarks else { return [] }
    return items.filter { draft.entries.indices.contains($0.item) && !draft.state(of: $0.item).isHidden }
  }
}
