/// Links that make requests.
extension SessionMachine {
  /// The throttled links, on the current screen and on others.
  package var throttledLinks: [ThrottledLink] { extrasBox?.value.rare.throttledLinks ?? [] }

  /// If the link makes a request: the revision in which a request of a link on this screen last
  /// ended. Otherwise 0. A press of the link is stale if it was made before this revision.
  func requestLinksSince(of link: Int) -> UInt64 {
    hasExtras && screen.links[link].request != nil ? rare.requestLinksSince : 0
  }

  /// Whether a link is disabled while other links are enabled.
  func withholds(_ link: Int) -> Bool { withheld(link) != nil }

  /// The links of the current screen that are disabled while others are enabled.
  var withheldLinks: [WithheldLink] { screen.links.indices.compactMap { withheld($0) } }

  /// The link, if it is disabled while other links are enabled; else `nil`. A link is disabled
  /// while it is throttled. A link whose request sends the values is also disabled in two cases:
  /// while the values can be sent only after an edit, and while they are invalid and a press would
  /// not show what is missing.
  private func withheld(_ link: Int) -> WithheldLink? {
    guard screen.hasRequestLinks, let request = screen.links[link].request else { return nil }
    if request.sends == .values, waitsForEdit || !flow.options.showsInvalidItems && !draft.isValid {
      return WithheldLink(link: link, retry: nil)
    }
    return throttledLinks.first { $0.screen == originIndex && $0.link == link }.map {
      WithheldLink(link: link, retry: $0.retry)
    }
  }

  /// Whether a retry would repeat a request that sends no entered values.
  var repeatsWithoutValues: Bool {
    guard case .requestFailed(let failure) = phase else { return false }
    switch failure.source {
    case .submit: return false
    case .link: return failedLinkRequest?.sends == .nothing
    case .initial: return true
    }
  }

  /// The link request that a retry would repeat; `nil` if it would repeat another request or there
  /// is no failed request.
  var failedLinkRequest: Screen.LinkRequest? {
    guard case .requestFailed(let failure) = phase, case .link(let link, _) = failure.source else { return nil }
    return origin.links[link].request
  }

  /// Whether the question, or the conversation to which the question belongs, is about a request
  /// other than the one that a submit makes.
  public func isBesideSubmit(_ id: QuestionID) -> Bool {
    guard case .requestPending(let question) = phase, question.id == id else { return true }
    return (conversation?.source ?? question.source) != .submit
  }

  /// What follows when a request is accepted; `nil` if the screen does not change.
  func success(of source: RequestSource) -> Screen.Success? {
    switch source {
    case .submit: origin.success
    case .link(let link, _): origin.links[link].request?.success
    case .initial(let index): origin.initialRequests[index].success
    }
  }

  /// Makes or repeats the request of a pressed link.
  mutating func makeRequest(
    _ request: Screen.LinkRequest, of link: Int, _ id: QuestionID, at utc: UInt64?, _ step: inout StepDraft
  ) {
    var values: ValidatedValues?
    if request.sends == .values {
      draft.validateDates(of: screen, at: utc)
      guard let valid = draft.validated() else { return showInvalidItems() }
      values = valid
      draft.markAll()
    }
    let (former, first) = formPhase(of: link)
    if hasExtras { overlay.notice = nil }
    draft.removeRemarks()
    let source = RequestSource.link(link, from: values == nil ? former : .validated)
    let question = PendingQuestion(id: id, retryOf: first, source: source)
    phase = .requestPending(question)
    let content = Question.Content.request(request.name, action: origin.links[link].action.id, values)
    step.effects.append(.ask(Question(question, of: nil, on: screen, content, after: previousRequest)))
  }

  /// The phase to which the form returns after a link's request. If the request repeats one that
  /// failed, also the first question of that request.
  private mutating func formPhase(of link: Int) -> (phase: Phase.Name, first: QuestionID?) {
    guard case .requestFailed(let failure) = phase else { return (phase.name, nil) }
    switch failure.source {
    case .link(let failed, let former): return (former, failed == link ? failure.firstQuestion : nil)
    case .submit:
      // The submitted values are unchanged, so the next submit is still a retry.
      if let first = failure.firstQuestion { rare.failedQuestion = first }
      return (phaseOfValues.name, nil)
    case .initial: return (phaseOnEntry.name, nil)
    }
  }

  /// Records that a link's request has ended, so that earlier presses are stale.
  mutating func recordEnd(of source: RequestSource) {
    if case .link = source { rare.requestLinksSince = revision + 1 }
  }

  /// Throttles a link that was pressed too early. The form returns to the phase that it had before
  /// the press, and the message is shown as a notice or an alert.
  mutating func hold(_ link: Int, from former: Phase.Name, because message: Message, _ throttle: Throttle) {
    hold(link, on: originIndex, throttle)
    phase = phase(after: former)
    if flow.options.failure == .alert {
      show(Alert(.failure, messages: [message]))
    } else {
      overlay.notice = message
    }
  }

  /// Repeats a link's request.
  mutating func repeatLinkRequest(_ id: QuestionID, at utc: UInt64?, _ step: inout StepDraft) {
    guard case .requestFailed(let failure) = phase, case .link(let link, _) = failure.source,
      let request = origin.links[link].request
    else { return }
    makeRequest(request, of: link, id, at: utc, &step)
  }

  /// Throttles a link of a screen until `endThrottle` is called with the throttle's question.
  mutating func hold(_ link: Int, on screen: Int, _ throttle: Throttle) {
    rare.throttledLinks.append(
      ThrottledLink(screen: screen, link: link, question: throttle.question, retry: throttle.retry))
  }

  /// Ends the throttle of a link.
  mutating func release(_ question: QuestionID) {
    guard let index = throttledLinks.firstIndex(where: { $0.question == question }) else { return }
    let isHere = rare.throttledLinks.remove(at: index).screen == originIndex && conversation == nil
    if isHere, notice?.code == EngineMessage.throttled.rawValue { overlay.notice = Message(.throttleOver) }
  }
}
