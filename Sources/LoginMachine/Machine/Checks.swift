/// An authenticator's verdict on a checked value.
public enum CheckVerdict: Equatable, Sendable {
  /// The value is valid.
  case valid
  /// The value is invalid, with a message.
  case invalid(Message)
  /// A message about a value that may be valid.
  case notice(Message)
  /// There is no answer, or an invalid one.
  case unknown
}

/// The check of an item's value.
struct Check: Equatable, Sendable {
  let item: Int
  var stage: Stage

  /// The progress of a check. Each edit of the item ends or restarts the check.
  enum Stage: Equatable, Sendable {
    /// The item was edited, and the check starts when it has not been edited for a while. Can
    /// transition to `asked`.
    case scheduled
    /// The authenticator was asked.
    case asked(QuestionID)
  }

  /// The open question, if there is one.
  var question: QuestionID? {
    if case .asked(let question) = stage { question } else { nil }
  }

  /// The effect of ending the check without an answer.
  var ending: Step.Effect {
    switch stage {
    case .scheduled: .cancelCheck(item: item)
    case .asked(let question): .abandon(question)
    }
  }
}
