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
  /// The person is let in.
  case accepted(principal: String?, data: [UInt8]?)
  /// The person is not, for the time being: what to say, and what to say of which item.
  case failed(Message, items: [Draft.Answer])
}
