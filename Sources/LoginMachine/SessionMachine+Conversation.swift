public import LoginForms

/// Requests that are answered with a challenge, and with another, until it is known what became of them.
extension SessionMachine {
  /// The conversation that is under way.
  private var conversation: Conversation? {
    get { rare?.value.conversation?.value }
    set { aside.conversation = newValue.map { .value($0) } }
  }

  /// The number of the first question of the conversation that is under way.
  public var conversationID: AttemptID? { conversation?.id }

  /// The challenge that is shown.
  public var challenge: ChallengeScreen? { conversation?.screen }

  /// The index of the screen that the conversation under way began on, or else of the current screen.
  public var originIndex: Int {
    screenIndex < flow.screens.count ? screenIndex : conversation?.origin ?? flow.start
  }

  /// The screen that the conversation under way began on, or else the current one.
  public var origin: Screen { flow.screens[originIndex] }

  /// What has been entered into that screen, while a challenge is shown.
  var originDraft: Draft? { conversation?.draft }

  /// Whether the person has nothing to do but to wait for what the authenticator waits for.
  public var isWaiting: Bool {
    guard rare != nil, let conversation, case .requestPending = phase else { return false }
    return conversation.pollAfter != nil
  }

  /// Whether a question is in flight where one can be: while there is something to wait for, that is so only now and then.
  var isAsking: Bool { rare == nil || conversation?.isAsking != false }

  /// Whether the last question of a conversation came to nothing and can be put again without any value.
  var isRepeatable: Bool { conversation.map { $0.isRepeatable && $0.ask != .values } ?? false }

  /// What there is to call off if the session ends now.
  public var ending: Ending? {
    var questionID: AttemptID?
    if case .requestPending(let attempt) = phase, isAsking { questionID = attempt.id }
    return (conversationID ?? questionID).map { Ending(conversationID: $0, questionID: questionID) }
  }

  // MARK: Asking

  /// Notes that a question is put. Returns the number of the conversation that it belongs to, if there is one.
  mutating func beginAsking(_ ask: Conversation.Ask) -> AttemptID? {
    guard !hasNothingAside, var current = conversation else { return nil }
    current.ask = ask
    current.isAsking = true
    current.isRepeatable = false
    if ask != .poll { current.pollAfter = nil }
    conversation = current
    return current.id
  }

  /// A link was pressed that is for the authenticator to understand.
  mutating func submit(action: String, _ id: AttemptID, retryOf first: AttemptID? = nil) -> PressOutcome {
    var aside = aside
    aside.notice = nil
    aside.unsettled = nil
    aside.throttle = nil
    self.aside = aside
    draft.dropRemarks()
    let attempt = Attempt(id: id, retryOf: first)
    phase = .requestPending(attempt)
    return .submit(
      Submission(attempt: attempt, screen: screen, conversationID: beginAsking(.action(action)), action: action))
  }

  /// Puts the last question again if it was not about values.
  mutating func repeated(_ action: Action, _ id: AttemptID) -> PressOutcome? {
    guard let conversation, conversation.isRepeatable else { return nil }
    switch conversation.ask {
    case .values: return nil
    // Where a failure is dismissed, the button says something else.
    case .action(let name): return action == .retry ? submit(action: name, id, retryOf: unsettled) : nil
    case .poll:
      let attempt = Attempt(id: id, retryOf: unsettled)
      aside.notice = nil
      aside.unsettled = nil
      return .submit(poll(attempt))
    }
  }

  /// Asks what has become of what the person waits for. `nil` if nobody waits any more.
  public mutating func poll(_ id: AttemptID) -> Submission? {
    guard isWaiting, !isAsking else { return nil }
    return poll(Attempt(id: id, retryOf: nil))
  }

  private mutating func poll(_ attempt: Attempt) -> Submission {
    phase = .requestPending(attempt)
    return Submission(attempt: attempt, screen: screen, conversationID: beginAsking(.poll), isPoll: true)
  }

  /// What an edit makes void.
  @inline(never) mutating func noteEdit() {
    var aside = aside
    var isRepeatable = false
    if var conversation = aside.conversation?.value, conversation.isRepeatable {
      isRepeatable = true
      conversation.isRepeatable = false
      aside.conversation = .value(conversation)
    }
    guard aside.throttle != nil || aside.unsettled != nil || isRepeatable else { return }
    aside.throttle = nil
    aside.unsettled = nil
    self.aside = aside
  }

  // MARK: Being asked

