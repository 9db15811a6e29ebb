import LoginForms

/// What an answer leads to.
extension SessionMachine {
  /// What the machine's owner has to do after an answer.
  public enum AnswerOutcome: Equatable, Sendable {
    /// Nobody waits for an answer to this question any more; nothing has changed.
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
    /// Call `failConversation` after so many milliseconds, unless that is to be done already.
    public var expiresIn: UInt64?

    public init(isNew: Bool = false, pollAfter: UInt64? = nil, expiresIn: UInt64? = nil) {
      self.isNew = isNew
      self.pollAfter = pollAfter
      self.expiresIn = expiresIn
    }
  }

  /// The authenticator's answer to a question, or why there is none.
  public mutating func handleAnswer(_ answer: Answer, to id: QuestionID) -> AnswerOutcome {
    guard case .requestPending(let question) = phase, question.id == id, isAsking else { return .late }
    if case .challenge(let challenge) = answer { return showChallenge(challenge, question) }
    let before = primaryPart
    if hasOverlay { overlay.notice = nil }
    let asked = conversationID ?? ConversationID(first: question.id)
    let exit = hasOverlay ? settleConversation(by: answer) : nil
    let hasEnded = exit != nil
    let first = exit.map(\.firstQuestion) ?? question.firstQuestion
    let outcome: AnswerOutcome
    switch answer {
    case .accepted(let principal, let data):
      outcome = .wipeSecrets
      let previous = hasOverlay ? overlay.previous : nil
      let step = AcceptedStep(asked, principal: principal, data: data, after: previous)
      switch screen.success {
      case .scene(let scene):
        shelf = []
        draft = Draft(of: screen)
        if hasOverlay { overlay.previous = nil }
        phase = .requestSucceeded(Scene(id: scene, principal: step.principal, data: step.data))
      case .screen(let target):
        move(to: target)
        overlay.previous = step
      }
    case .failed(let message, let items, let retryAfter):
      showFailure(message, items, firstQuestion: first)
      if let retryAfter {
        overlay.throttle = question.id
        outcome = .throttled(retryAfter)
      } else {
        outcome = hasEnded ? .wipeSecrets : .done
      }
    case .undecided(let message):
      showFailure(message, [], firstQuestion: first)
      outcome = .done
    case .notice(let message, let target):
      var next = target
      if next == nil, case .screen(let target) = screen.success { next = target }
      outcome = next == nil && !hasEnded ? .done : .wipeSecrets
      if let next {
        move(to: next)
      } else if !hasEnded {
        phase = phaseOfValues
      }
      overlay.notice = message
    // Was taken above.
    case .challenge: return .late
    }
    advance(from: before)
    return outcome
  }

  /// Shows that a request came to nothing, as the flow wants failures shown.
  mutating func showFailure(_ message: Message, _ items: [Draft.Remark], firstQuestion: QuestionID?) {
    phase = .requestFailed(Failure(message: message, firstQuestion: firstQuestion))
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
    return items.filter { draft.entries.indices.contains($0.item) && !draft.entries[$0.item].isHidden }
  }
}
