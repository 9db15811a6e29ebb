/// The conversation that a session's machine has under way, and what the machine makes of its steps and of its end.
extension SessionMachine {
  private(set) var conversation: Conversation? {
    get { extrasBox?.value.rare.conversation?.value }
    set { rare.conversation = newValue.map { .value($0) } }
  }

  /// The number of the conversation that is under way.
  public var conversationID: ConversationID? { conversation?.id }

  /// The challenge that is shown.
  public var challenge: ChallengeScreen? { conversation?.screen }

  /// Which screen is shown.
  @inlinable public var screenReference: ScreenReference {
    @inline(__always) get { isCovered ? screenUnderCover : .flow(originIndex) }
  }

  /// Which screen is shown while something lies over the form, which may be a challenge.
  @usableFromInline var screenUnderCover: ScreenReference {
    conversation.map { .challenge(since: screenSince, $0.screen) } ?? .flow(originIndex)
  }

  /// The flow's screen that is shown, or that the conversation under way began on.
  public var origin: Screen { flow.screens[originIndex] }

  /// Whether the person has nothing to do but to wait for what the authenticator waits for.
  public var isWaiting: Bool { hasExtras && conversation?.isWaiting == true }

  /// Whether a question is open where one can be: while there is something to wait for, that is so only now and then.
  var isAsking: Bool { !hasExtras || conversation?.isAsking != false }

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
    guard hasExtras, var current = conversation else { return nil }
    current.ask(topic)
    conversation = current
    return current.id
  }

  /// A link was pressed that is for the authenticator to understand.
  mutating func askAbout(
    action: String, _ id: QuestionID, retryOf first: QuestionID? = nil, _ step: inout StepDraft
  ) {
    overlay.notice = nil
    endHolds()
    draft.dropRemarks()
    let question = PendingQuestion(id: id, retryOf: first)
    phase = .requestPending(question)
    step.effects.append(
      .ask(Question(question, of: noteQuestion(about: .action(action)), on: screen, .action(action))))
  }

  /// Puts the last question again if it was not about values. Returns whether it was put.
  mutating func repeatQuestion(_ action: Action, _ id: QuestionID, _ step: inout StepDraft) -> Bool {
    switch conversation?.repeatableTopic {
    case nil, .values: return false
    case .action(let name):
      // Where a failure is dismissed, the button says something else.
      guard action == .retry else { return false }
      askAbout(action: name, id, retryOf: failedQuestion, &step)
    case .poll:
      let question = PendingQuestion(id: id, retryOf: failedQuestion)
      overlay.notice = nil
      rare.failedQuestion = nil
      step.effects.append(.ask(poll(question)))
    }
    return true
  }

  /// Asks what has become of what the person waits for. Refused if nobody waits any more.
  public mutating func poll(question id: QuestionID) -> Step {
    guard isWaiting, !isAsking else { return .refused }
    return .unseen([.ask(poll(PendingQuestion(id: id, retryOf: nil)))])
  }

  private mutating func poll(_ question: PendingQuestion) -> Question {
    phase = .requestPending(question)
    return Question(question, of: noteQuestion(about: .poll), on: screen, .poll)
  }

  /// What an edit makes void.
  @inline(never) mutating func noteEdit() {
    if var conversation, conversation.noteEdit() { self.conversation = conversation }
    endHolds()
  }

  /// Ends what keeps the values from being sent, and what a retry of them would name.
  private mutating func endHolds() {
    let current = extras
    guard current.overlay.throttle != nil || current.rare.failedQuestion != nil || current.overlay.waitsForEdit else {
      return
    }
    overlay.throttle = nil
    overlay.waitsForEdit = false
    rare.failedQuestion = nil
  }

  // MARK: Being asked

  /// Shows a challenge, with which the authenticator has answered a question.
  mutating func showChallenge(_ challenge: Challenge, _ question: PendingQuestion, _ begun: StepDraft) -> Step {
    let before = primaryPart
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
        draft.forgetSecrets(of: screen, marks: marksEdits)
      }
    } else if let new = challenge.screen {
      timing.isNew = true
      step.effects.append(.challenge(timing))
      // What is given up cannot be sent again, and then a retry is another request.
      let isComplete = !question.resumes && !draft.entries.contains { $0.isFilled }
      draft.forgetSecrets(of: screen, marks: marksEdits)
      enterChallenge(
        Conversation(after: question, with: challenge, on: new, leaving: draft, isComplete: isComplete),
        &step)
    } else {
      return .refused
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
    return .shown(step.effects, wiping: .all)
  }

  /// Shows the challenge in another language.
  mutating func translateConversation(to challenge: ChallengeScreen) {
    guard var current = conversation else { return }
    current.translate(to: challenge)
    conversation = current
    translate(to: challenge.screen)
  }

  /// Goes on to the screen of a conversation's challenge.
  private mutating func enterChallenge(_ entered: Conversation, _ step: inout StepDraft) {
    enter(.challenge(entered.screen), &step)
    conversation = entered
  }

  // MARK: The end

  /// Lets the conversation, if there is one, take an answer other than a challenge. Returns how it ended, if it did.
  mutating func settleConversation(by answer: Answer, _ step: inout StepDraft) -> Conversation.Exit? {
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

  /// Goes back to the flow's screen where a conversation began.
  mutating func goBack(with exit: Conversation.Exit, _ step: inout StepDraft) {
    enter(.flow(originIndex), with: exit.draft, &step)
    phase = phaseOnEntry
  }

  /// What a retry does that comes with edits since `former`, where the view shows it: these have ended the failure. With other values it is another question.
  public mutating func joinRetry(since former: borrowing SessionMachine) -> Action {
    guard case .requestFailed(let failure) = former.phase else { return .retry }
    if failure.source == .submit, !former.isRepeatable { return primaryPart }
    phase = .requestFailed(Failure(message: failure.message, firstQuestion: nil, source: failure.source))
    // Edits do not change the screen, so that it is the same conversation.
    if hasExtras || former.hasExtras { conversation = former.conversation }
    return .retry
  }

  /// Ends the conversation for the person.
  mutating func leaveConversation(_ step: inout StepDraft) {
    guard let conversation, let ending else { return }
    step.effects.append(.end(ending))
    goBack(with: conversation.exit, &step)
  }

  /// The conversation of that number cannot go on, and why. Refused if it is over already.
  public mutating func failConversation(_ conversationID: ConversationID, _ message: Message) -> Step {
    guard let conversation, conversation.id == conversationID, let ending else { return .refused }
    let before = primaryPart
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