  /// Shows a challenge.
  mutating func showChallenge(_ challenge: Challenge, _ attempt: Attempt) -> AnswerOutcome {
    let before = primaryPart
    var timing = Timing(pollAfter: challenge.pollAfter, expiresIn: challenge.expiresIn)
    if var current = conversation,
      challenge.screen == nil || current.pollAfter != nil && challenge.screen == current.screen
    {
      let isUnchanged =
        current.pollAfter != nil && challenge.pollAfter != nil && challenge.error == nil
        && challenge.notice == notice && showable(challenge.items) == draft.remarks
      current.isAsking = false
      current.pollAfter = challenge.pollAfter
      conversation = current
      if isUnchanged { return .unchanged(timing) }
      draft.forgetSecrets(of: screen, marks: marksEdits)
    } else if let new = challenge.screen {
      timing.isNew = true
      enter(new, attempt)
    } else {
      // There is no screen that could be shown again.
      return answer(.failed(Message(.invalidAnswer), items: []), to: attempt.id)
    }
    draft.dropRemarks()
    if challenge.pollAfter != nil {
      conversation?.pollAfter = challenge.pollAfter
      phase = .requestPending(attempt)
      note(challenge.items)
    } else if let error = challenge.error {
      // It was decided, so that what is sent next is something new.
      fail(error, challenge.items, firstAttempt: nil)
    } else {
      phase = standingOnEntry
      note(challenge.items)
    }
    aside.notice = challenge.notice
    advance(from: before)
    return .challenged(timing)
  }

  /// Goes on to the screen of a challenge.
  private mutating func enter(_ challenge: ChallengeScreen, _ attempt: Attempt) {
    var entered: Conversation
    if let conversation {
      entered = conversation
      entered.screen = challenge
      entered.isAsking = false
      entered.isRepeatable = false
    } else {
      // What is given up cannot be sent again, and then a retry is another request.
      let isComplete = !draft.entries.contains { $0.isFilled }
      draft.forgetSecrets(of: screen, marks: marksEdits)
      entered = Conversation(
        id: attempt.id, firstAttempt: isComplete ? attempt.retryOf ?? attempt.id : nil, origin: screenIndex,
        draft: draft, screen: challenge)
    }
    entered.pollAfter = nil
    // No two of a session are ever the same.
    replaceScreen(flow.screens.count + Int(truncatingIfNeeded: revision), challenge, Draft(of: challenge.screen))
    conversation = entered
  }

  /// Replaces the screen and what hangs on it.
  private mutating func replaceScreen(_ index: Int, _ challenge: ChallengeScreen?, _ draft: Draft) {
    stand(on: index, challenge)
    self.draft = draft
    screenSince = revision + 1
    primarySince = revision + 1
    var kept = Aside()
    kept.alerts = aside.alerts
    // What is shown anew is another alert.
    kept.alertSince = revision + 1
    aside = kept
  }

  // MARK: The end

  /// The first attempt with the values that stand after an answer that came to nothing.
  func firstAttempt(of attempt: Attempt, _ answer: Answer) -> AttemptID? {
    guard let conversation, ends(answer) else { return attempt.retryOf ?? attempt.id }
    return conversation.firstAttempt
  }

  /// Does with the conversation what an answer other than a challenge calls for. Returns whether there was one that is over.
  mutating func closeConversation(after answer: Answer) -> Bool {
    guard var current = conversation else { return false }
    guard ends(answer) else {
      current.isAsking = false
      current.isRepeatable = true
      conversation = current
      return false
    }
    goBack(current)
    return true
  }

  /// Whether an answer ends a conversation.
  private func ends(_ answer: Answer) -> Bool {
    switch answer {
    case .accepted, .notice: true
    case .failed(_, _, let retryAfter): retryAfter == nil
    case .challenge, .undecided: false
    }
  }

  /// Goes back to where the conversation began.
  private mutating func goBack(_ conversation: Conversation) {
    replaceScreen(conversation.origin, nil, conversation.draft)
    phase = standingOnEntry
  }

  /// Ends the conversation for the person.
  mutating func leaveConversation() -> PressOutcome {
    guard let conversation, let ending else { return .refused }
    goBack(conversation)
    return .end(ending)
  }

  /// The conversation of that number cannot go on, and why. Returns what there is to call off; `nil` if it is over already.
  public mutating func breakOff(_ conversationID: AttemptID, _ message: Message) -> Ending? {
    guard let conversation, conversation.id == conversationID, let ending else { return nil }
    let before = primaryPart
    goBack(conversation)
    fail(message, [], firstAttempt: conversation.firstAttempt)
    advance(from: before)
    return ending
  }
}
