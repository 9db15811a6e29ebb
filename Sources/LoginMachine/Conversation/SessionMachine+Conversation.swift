/// The conversation of a session's machine: its questions, challenges and end.
extension SessionMachine {
  private(set) var conversation: Conversation? {
    get { extrasBox?.value.rare.conversation?.value }
    set { rare.conversation = newValue.map { .value($0) } }
  }

  /// The id of the current conversation.
  public var conversationID: ConversationID? { conversation?.id }

  /// The challenge that is shown; `nil` on a screen of the flow.
  public var challenge: ChallengeScreen? { conversation?.screen }

  /// The screen that is shown: one of the flow's screens or a challenge.
  @inlinable public var screenReference: ScreenReference {
    @inline(__always) get { isCovered ? screenUnderCover : .flow(originIndex) }
  }

  /// The screen that is shown while `isCovered` is true: a challenge, or a screen of the flow.
  @usableFromInline var screenUnderCover: ScreenReference {
    conversation.map { .challenge(since: screenSince, $0.screen) } ?? .flow(originIndex)
  }

  /// The flow's screen that is shown, or on which the current conversation began.
  public var origin: Screen { flow.screens[originIndex] }

  /// Whether the user can only wait for an event outside of the form, such as an approval on a
  /// phone.
  public var isWaiting: Bool { hasExtras && conversation?.isWaiting == true }

  /// Whether a question of the pending request is open. A session that waits for an external event
  /// has an open question only during a poll.
  var isAsking: Bool { !hasExtras || conversation?.isAsking != false }

  /// Whether the last question of the conversation failed and can be asked again without values.
  var isRepeatable: Bool { conversation?.repeatableTopic != nil }

  /// The conversation and question to cancel if the session ends now; `nil` if there is no
  /// conversation.
  public var ending: Ending? {
    let questionID = awaitedQuestion
    return (conversationID ?? questionID.map { ConversationID(first: $0) })
      .map { Ending(conversationID: $0, questionID: questionID) }
  }

  // MARK: Asking

  /// Records that a question is asked. Returns the id of the conversation to which the question
  /// belongs; `nil` if the question begins one.
  mutating func noteQuestion(about topic: Conversation.Topic) -> ConversationID? {
    guard hasExtras, var current = conversation else { return nil }
    current.ask(topic)
    conversation = current
    return current.id
  }

  /// Asks the authenticator what to do about the press of a link that only the authenticator
  /// interprets.
  mutating func askAboutLink(
    action: String, _ id: QuestionID, retryOf first: QuestionID? = nil, _ step: inout StepDraft
  ) {
    overlay.notice = nil
    clearRetryState()
    draft.removeRemarks()
    let question = PendingQuestion(id: id, retryOf: first)
    phase = .requestPending(question)
    step.effects.append(
      .ask(Question(question, of: noteQuestion(about: .action(action)), on: screen, .action(action))))
  }

  /// Repeats the last question of the conversation, unless that question was about values. Returns
  /// whether the question was asked.
  mutating func repeatQuestion(_ action: Action, _ id: QuestionID, _ step: inout StepDraft) -> Bool {
    switch conversation?.repeatableTopic {
    case nil, .values: return false
    case .action(let name):
      // Only a retry repeats a question about a link. A submit, which is possible once an alert
      // about the failure was dismissed, sends the screen's values instead.
      guard action == .retry else { return false }
      askAboutLink(action: name, id, retryOf: failedQuestion, &step)
    case .poll:
      let question = PendingQuestion(id: id, retryOf: failedQuestion)
      overlay.notice = nil
      rare.failedQuestion = nil
      step.effects.append(.ask(poll(question)))
    }
    return true
  }

  /// Asks the authenticator whether the event that the user waits for has happened. Refused if the
  /// session no longer waits.
  public mutating func poll(question id: QuestionID) -> Step {
    guard isWaiting, !isAsking else { return .refused }
    return .unseen([.ask(poll(PendingQuestion(id: id, retryOf: nil)))])
  }

  private mutating func poll(_ question: PendingQuestion) -> Question {
    phase = .requestPending(question)
    return Question(question, of: noteQuestion(about: .poll), on: screen, .poll)
  }

  /// Clears the state that an edit invalidates.
  @inline(never) mutating func invalidateForEdit() {
    if var conversation, conversation.invalidateForEdit() { self.conversation = conversation }
    clearRetryState()
  }

  /// Clears the state that keeps the values from being sent again, and the question that a retry
  /// would repeat.
  private mutating func clearRetryState() {
    let current = extras
    guard current.overlay.throttle != nil || current.rare.failedQuestion != nil || current.overlay.waitsForEdit else {
      return
    }
    overlay.throttle = nil
    overlay.waitsForEdit = false
    rare.failedQuestion = nil
  }

