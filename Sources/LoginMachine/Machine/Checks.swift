/// What an authenticator says of a value that it was asked to check.
public enum CheckVerdict: Equatable, Sendable {
  /// Nothing is wrong with the value.
  case valid
  /// The value will not do, and why.
  case invalid(Message)
  /// Something to read about the value, which may well do.
  case notice(Message)
  /// There is no answer, or none that is one.
  case unknown
}

/// The check of an item's value.
struct Check: Equatable, Sendable {
  let item: Int
  var stage: Stage

  /// How far a check is. Each edit of the item ends the check or makes another.
  enum Stage: Equatable, Sendable {
    /// The item was edited, and its check is scheduled for when nobody has edited it for some time. Can transition to `asked`.
    case scheduled
    /// The authenticator was asked.
    case asked(QuestionID)
  }

  /// The question that is open, if there is one.
  var question: QuestionID? {
    if case .asked(let question) = stage { question } else { nil }
  }

  /// What there is to do when it ends without an answer.
  var ending: Step.Effect {
    switch stage {
    case .scheduled: .cancelCheck(item: item)
    case .asked(let question): .abandon(question)
    }
  }
}
