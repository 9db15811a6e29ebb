/// The state machine of a request that an authenticator answered with a challenge, until the authenticator decides: a child of the session's machine.
///
/// A conversation knows what is asked and which screen the authenticator has sent, and nothing of what is entered there or shown beside it. Each event either lets
/// the conversation go on or ends it with an `Exit`, which the session's machine turns into a state of its own.
struct Conversation: Equatable, Sendable {
  let id: ConversationID
  /// What has been entered into the flow's screen that it began on, without secrets.
  let formerDraft: Draft
  /// What a retry of the first question names, if its values still stand when the conversation is over.
  private let firstQuestion: QuestionID?
  /// What made the request that it began with.
  let source: RequestSource
  /// The screen that is shown.
  private(set) var screen: ChallengeScreen
  /// What the authenticator gave last to go on from in another engine.
  private(set) var resume: String?
  private(set) var state: State

  /// Where a conversation stands. Each case says what can follow it.
  enum State: Equatable, Sendable {
    /// The person is to enter something. Can transition to `asking`, to the end (left, expired).
    case entering
    /// The person has nothing to do but to wait. Can transition to `asking(.poll)`, to the end (left, expired).
    case waiting
    /// A question is open. Can transition to `entering`, `waiting`, `failed`, to the end (decided, left, expired).
    case asking(Topic)
    /// The last question came to nothing and can be put again as it was. Can transition to `asking`, `entering` (edit), to the end (left, expired).
    case failed(Topic)
  }

  /// What a question of a conversation can be about.
  enum Topic: Equatable, Sendable {
    /// The screen's values.
    case values
    /// A link was pressed.
    case action(String)
    /// Whether anything has become of it.
    case poll
  }

  /// How a conversation ends: what the session's machine goes on with, on the flow's screen where the conversation began.
  struct Exit: Equatable, Sendable {
    /// What has been entered there, without secrets.
    let draft: Draft
    /// What a retry of the first question names; `nil` if its values do not stand any more.
    let firstQuestion: QuestionID?
    /// What made the request that is over.
    let source: RequestSource
  }

  /// What an answer leads to.
  enum Progress: Equatable, Sendable {
    case continues(Conversation)
    case ended(Exit)
  }

  /// What a challenge changes.
  enum ChallengeEffect: Equatable, Sendable {
    /// The screen is shown already; whether the person goes on waiting for the same.
    case sameScreen(isStillWaiting: Bool)
    /// The screen is another, or the same once more from its beginning.
    case newScreen
  }

  /// The conversation that begins when a question is answered with a challenge.
  ///
  /// - Parameters:
  ///   - draft: what has been entered into the flow's screen, without secrets.
  ///   - isComplete: whether nothing was taken away from it, so that the first question can be put again.
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

  // MARK: What holds

  /// Whether the person has nothing to do but to wait, be it that the authenticator is just being asked.
  var isWaiting: Bool { state == .waiting || state == .asking(.poll) }

  /// Whether a question is open.
  var isAsking: Bool {
    switch state {
    case .asking: true
    case .entering, .waiting, .failed: false
    }
  }

  /// What can be asked again without any value, because it came to nothing.
  var repeatableTopic: Topic? {
    switch state {
    case .failed(.values), .entering, .waiting, .asking: nil
    case .failed(let topic): topic
    }
  }

  // MARK: Events

  /// A question is put.
  mutating func ask(_ topic: Topic) { state = .asking(topic) }

  /// An item was edited, so that the last question cannot be put again as it was. Returns whether that changes anything.
  mutating func noteEdit() -> Bool {
    guard case .failed = state else { return false }
    state = .entering
    return true
  }

  /// The open question was answered with a challenge.
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

  /// The same screen is shown in another language.
  mutating func translate(to translation: ChallengeScreen) { screen = translation }

  /// The open question was answered, and not with a challenge.
  consuming func settled(by answer: Answer) -> Progress {
    switch answer {
    case .accepted, .notice, .failed(_, _, nil): return .ended(exit)
    case .failed, .undecided, .challenge:
      if case .asking(let topic) = state { state = .failed(topic) }
      return .continues(self)
    }
  }

  /// How it ends if it ends now, without a decision.
  var exit: Exit { Exit(draft: formerDraft, firstQuestion: firstQuestion, source: source) }
}