  // MARK: Challenges

  /// Shows the challenge with which the authenticator answered a question.
  mutating func showChallenge(_ challenge: Challenge, _ question: PendingQuestion, _ begun: StepDraft) -> Step {
    let before = primaryRole
    var step = begun
    var timing = Step.Timing(pollAfter: challenge.pollAfter, expiresIn: challenge.expiresIn)
    if var current = conversation {
      switch current.show(challenge) {
      case .newScreen:
        timing.isNew = true
        step.effects.append(.challenge(timing))
        enterChallenge(current, &step)
      case .sameScreen(let isStillWaiting):
        conversation = current
        step.effects.append(.challenge(timing))
        let saysNothingNew =
          challenge.error == nil && showsSame(challenge.notice, notice)
          && showsSame(showable(challenge.items), draft.remarks)
        if isStillWaiting, saysNothingNew { return .unseen(step.effects) }
        draft.discardSecrets(of: screen, marks: marksEdits)
      }
    } else if let new = challenge.screen {
      timing.isNew = true
      step.effects.append(.challenge(timing))
      // Discarded values cannot be sent again, so a retry is a new request.
      let isComplete = !question.resumes && !draft.entries.contains { $0.isFilled }
      draft.discardSecrets(of: screen, marks: marksEdits)
      enterChallenge(
        Conversation(after: question, with: challenge, on: new, leaving: draft, isComplete: isComplete),
        &step)
    } else {
      return .refused
    }
    draft.removeRemarks()
    if challenge.pollAfter != nil {
      phase = .requestPending(question)
      note(challenge.items)
    } else if let error = challenge.error {
      // The authenticator has decided about these values, so the next question is not a retry.
      showFailure(error, challenge.items, firstQuestion: nil)
    } else {
      phase = phaseOnEntry
      note(challenge.items)
    }
    overlay.notice = challenge.notice
    advance(from: before)
    moveFocus()
    return .shown(step.effects, wiping: .all)
  }

  /// Replaces the challenge with its translation.
  mutating func translateConversation(to challenge: ChallengeScreen) {
    guard var current = conversation else { return }
    current.translate(to: challenge)
    conversation = current
    translate(to: challenge.screen)
  }

  /// Shows the screen of a conversation's challenge.
  private mutating func enterChallenge(_ entered: Conversation, _ step: inout StepDraft) {
    enter(.challenge(entered.screen), &step)
    conversation = entered
  }

  // MARK: The end

  /// Applies an answer other than a challenge to the conversation. Returns the result of the
  /// conversation if the answer ended it.
  mutating func applyToConversation(by answer: Answer, _ step: inout StepDraft) -> Conversation.Exit? {
    guard let current = conversation else { return nil }
    switch current.settled(by: answer) {
    case .continues(let next):
      conversation = next
      return nil
    case .ended(let exit):
      step.effects.append(.forget(current.id))
      goBack(with: exit, &step)
      return exit
    }
  }

  /// Returns to the flow's screen on which the conversation began.
  mutating func goBack(with exit: Conversation.Exit, _ step: inout StepDraft) {
    enter(.flow(originIndex), with: exit.draft, &step)
    phase = phaseOnEntry
  }

  /// Prepares a retry that arrives in one event together with edits. In the state `former`, before
  /// the edits, the view showed a retry button; the edits have already cleared the failure. Returns
  /// the action to perform. Its question is a new one and not a repetition of the failed question,
  /// because the values may differ.
  public mutating func joinRetry(since former: borrowing SessionMachine) -> Action {
    guard case .requestFailed(let failure) = former.phase else { return .retry }
    if failure.source == .submit, !former.isRepeatable { return primaryRole }
    phase = .requestFailed(Failure(message: failure.message, firstQuestion: nil, source: failure.source))
    // Edits do not change the screen, so the conversation is the same.
    if hasExtras || former.hasExtras { conversation = former.conversation }
    return .retry
  }

  /// Ends the conversation because the user leaves it.
  mutating func leaveConversation(_ step: inout StepDraft) {
    guard let conversation, let ending else { return }
    step.effects.append(.end(ending))
    goBack(with: conversation.exit, &step)
  }

  /// Ends a conversation that cannot continue, and shows the message as a failure. Refused if the
  /// conversation has already ended.
  public mutating func failConversation(_ conversationID: ConversationID, _ message: Message) -> Step {
    guard let conversation, conversation.id == conversationID, let ending else { return .refused }
    let before = primaryRole
    let exit = conversation.exit
    var step = StepDraft()
    step.effects.append(.end(ending))
    goBack(with: exit, &step)
    showFailure(message, [], firstQuestion: exit.firstQuestion, of: exit.source)
    advance(from: before)
    moveFocus()
    return .shown(step.effects, wiping: .all)
  }
}
