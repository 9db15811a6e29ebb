public import LoginForms

/// The conversation that a session's machine has under way, and what the machine makes of its steps and of its end.
extension SessionMachine {
  private(set) var conversation: Conversation? {
    get { overlayBox?.value.conversation?.value }
    set { overlay.conversation = newValue.map { .value($0) } }
  }

  /// The number of the conversation that is under way.
  public var conversationID: ConversationID? { conversation?.id }

  /// The challenge that is shown.
  public var challenge: ChallengeScreen? { conversation?.screen }

  /// Which screen is shown.
  @inlinable public var screenReference: ScreenReference {
    @inline(__always) get { overlayBox == nil ? .flow(originIndex) : screenUnderOverlay }
  }

  /// Which screen is shown while a machine has an overlay, which may hold a conversation.
  @usableFromInline var screenUnderOverlay: ScreenReference {
    conversation.map { .challenge(since: screenSince, $0.screen) } ?? .flow(originIndex)
  }

  /// The flow's screen that is shown, or that the conversation under way began on.
  public var origin: Screen { flow.screens[originIndex] }

  /// Whether the person has nothing to do but to wait for what the authenticator waits for.
  public var isWaiting: Bool { hasOverlay && conversation?.isWaiting == true }

  /// Whether a question is open where one can be: while there is something to wait for, that is so only now and then.
  var isAsking: Bool { !hasOverlay || conversation?.isAsking != false }

  /// Whether the last question of a conversation came to nothing and can be put again without any value.
  var isRepeatable: Bool { conversation?.repeatableTopic != nil }

  /// What there is to cancel if the session ends now.
  public var ending: Ending? {
    let questionID = awaitedQuestion
    return (conversationID ?? questionID.map { ConversationID(first: $0) })
      .map { Ending(conversationID: $0, questionID: questionID) }
  }

  // MARK: Asking

  /// Notes that a question is put. Returns the number of the conversation that it belongs to, if there is one.
  mutating func noteQuestion(about topic: Conversation.Topic) -> ConversationID? {
    guard hasOverlay, var current = conversation else { return nil }
    current.ask(topic)
    conversation = current
    return current.id
  }

  /// A link was pressed that is for the authenticator to understand.
  mutating func askAbout(action: String, _ id: QuestionID, retryOf first: QuestionID? = nil) -> PressOutcome {
    var overlay = overlay
    overlay.notice = nil
    overlay.failedQuestion = nil
    overlay.waitsForEdit = false
    overlay.throttle = nil
    self.overlay = overlay
    draft.dropRemarks()
    let question = PendingQuestion(id: id, retryOf: first)
    phase = .requestPending(question)
    return .ask(Question(question, of: noteQuestion(about: .action(action)), on: screen, .action(action)))
  }

  /// Puts the last question again if it was not about values.
  mutating func repeatQuestion(_ action: Action, _ id: QuestionID) -> PressOutcome? {
    switch conversation?.repeatableTopic {
    case nil, .values: return nil
    // Where a failure is dismissed, the button says something else.
    case .action(let name): return action == .retry ? askAbout(action: name, id, retryOf: failedQuestion) : nil
    case .poll:
      let question = PendingQuestion(id: id, retryOf: failedQuestion)
      overlay.notice = nil
      overlay.failedQuestion = nil
      return .ask(poll(question))
    }
  }

  /// Asks what has become of what the person waits for. `nil` if nobody waits any more.
  public mutating func poll(question id: QuestionID) -> Question? {
    guard isWaiting, !isAsking else { return nil }
    return poll(PendingQuestion(id: id, retryOf: nil))
  }

  private mutating func poll(_ question: PendingQuestion) -> Question {
    phase = .requestPending(question)
    return Question(question, of: noteQuestion(about: .poll), on: screen, .poll)
  }

  /// What an edit makes void.
  @inline(never) mutating func noteEdit() {
    var overlay = overlay
    var isFirstEdit = false
    if var conversation = overlay.conversation?.value, conversation.noteEdit() {
      isFirstEdit = true
      overlay.conversation = .value(conversation)
    }
    guard overlay.throttle != nil || overlay.failedQuestion != nil || overlay.waitsForEdit || isFirstEdit else {
      return
    }
    overlay.throttle = nil
    overlay.failedQuestion = nil
    overlay.waitsForEdit = false
    self.overlay = overlay
  }

