public import LoginForms

/// A question for the authenticator. Made from validated values only.
public struct Submission: Equatable, Sendable {
  public let attempt: Attempt
  public let screen: Screen
  /// The plain values, and which secrets are filled; the bytes of secrets are added by whoever keeps them.
  public let values: ValidatedValues

  public static func == (left: Self, right: Self) -> Bool {
    left.attempt == right.attempt && left.screen === right.screen && left.values == right.values
  }
}

/// What became of a question.
public enum Answer: Equatable, Sendable {
  /// The person is let in, or the screen has done what it was for.
  case accepted(principal: String?, data: [UInt8]?)
  /// The person is not let in, for the time being: what to say, what to say of which item, and for how many milliseconds it is too early to ask again.
  case failed(Message, items: [Draft.Answer], retryAfter: UInt64? = nil)
  /// Nothing is decided: what to say, and the index of the screen to go on with, if it is not for the flow to say.
  case notice(Message, screen: Int?)
}
