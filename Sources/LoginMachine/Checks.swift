public import LoginForms

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

extension Beginnings {
  /// The check of an item's value.
  struct Check: Equatable, Sendable {
    let item: Int
    var stage: Stage

    /// How far a check is. Each edit of the item leads back to `edited`, or ends the check.
    enum Stage: Equatable, Sendable {
      /// The item was edited. Can transition to `resting`.
      case edited
      /// The machine's owner knows, and waits until nobody has edited the item for some time. Can transition to `asked`.
      case resting
      /// The authenticator was asked.
      case asked(QuestionID)
    }

    /// The question that is open, if there is one.
    var question: QuestionID? {
      if case .asked(let question) = stage { question } else { nil }
    }
  }

  /// Ends the check of an item.
  mutating func endCheck(of item: Int) {
    guard let place = checks.firstIndex(where: { $0.item == item }) else { return }
    abandoned += checks.remove(at: place).question.map { [$0] } ?? []
  }
}
