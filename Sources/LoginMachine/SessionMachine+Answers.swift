import LoginForms

/// What an answer leads to.
extension SessionMachine {
  /// What the machine's owner has to do after an answer.
  public enum AnswerOutcome: Equatable, Sendable {
    /// Nobody waits for an answer to this question any more; nothing has changed.
    case late
    /// The answer has changed nothing that is shown.
    case unseen
    /// Nothing beyond the new state.
    case done
    /// Destroy all secrets of the session.
    case wipeSecrets
    /// Call `endThrottle` after so many milliseconds, and destroy all secrets of the session if so.
    case throttled(UInt64, wipesSecrets: Bool = false)
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
    /// Call `failConversation` after so many milliseconds, unless that is to be done already.
    public var expiresIn: UInt64?

    public init(isNew: Bool = false, pollAfter: UInt64? = nil, expiresIn: UInt64? = nil) {
      self.isNew = isNew
      self.pollAfter = pollAfter
      self.expiresIn = expiresIn
    }
  }

  /// The authenticator's answer to a question, or why there is none. `utc` is the time, in milliseconds since 1970.
  public mutating func handleAnswer(_ answer: Answer, to id: QuestionID, at utc: UInt64? = nil) -> AnswerOutcome {
    guard case .requestPending(let question) = phase, question.id == id, isAsking else {
      return handleBeside(answer, to: id, at: utc) ?? .late
    }
    if case .challenge(let challenge) = answer { return showChallenge(challenge, question) }
    let before = primaryPart
    if hasOverlay { overlay.notice = nil }
    let asked = conversationID ?? ConversationID(first: question.id)
    let exit = hasOverlay ? settleConversation(by: answer) : nil
    let hasEnded = exit != nil
    let first = exit.map(\.firstQuestion) ?? question.firstQuestion
    // What comes to nothing within a conversation is about what was entered there.
    let source = exit?.source ?? question.source
    noteEnd(of: source)
    let outcome: AnswerOutcome
    switch answer {
    case .accepted(let principal, let data, let message, let retryAfter, let factors):
      let (origin, success) = (originIndex, success(of: source))
      if let success {
        let step = AcceptedStep(asked, principal: principal, data: data, factors: factors, after: previousStep)
        follow(success, step, at: utc)
      } else if !hasEnded {
        rest(after: source)
      }
      if let message, source != .submit, phase.isOpen { overlay.notice = message }
      if case .link(let link, _) = source, let retryAfter {
        hold(link, on: origin, Throttle(question.id, for: retryAfter, at: utc))
      }
      let wipesSecrets = success != nil || hasEnded
      outcome = retryAfter.map { .throttled($0, wipesSecrets: wipesSecrets) } ?? (wipesSecrets ? .wipeSecrets : .done)
    case .failed(let message, _, let retryAfter?) where source.isLink:
      if case .link(let link, let former) = source {
        hold(link, from: former, because: message, Throttle(question.id, for: retryAfter, at: utc))
      }
      outcome = .throttled(retryAfter)
    case .failed(let message, let items, let retryAfter):
      showFailure(message, items, firstQuestion: first, of: source)
      if let retryAfter {
        overlay.throttle = Throttle(question.id, for: retryAfter, at: utc)
        outcome = .throttled(retryAfter)
      } else {
        outcome = hasEnded ? .wipeSecrets : .done
      }
    case .undecided(let message):
      showFailure(message, [], firstQuestion: first, of: source)
      outcome = .done
    case .notice(let message, let target):
      var next = target
      if next == nil, case .screen(let target) = success(of: source) { next = target }
      outcome = next == nil && !hasEnded ? .done : .wipeSecrets
      if let next {
        move(to: next, at: utc)
      } else if !hasEnded {
        rest(after: source)
      }
      overlay.notice = message
    // Was taken above.
    case .challenge: return .late
    }
    advance(from: before)
    moveFocus()
    return outcome
  }

  /// Goes on with what follows when a request is accepted.
  mutating func follow(_ success: Screen.Success, _ step: AcceptedStep, at utc: UInt64?) {
    switch success {
    case .scene(let scene):
      let values = draft.plainValues(on: screen)
      shelf = []
      draft = Draft(of: screen)
      abandonBeside()
      if hasOverlay { overlay.previous = nil }
      phase = .requestSucceeded(
        Scene(id: scene, principal: step.principal, data: step.data, values: values, factors: step.factors))
    case .screen(let target):
      move(to: target, at: utc)
      overlay.previous = step
    }
  }

  /// What links a request that is made now to the one that was accepted before.
  package var previousStep: AcceptedStep? { hasOverlay ? overlay.previous : nil }

  /// A request is over, and the form goes on.
  mutating func rest(after source: RequestSource) {
    switch source {
    case .submit: phase = phaseOfValues
    case .link(_, let former): phase = phase(after: former)
    case .beginning: phase = phaseOnEntry
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