  // MARK: Being asked

  /// Shows a challenge, with which the authenticator has answered a question.
  mutating func showChallenge(_ challenge: Challenge, _ question: PendingQuestion) -> AnswerOutcome {
    let before = primaryPart
    var timing = Timing(pollAfter: challenge.pollAfter, expiresIn: challenge.expiresIn)
    if var current = conversation {
      switch current.show(challenge) {
      case .newScreen:
        timing.isNew = true
        enterChallenge(current)
      case .sameScreen(let isStillWaiting):
        conversation = current
        let saysNothingNew =
          challenge.error == nil && showsSame(challenge.notice, notice)
          && showsSame(showable(challenge.items), draft.remarks)
        if isStillWaiting, saysNothingNew { return .unchanged(timing) }
        draft.forgetSecrets(of: screen, marks: marksEdits)
      }
    } else if let new = challenge.screen {
      timing.isNew = true
      // What is given up cannot be sent again, and then a retry is another request.
      let isComplete = !question.resumes && !draft.entries.contains { $0.isFilled }
      draft.forgetSecrets(of: screen, marks: marksEdits)
      enterChallenge(
        Conversation(after: question, with: challenge, on: new, leaving: draft, isComplete: isComplete))
    } else {
      // There is no screen that could be shown again.
      return handleAnswer(.failed(Message(.invalidAnswer), items: []), to: question.id)
    }
    draft.dropRemarks()
    if challenge.pollAfter != nil {
      phase = .requestPending(question)
      note(challenge.items)
    } else if let error = challenge.error {
      // It was decided, so that what is sent next is something new.
      showFailure(error, challenge.items, firstQuestion: nil)
    } else {
      phase = phaseOnEntry
      note(challenge.items)
    }
    overlay.notice = challenge.notice
    advance(from: before)
    moveFocus()
    return .challenged(timing)
  }

  /// Shows the challenge in another language.
  mutating func translateConversation(to challenge: ChallengeScreen) {
    guard var current = conversation else { return }
    current.translate(to: challenge)
    conversation = current
    translate(to: challenge.screen)
  }

  /// Goes on to the screen of a conversation's challenge.
  private mutating func enterChallenge(_ entered: Conversation) {
    enter(.challenge(entered.screen))
    conversation = entered
  }

  // MARK: The end

  /// Lets the conversation, if there is one, take an answer other than a challenge. Returns how it ended, if it did.
  mutating func settleConversation(by answer: Answer) -> Conversation.Exit? {
    guard let current = conversation else { return nil }
    switch current.settled(by: answer) {
    case .continues(let next):
      conversation = next
      return nil
    case .ended(let exit):
      goBack(with: exit)
      return exit
    }
  }

  /// Goes back to the flow's screen where a conversation began.
  mutating func goBack(with exit: Conversation.Exit) {
    enter(.flow(originIndex), with: exit.draft)
    phase = phaseOnEntry
  }

  /// What a retry does that comes with edits since `former`, where the view shows it: these have ended the failure. With other values it is another question.
  public mutating func joinRetry(since former: borrowing SessionMachine) -> Action {
    guard case .requestFailed(let failure) = former.phase else { return .retry }
    if failure.source == .submit, !former.isRepeatable { return primaryPart }
    phase = .requestFailed(Failure(message: failure.message, firstQuestion: nil, source: failure.source))
    // Edits do not change the screen, so that it is the same conversation.
    if hasOverlay || former.hasOverlay { conversation = former.conversation }
    return .retry
  }

  /// Ends the conversation for the person.
  mutating func leaveConversation() -> PressOutcome {
    guard let conversation, let ending else { return .refused }
    goBack(with: conversation.exit)
    return .end(ending)
  }

  /// The conversation of that number cannot go on, and why. Returns what there is to cancel; `nil` if it is over already.
  public mutating func failConversation(_ conversationID: ConversationID, _ message: Message) -> Ending? {
    guard let conversation, conversation.id == conversationID, let ending else { return nil }
    let before = primaryPart
    let exit = conversation.exit
    goBack(with: exit)
    showFailure(message, [], firstQuestion: exit.firstQuestion, of: exit.source)
    advance(from: before)
    moveFocus()
    return ending
  }
}
