/// The state machine of a request that was answered with a challenge, from the first challenge
/// until the authenticator decides. It is a child of the session's machine.
///
/// A conversation knows what the last question was about and which screen the authenticator sent.
/// It knows neither the entered values nor the messages that are shown. Each event either continues
/// the conversation or ends it with an `Exit`, which the session's machine converts into its own
/// state.
struct Conversation: Equatable, Sendable {
  let id: ConversationID
  /// The values of the flow's screen on which the conversation began, without secrets.
  let formerDraft: Draft
  /// The question that a retry repeats after the conversation has ended; `nil` if the form's values
  /// are no longer complete.
  private let firstQuestion: QuestionID?
  /// What triggered the first request.
  let source: RequestSource
  /// The screen that the conversation shows.
  private(set) var screen: ChallengeScreen
  /// The latest resume state from the authenticator.
  private(set) var resume: String?
  private(set) var state: State

  /// The state of a conversation. Each case lists the states that can follow it.
  enum State: Equatable, Sendable {
    /// The user has to enter something. Can transition to `asking`; the conversation can end (left,
    /// expired).
    case entering
    /// The user can only wait. Can transition to `asking(.poll)`; the conversation can end (left,
    /// expired).
    case waiting
    /// A question is open. Can transition to `entering`, `waiting`, `failed`; the conversation can
    /// end (decided, left, expired).
    case asking(Topic)
    /// The last question failed and can be asked again unchanged. Can transition to `asking`,
    /// `entering` (edit); the conversation can end (left, expired).
    case failed(Topic)
  }

  /// What a question in a conversation is about.
  enum Topic: Equatable, Sendable {
    /// The values that the user entered on the challenge's screen.
    case values
    /// The press of a link, with the id of the link.
    case action(String)
    /// Whether the external event that the user waits for has happened.
    case poll
  }

  /// The result of a conversation that has ended. The session's machine uses it to return to the
  /// flow's screen on which the conversation began.
  struct Exit: Equatable, Sendable {
    /// The values of the flow's screen on which the conversation began, without secrets.
    let draft: Draft
    /// The question that a retry repeats; `nil` if the values of the form are no longer complete.
    let firstQuestion: QuestionID?
    /// What triggered the request whose conversation has ended.
    let source: RequestSource
  }

  /// What an answer other than a challenge does to the conversation.
  enum Progress: Equatable, Sendable {
    case continues(Conversation)
    case ended(Exit)
  }

  /// The effect of a further challenge in the same conversation on the screen.
  enum ChallengeEffect: Equatable, Sendable {
    /// The screen stays the same. `isStillWaiting` is true if the user could only wait before the
    /// challenge arrived, and can only wait after it too.
    case sameScreen(isStillWaiting: Bool)
    /// Another screen is shown, or the shown screen is reset to its initial state.
    case newScreen
  }

  /// Starts a conversation when a question is answered with a challenge.
  ///
  /// - Parameters:
  ///   - draft: the draft of the flow's screen on which the request was made, without secrets.
  ///   - isComplete: whether the draft still has all values, so that the first question can be
  ///     repeated.
  init(
    after question: PendingQuestion, with challenge: Challenge, on screen: ChallengeScreen, leaving draft: Draft,
    isComplete: Bool
  ) {
    id = ConversationID(first: question.id)
    firstQuestion = isComplete ? question.firstQuestion : nil
    formerDraft = draft
    source = question.source
    self.screen = screen
    resume = challenge.resume
    state = Conversation.state(after: challenge)
  }

  private static func state(after challenge: Challenge) -> State { challenge.pollAfter == nil ? .entering : .waiting }

  // MARK: Queries

  /// Whether the user can only wait. This is also true while a poll is open.
  var isWaiting: Bool { state == .waiting || state == .asking(.poll) }

  /// Whether a question is open.
  var isAsking: Bool {
    switch state {
    case .asking: true
    case .entering, .waiting, .failed: false
    }
  }

  /// What the last question was about, if that question failed and can be asked again without
  /// values; else `nil`.
  var repeatableTopic: Topic? {
    switch state {
    case .failed(.values), .entering, .waiting, .asking: nil
    case .failed(let topic): topic
    }
  }

  // MARK: Events

  /// Opens a question.
  mutating func ask(_ topic: Topic) { state = .asking(topic) }

  /// Handles an edit. A failed question can no longer be repeated after an edit. Returns whether
  /// the state changed.
  mutating func invalidateForEdit() -> Bool {
    guard case .failed = state else { return false }
    state = .entering
    return true
  }

  /// Applies a challenge that answers the open question.
  mutating func show(_ challenge: Challenge) -> ChallengeEffect {
    let wasWaiting = isWaiting
    state = Conversation.state(after: challenge)
    resume = challenge.resume
    guard let shown = challenge.screen, !(wasWaiting && shown == screen) else {
      return .sameScreen(isStillWaiting: wasWaiting && challenge.pollAfter != nil)
    }
    screen = shown
    return .newScreen
  }

  /// Replaces the screen with its translation.
  mutating func translate(to translation: ChallengeScreen) { screen = translation }

  /// Applies an answer other than a challenge to the open question.
  consuming func settled(by answer: Answer) -> Progress {
    switch answer {
    case .accepted, .notice, .failed(_, _, nil): return .ended(exit)
    case .failed, .undecided, .challenge:
      if case .asking(let topic) = state { state = .failed(topic) }
      return .continues(self)
    }
  }

  /// The result if the conversation ends now, before the authenticator has decided.
  var exit: Exit { Exit(draft: formerDraft, firstQuestion: firstQuestion, source: source) }
}
