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
  ///
  /// - Parameters:
  ///   - utc: the time, in milliseconds since 1970. A submit judges with it anew what depends on which day it is.
  ///   - former: what the primary action was before edits that are part of the same event, if there were any.
  public mutating func press(
    _ action: Action, question id: QuestionID, at utc: UInt64? = nil, after former: Action? = nil
  ) -> PressOutcome {
    guard accepts(action) else { return .refused }
    let before = former ?? primaryPart
    let ended = action == .dismiss ? alert : nil
    let outcome: PressOutcome
    switch action {
    case .retry where failedLinkRequest != nil: outcome = repeatLinkRequest(id, at: utc)
    case .retry where hasFailedBeginning: outcome = repeatBeginning(id)
    case .submit, .retry:
      if hasOverlay, let repeated = repeatQuestion(action, id) {
        outcome = repeated
      } else {
        outcome = submitValues(id, retryOf: failedQuestion, at: utc)
      }
    case .cancel where conversationID != nil: outcome = leaveConversation()
    case .cancel:
      guard case .requestPending(let question) = phase else { return .refused }
      rest(after: question.source)
      overlay.notice = nil
      noteEnd(of: question.source)
      outcome = .cancel(question.id)
    case .link(let link):
      switch screen.links[link].target {
      case .screen(let target):
        visit(target, values: screen.links[link].values, at: utc)
        // Who goes elsewhere begins something else.
        if hasOverlay { overlay.previous = nil }
        outcome = .wipeSecrets
      case .request(let request): outcome = makeRequest(request, of: link, id, at: utc)
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
    if hasOverlay, !phase.isOpen { abandonChecks() }
    advance(from: before)
    moveFocus(after: ended)
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
  private mutating func submitValues(_ id: QuestionID, retryOf first: QuestionID?, at utc: UInt64?) -> PressOutcome {
    if hasOverlay { overlay.notice = nil }
    draft.judgeDates(of: screen, at: utc)
    guard let values = draft.validated() else { return showWhatIsMissing() }
    draft.markAll()
    draft.dropRemarks()
    if hasOverlay { overlay.failedQuestion = nil }
    let question = PendingQuestion(id: id, retryOf: first)
    phase = .requestPending(question)
    let conversationID = noteQuestion(about: .values)
    let previous = conversationID == nil ? previousStep : nil
    return .ask(Question(question, of: conversationID, on: screen, .values(values), after: previous))
  }

  /// Says what is wrong with the values, which cannot be sent.
  mutating func showWhatIsMissing() -> PressOutcome {
    if hasOverlay { overlay.notice = nil }
    phase = .unvalidated
    if flow.options.invalid == .alert {
      show(Alert(.invalid, messages: brokenRules))
    } else {
      draft.markAll()
    }
    return .done
  }

  /// What is to be said of all values that do not meet their rules, without saying anything twice.
  private var brokenRules: [Message] {
    var messages: [Message] = []
    for index in draft.entries.indices where !draft.state(of: index).isHidden {
      let rules = screen.items[index].rules
      for rule in rules.indices where draft.state(of: index).failing.contains(rule) {
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
      let restarts = flow.options.afterFailure == .initial && !isRepeatable && !repeatsWithoutValues
      if restarts { phase = .initial } else { rest(after: failure.source) }
      if restarts { overlay.waitsForEdit = hasEditableItem }
      if failure.source == .submit { overlay.failedQuestion = failure.firstQuestion }
    }
  }

  /// Whether there is anything on the screen to edit.
  private var hasEditableItem: Bool {
    draft.entries.indices.contains { !draft.state(of: $0).isHidden && screen.traits[$0].isDisjoint(with: .isFixed) }
  }
}
