/// Links that make requests of their own, beside the submit's.
extension SessionMachine {
  /// The links whose requests are too early for the time being, on this screen and others.
  package var heldLinks: [HeldLink] { extrasBox?.value.rare.heldLinks ?? [] }

  /// The revision since which a link could be pressed, where that is later than the screen: a press that was meant for the time before a request is stale
  /// once that request is decided.
  func requestLinksSince(of link: Int) -> UInt64 {
    hasExtras && screen.links[link].request != nil ? rare.requestLinksSince : 0
  }

  /// Whether a link leads nowhere for the time being, although other links do.
  func withholds(_ link: Int) -> Bool { withheld(link) != nil }

  /// The links of the screen that is shown which lead nowhere for the time being, although others do.
  var withheldLinks: [WithheldLink] { screen.links.indices.compactMap { withheld($0) } }

  /// A link that leads nowhere for the time being, although others do: it is too early for its request, or the request needs valid values and nothing would
  /// tell what is missing.
  private func withheld(_ link: Int) -> WithheldLink? {
    guard screen.hasRequestLinks, let request = screen.links[link].request else { return nil }
    if request.sends == .values, waitsForEdit || !flow.options.tellsWhatIsMissing && !draft.isValid {
      return WithheldLink(link: link, retry: nil)
    }
    return heldLinks.first { $0.screen == originIndex && $0.link == link }.map {
      WithheldLink(link: link, retry: $0.retry)
    }
  }

  /// Whether a retry repeats a request without values, which can be made whatever is entered.
  var repeatsWithoutValues: Bool {
    guard case .requestFailed(let failure) = phase else { return false }
    switch failure.source {
    case .submit: return false
    case .link: return failedLinkRequest?.sends == .nothing
    case .initial: return true
    }
  }

  /// The request that a retry repeats, if that is a link's.
  var failedLinkRequest: Screen.LinkRequest? {
    guard case .requestFailed(let failure) = phase, case .link(let link, _) = failure.source else { return nil }
    return origin.links[link].request
  }

  /// Whether a question, or the conversation that it is part of, is about something else than the submit's request.
  public func isBesideSubmit(_ id: QuestionID) -> Bool {
    guard case .requestPending(let question) = phase, question.id == id else { return true }
    return (conversation?.source ?? question.source) != .submit
  }

  /// What follows when a request is accepted; `nil` if the screen stays as it is.
  func success(of source: RequestSource) -> Screen.Success? {
    switch source {
    case .submit: origin.success
    case .link(let link, _): origin.links[link].request?.success
    case .initial(let index): origin.initialRequests[index].success
    }
  }

  /// A link was pressed that makes a request, or its request is made again.
  mutating func makeRequest(
    _ request: Screen.LinkRequest, of link: Int, _ id: QuestionID, at utc: UInt64?, _ step: inout StepDraft
  ) {
    var values: ValidatedValues?
    if request.sends == .values {
      draft.judgeDates(of: screen, at: utc)
      guard let valid = draft.validated() else { return showWhatIsMissing() }
      values = valid
      draft.markAll()
    }
    let (former, first) = formPhase(of: link)
    if hasExtras { overlay.notice = nil }
    draft.dropRemarks()
    let source = RequestSource.link(link, from: values == nil ? former : .validated)
    let question = PendingQuestion(id: id, retryOf: first, source: source)
    phase = .requestPending(question)
    let content = Question.Content.request(request.name, action: origin.links[link].action.id, values)
    step.effects.append(.ask(Question(question, of: nil, on: screen, content, after: previousRequest)))
  }

  /// The phase in which a link's request leaves the form, and the question that the request repeats.
  private mutating func formPhase(of link: Int) -> (phase: Phase.Name, first: QuestionID?) {
    guard case .requestFailed(let failure) = phase else { return (phase.name, nil) }
    switch failure.source {
    case .link(let failed, let former): return (former, failed == link ? failure.firstQuestion : nil)
    case .submit:
      // The values that came to nothing still stand.
      if let first = failure.firstQuestion { rare.failedQuestion = first }
      return (phaseOfValues.name, nil)
    case .initial: return (phaseOnEntry.name, nil)
    }
  }

  /// Notes that a link's request is over, so that what was pressed before counts no more.
  mutating func noteEnd(of source: RequestSource) {
    if case .link = source { rare.requestLinksSince = revision + 1 }
  }

  /// It was too early for a link's request: the form stands where it stood, and the failure is only something to read.
  mutating func hold(_ link: Int, from former: Phase.Name, because message: Message, _ throttle: Throttle) {
    hold(link, on: originIndex, throttle)
    phase = phase(after: former)
    if flow.options.failure == .alert {
      show(Alert(.failure, messages: [message]))
    } else {
      overlay.notice = message
    }
  }

  /// Makes a link's request again.
  mutating func repeatLinkRequest(_ id: QuestionID, at utc: UInt64?, _ step: inout StepDraft) {
    guard case .requestFailed(let failure) = phase, case .link(let link, _) = failure.source,
      let request = origin.links[link].request
    else { return }
    makeRequest(request, of: link, id, at: utc, &step)
  }

  /// A link of a screen is not to be pressed until `endThrottle` is called with the throttle's question.
  mutating func hold(_ link: Int, on screen: Int, _ throttle: Throttle) {
    rare.heldLinks.append(
      HeldLink(screen: screen, link: link, question: throttle.question, retry: throttle.retry))
  }

  /// Ends the time for which a link is not to be pressed because of the answer to that question.
  mutating func release(_ question: QuestionID) {
    guard let index = heldLinks.firstIndex(where: { $0.question == question }) else { return }
    let isHere = rare.heldLinks.remove(at: index).screen == originIndex && conversation == nil
    if isHere, notice?.code == EngineMessage.throttled.rawValue { overlay.notice = Message(.throttleOver) }
  }
}
