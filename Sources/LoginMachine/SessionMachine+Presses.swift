import LoginForms

/// What a press leads to.
extension SessionMachine {
  /// What the machine's owner has to do after a press.
  public enum PressOutcome: Equatable, Sendable {
    /// The state does not take it.
    case refused
    /// Nothing beyond the new state.
    case done
    /// Ask the authenticator.
    case ask(Question)
    /// Tell the authenticator that nobody waits for an answer to this question any more.
    case cancel(QuestionID)
    /// Destroy the secrets of the screen that was left.
    case wipeSecrets
    /// The conversation was left: destroy the secrets, and tell the authenticator that nobody waits any more.
    case end(Ending)
  }

  /// An action was pressed. `question` is the number to use if the authenticator is asked.
  public mutating func press(_ action: Action, question id: QuestionID) -> PressOutcome {
    guard accepts(action) else { return .refused }
    let before = primaryPart
    let outcome: PressOutcome
    switch action {
    case .submit, .retry:
      if hasOverlay, let repeated = repeatQuestion(action, id) {
        outcome = repeated
      } else {
        outcome = submitValues(id, retryOf: failedQuestion)
      }
    case .cancel where conversationID != nil: outcome = leaveConversation()
    case .cancel:
      guard case .requestPending(let question) = phase else { return .refused }
      phase = phaseOfValues
      overlay.notice = nil
      outcome = .cancel(question.id)
    case .link(let link):
      switch screen.links[link].target {
      case .screen(let target):
        visit(target, values: screen.links[link].values)
        // Who goes elsewhere begins something else.
        if hasOverlay { overlay.previous = nil }
        outcome = .wipeSecrets
      case .ask: outcome = askAbout(action: screen.links[link].action.id, id)
      case .leave: outcome = leaveConversation()
      }
    case .again:
      startAfresh()
      outcome = .wipeSecrets
    case .dismiss:
      dismiss()
      outcome = .done
    }
    advance(from: before)
    return outcome
  }

  /// What a retry names: the first question with the values that still stand, if it came to nothing.
  var failedQuestion: QuestionID? {
    if case .requestFailed(let failure) = phase {
      failure.firstQuestion
    } else {
      hasOverlay ? overlay.failedQuestion : nil
    }
  }

  /// Sends the values, or shows what is missing.
  private mutating func submitValues(_ id: QuestionID, retryOf first: QuestionID?) -> PressOutcome {
    if hasOverlay { overlay.notice = nil }
    guard let values = draft.validated() else {
      phase = .unvalidated
      if flow.options.invalid == .alert {
        show(Alert(.invalid, messages: brokenRules))
      } else {
        draft.markAll()
      }
      return .done
    }
    draft.markAll()
    draft.dropRemarks()
    if hasOverlay { overlay.failedQuestion = nil }
    let question = PendingQuestion(id: id, retryOf: first)
    phase = .requestPending(question)
    let conversationID = noteQuestion(about: .values)
    let previous = hasOverlay && conversationID == nil ? overlay.previous : nil
    return .ask(Question(question, of: conversationID, on: screen, .values(values), after: previous))
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
    overlay.alerts.append(alert)
    if overlay.alerts.count == 1 { overlay.alertSince = revision + 1 }
  }

  /// Ends the alert that is shown.
  private mutating func dismiss() {
    let ended = overlay.alerts.removeFirst()
    overlay.alertSince = revision + 1
    // The failure was only what the alert said.
    if ended.kind == .failure, case .requestFailed(let failure) = phase {
      // What was no question about values does not wait for other values.
      let restarts = flow.options.afterFailure == .initial && !isRepeatable
      phase = restarts ? .initial : phaseOfValues
      overlay.waitsForEdit = restarts && hasEditableItem
      overlay.failedQuestion = failure.firstQuestion
    }
  }

  /// Whether there is anything on the screen to edit.
  private var hasEditableItem: Bool {
    draft.entries.indices.contains { !draft.entries[$0].isHidden && screen.traits[$0].isDisjoint(with: .isFixed) }
  }
}
