/// An authenticator's verdict on a value that it was asked to check.
public enum CheckVerdict: Equatable, Sendable {
  /// The value is valid.
  case valid
  /// The value is invalid, for the reason in the message.
  case invalid(Message)
  /// The value may be valid. The message tells the user something about the value.
  case notice(Message)
  /// The authenticator gave no answer, or an invalid one.
  case unknown
}

/// The check of one item's value by the authenticator.
struct Check: Equatable, Sendable {
  let item: Int
  var stage: Stage

  /// The progress of a check. Each edit of the item ends or restarts the check.
  enum Stage: Equatable, Sendable {
    /// The item was edited, and the check starts as soon as the item has not been edited for a
    /// while. Can transition to `asked`.
    case scheduled
    /// The authenticator was asked and has not answered yet.
    case asked(QuestionID)
  }

  /// The open question of the check; `nil` while the check is only scheduled.
  var question: QuestionID? {
    if case .asked(let question) = stage { question } else { nil }
  }

  /// The effect that ends the check before there is an answer to it.
  var ending: Step.Effect {
    switch stage {
    case .scheduled: .cancelCheck(item: item)
    case .asked(let question): .abandon(question)
    }
  }
}
