public import LoginForms

/// A question for the authenticator. Made from validated values only.
public struct Submission: Equatable, Sendable {
  public let attempt: Attempt
  public let screen: Screen
  /// The plain values, and which secrets are filled; the bytes of secrets are added by whoever keeps them. `nil` where no values are handed on.
  public let values: ValidatedValues?
  /// The first question of the conversation that this one goes on with; `nil` for one that begins something.
  public let conversationID: AttemptID?
  /// The link that was pressed instead of entering values.
  public let action: String?
  /// Whether nobody did anything, and only what has become of it is asked.
  public let isPoll: Bool

  init(
    attempt: Attempt, screen: Screen, values: ValidatedValues? = nil, conversationID: AttemptID? = nil,
    action: String? = nil, isPoll: Bool = false
  ) {
    self.attempt = attempt
    self.screen = screen
    self.values = values
    self.conversationID = conversationID
    self.action = action
    self.isPoll = isPoll
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.attempt == right.attempt && left.screen === right.screen && left.values == right.values
      && left.conversationID == right.conversationID && left.action == right.action && left.isPoll == right.isPoll
  }
}

/// What became of a question.
public enum Answer: Equatable, Sendable {
  /// The person is let in, or the screen has done what it was for.
  case accepted(principal: String?, data: [UInt8]?)
  /// The person is not let in, for the time being: what to say, what to say of which item, and for how many milliseconds it is too early to ask again.
  /// It ends a conversation unless it is only too early.
  case failed(Message, items: [Draft.Remark], retryAfter: UInt64? = nil)
  /// Nothing is decided: what to say, and the index of the screen to go on with, if it is not for the flow to say.
  case notice(Message, screen: Int?)
  /// There is more to ask first.
  case challenge(Challenge)
  /// The authenticator could not say anything to it, and why; a conversation goes on.
  case undecided(Message)
}
