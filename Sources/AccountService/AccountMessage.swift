import AccountStore

/// Every code of a message or reason that the built-in accounts answer with. There are no others: answers are made of
/// these.
public enum AccountMessage: String, CaseIterable, Sendable {
  /// No such account, or not its password.
  case invalidCredentials
  /// Something is wrong with what an account was to be made of; the items' messages say what.
  case registrationRefused
  case emailMissing = "email.missing"
  case emailInvalid = "email.invalid"
  case emailTaken = "email.taken"
  case userNameMissing = "userName.missing"
  case userNameInvalid = "userName.invalid"
  case userNameTaken = "userName.taken"
  case passwordMissing = "password.missing"
  /// With the parameter `length`, the fewest characters.
  case passwordTooShort = "password.tooShort"
  /// Holds NUL or is too long.
  case valueUnusable = "value.unusable"
  /// Wrong, used, expired, tried too often, or for an address without an account.
  case resetCodeInvalid = "resetCode.invalid"
  /// A code was mailed if there is an account.
  case resetSent
  /// The new password is set.
  case resetDone
}

extension AccountMessage {
  init(_ problem: ValueProblem, of field: AccountField, _ request: Request) {
    self =
      switch field {
      case .email: Self.email(problem)
      case .userName: Self.userName(problem)
      case .identifier: request.identifierField == .userName ? Self.userName(problem) : Self.email(problem)
      case .password: Self.password(problem)
      case .resetCode: .resetCodeInvalid
      }
  }

  private static func email(_ problem: ValueProblem) -> AccountMessage {
    switch problem {
    case .missing: .emailMissing
    case .unusable: .valueUnusable
    case .invalid, .tooShort: .emailInvalid
    case .taken: .emailTaken
    }
  }

  private static func userName(_ problem: ValueProblem) -> AccountMessage {
    switch problem {
    case .missing: .userNameMissing
    case .unusable: .valueUnusable
    case .invalid, .tooShort: .userNameInvalid
    case .taken: .userNameTaken
    }
  }

  private static func password(_ problem: ValueProblem) -> AccountMessage {
    switch problem {
    case .missing: .passwordMissing
    case .tooShort: .passwordTooShort
    case .unusable, .invalid, .taken: .valueUnusable
    }
  }
}

extension Request {
  /// The name under which a login's identifier came; of no meaning for the other tasks.
  var identifierField: Field {
    if case .login(_, let field) = task { field } else { .email }
  }
}
