/// Handling presses.
extension SessionMachine {
  /// Handles a press. Refused unless `accepts(action)`.
  ///
  /// - Parameters:
  ///   - id: the id for the question that the press asks or, if it enters a screen, for the first
  ///     question of the screen's initial requests.
  ///   - utc: the time, in milliseconds since 1970. A submit uses it to validate rules that depend
  ///     on the day.
  ///   - former: if the event also contains edits, the primary action before them.
  public mutating func press(
    _ action: Action, question id: QuestionID, at utc: UInt64? = nil, after former: Action? = nil
  ) -> Step {
    guard accepts(action) else { return .refused }
    return handlePress(action, question: id, at: utc, after: former ?? primaryRole)
  }

  /// Cancels the pending request, even if the flow does not let users cancel, and even while an
  /// alert is shown. Refused if no request is pending.
  ///
  /// - Parameter id: if the cancellation enters a screen, the id for the first question of the
  ///   screen's initial requests.
  public mutating func giveUp(question id: QuestionID) -> Step {
    guard case .requestPending = phase else { return .refused }
    return handlePress(.cancel, question: id, at: nil, after: primaryRole)
  }

  private mutating func handlePress(
    _ action: Action, question id: QuestionID, at utc: UInt64?, after before: Action
  ) -> Step {
    let ended = action == .dismiss ? alert : nil
    var step = StepDraft()
    var wiping = Step.SecretWiping.nothing
    switch action {
    case .retry where failedLinkRequest != nil: repeatLinkRequest(id, at: utc, &step)
    case .retry where hasFailedInitialRequest: repeatInitialRequest(id, &step)
    case .submit, .retry:
      if hasExtras, repeatQuestion(action, id, &step) { break }
      submitValues(id, retryOf: failedQuestion, at: utc, &step)
    case .cancel where conversationID != nil:
      wiping = .all
      leaveConversation(&step)
    case .cancel: cancelRequest(&step)
    case .link(let link):
      switch screen.links[link].target {
      case .screen(let target):
        wiping = .all
        show(screen: target, values: screen.links[link].values, at: utc, &step)
        // The requests that the user makes on another screen do not continue the accepted one.
        if hasExtras { rare.previous = nil }
      case .request(let request): makeRequest(request, of: link, id, at: utc, &step)
      case .ask: askAboutLink(action: screen.links[link].action.id, id, &step)
      case .leave:
        wiping = .all
        leaveConversation(&step)
      }
    case .again:
      wiping = .all
      startAgain(&step)
    case .dismiss: dismiss()
    }
    if hasExtras, !phase.isOpen { abandonChecks(&step) }
    advance(from: before)
    moveFocus(after: ended)
    makeInitialRequests(id, &step)
    return .shown(step.effects, wiping: wiping)
  }

  /// Cancels the pending request and abandons its question.
  private mutating func cancelRequest(_ step: inout StepDraft) {
    guard case .requestPending(let question) = phase else { return }
    returnToForm(after: question.source)
    overlay.notice = nil
    recordEnd(of: question.source)
    step.abandon([question.id])
  }

  /// The question that a retry repeats: the first question that failed with the current values;
  /// `nil` if there is none.
  var failedQuestion: QuestionID? {
    if case .requestFailed(let failure) = phase {
      failure.firstQuestion
    } else {
      hasExtras ? rare.failedQuestion : nil
    }
  }

  /// Sends the values if they are valid; otherwise shows what is missing.
  private mutating func submitValues(
    _ id: QuestionID, retryOf first: QuestionID?, at utc: UInt64?, _ step: inout StepDraft
  ) {
    if hasExtras { overlay.notice = nil }
    draft.validateDates(of: screen, at: utc)
    guard let values = draft.validated() else { return showInvalidItems() }
    draft.markAll()
    draft.removeRemarks()
    if hasExtras { rare.failedQuestion = nil }
    let question = PendingQuestion(id: id, retryOf: first)
    phase = .requestPending(question)
    let conversationID = noteQuestion(about: .values)
    let previous = conversationID == nil ? previousRequest : nil
    step.effects.append(.ask(Question(question, of: conversationID, on: screen, .values(values), after: previous)))
  }

  /// Shows which values are invalid, at the items or in an alert.
  mutating func showInvalidItems() {
    if hasExtras { overlay.notice = nil }
    phase = .unvalidated
    if flow.options.invalid == .alert {
      show(Alert(.invalid, messages: brokenRules))
    } else {
      draft.markAll()
    }
  }

  /// The messages of all rules that values on the screen break, without duplicates.
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

  /// Adds an alert. It is shown as soon as the user has dismissed all alerts that were added before
  /// it.
  mutating func show(_ alert: Alert) {
    overlay.alerts.append(alert)
    if overlay.alerts.count == 1 { overlay.alertSince = revision + 1 }
  }

  /// Dismisses the current alert.
  private mutating func dismiss() {
    let ended = overlay.alerts.removeFirst()
    overlay.alertSince = revision + 1
    // A failure that is shown as an alert is over when the alert is dismissed.
    if ended.kind == .failure, case .requestFailed(let failure) = phase {
      // A question that carries no values can be repeated without an edit.
      let restarts = flow.options.afterFailure == .initial && !isRepeatable && !repeatsWithoutValues
      if restarts { phase = .initial } else { returnToForm(after: failure.source) }
      if restarts { overlay.waitsForEdit = hasEditableItem }
      if failure.source == .submit { rare.failedQuestion = failure.firstQuestion }
    }
  }

  /// Whether the screen has an item that can be edited.
  private var hasEditableItem: Bool {
    draft.entries.indices.contains { !draft.state(of: $0).isHidden && screen.traits[$0].isDisjoint(with: .isFixed) }
  }
}
