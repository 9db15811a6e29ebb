/// What an answer leads to.
extension SessionMachine {
  /// The authenticator's answer to a question, or why there is none. Refused if nobody waits for the answer any more.
  ///
  /// - Parameters:
  ///   - utc: the time, in milliseconds since 1970.
  ///   - first: the number of the first question that follows.
  public mutating func handleAnswer(
    _ answer: Answer, to id: QuestionID, at utc: UInt64? = nil, question first: QuestionID
  ) -> Step {
    guard case .requestPending(let question) = phase, question.id == id, isAsking else {
      return handleInBackground(answer, to: id, at: utc, question: first)
    }
    if case .challenge(let challenge) = answer {
      // Without a screen that could be shown again it is no answer.
      if challenge.screen != nil || conversation != nil { return showChallenge(challenge, question, StepDraft()) }
      return decide(.failed(Message(.invalidAnswer), items: []), question, at: utc, question: first)
    }
    return decide(answer, question, at: utc, question: first)
  }

  /// Goes on with an answer that is no challenge.
  private mutating func decide(
    _ answer: Answer, _ question: PendingQuestion, at utc: UInt64?, question first: QuestionID
  ) -> Step {
    let before = primaryPart
    var step = StepDraft()
    if hasExtras { overlay.notice = nil }
    let asked = conversationID ?? ConversationID(first: question.id)
    let exit = hasExtras ? settleConversation(by: answer, &step) : nil
    let hasEnded = exit != nil
    let repeated = exit.map(\.firstQuestion) ?? question.firstQuestion
    // What comes to nothing within a conversation is about what was entered there.
    let source = exit?.source ?? question.source
    noteEnd(of: source)
    var wiping = hasEnded ? Step.Wiping.all : .nothing
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
    // Was taken before.
    case .challenge: break
    }
    advance(from: before)
    moveFocus()
    makeInitialRequests(first, &step)
    return .shown(step.effects, wiping: wiping)
  }

  /// Goes on with what follows when a request is accepted.
  mutating func follow(
    _ success: Screen.Success, _ request: AcceptedRequest, at utc: UInt64?, _ step: inout StepDraft
  ) {
    switch success {
    case .scene(let scene):
      let values = draft.plainValues(on: screen)
      shelf = []
      let hidden = hiddenItems
      draft = Draft(of: screen)
      if hasExtras {
        rare.abandonQuestions(&step)
        rare.previous = nil
      }
      // A form without values may show what it did not with them.
      noteArrivals(of: hidden, in: revision + 1)
      phase = .requestSucceeded(
        Scene(
          id: scene, principal: request.principal, data: request.data, values: values, proofs: request.proofs))
    case .screen(let target):
      move(to: target, at: utc, &step)
      rare.previous = request
    }
  }

  /// What links a request that is made now to the one that was accepted before.
  package var previousRequest: AcceptedRequest? { hasExtras ? rare.previous : nil }

  /// A request is over, and the form goes on.
  mutating func returnToForm(after source: RequestSource) {
    switch source {
    case .submit: phase = phaseOfValues
    case .link(_, let former): phase = phase(after: former)
    case .initial: phase = phaseOnEntry
    }
  }

  /// Shows that a request came to nothing, as the flow wants failures shown.
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

  /// Shows what the authenticator says of items.
  mutating func note(_ items: [Draft.Remark]) {
    for item in showable(items) { draft.add(item.message, to: item.item) }
  }

  /// What can be shown of what the authenticator says of items: nothing of one that is not on the screen, not even when it comes back.
  func showable(_ items: [Draft.Remark]) -> [Draft.Remark] {
    guard flow.options.showsMarks else { return [] }
    return items.filter { draft.entries.indices.contains($0.item) && !draft.state(of: $0.item).isHidden }
  }
}
