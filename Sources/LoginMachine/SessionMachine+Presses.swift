import LoginForms

/// What a press leads to.
extension SessionMachine {
  /// What whoever keeps the machine has to do after a press.
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
    case .cancel where conversationID != nil: outcome = leaveConversation()
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
      case .ask: outcome = submit(action: screen.links[link].action.id, attempt)
      case .leave: outcome = leaveConversation()
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

  /// Sends the values, or shows what is missing.
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
    draft.dropRemarks()
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

  // MARK: Alerts

  /// Puts an alert behind those that there are.
  mutating func show(_ alert: Alert) {
    aside.alerts.append(alert)
    if aside.alerts.count == 1 { aside.alertSince = revision + 1 }
  }

  /// Ends the alert that is shown.
  private mutating func dismiss() {
    let ended = aside.alerts.removeFirst()
    aside.alertSince = revision + 1
    // The failure was only what the alert said.
    if ended.kind == .failure, case .requestFailed(let failure) = phase {
      phase = standing
      aside.unsettled = failure.firstAttempt
    }
  }
}
