import Accounts

/// Every code of a message or reason in the answers of the service.
package enum AccountMessage: String, CaseIterable, Sendable {
  /// No such account, or a wrong password.
  case invalidCredentials
  /// There were so many failures with this name that no password is checked any more.
  case tooManyFailures
  /// The password is right, but an administrator has disabled the account.
  case accountDisabled
  /// A value of the new account is refused; the items' messages give the reasons.
  case registrationRefused
  case emailMissing = "email.missing"
  case emailInvalid = "email.invalid"
  case emailTaken = "email.taken"
  /// The new address is the current one.
  case emailUnchanged = "email.unchanged"
  case userNameMissing = "userName.missing"
  case userNameInvalid = "userName.invalid"
  case userNameTaken = "userName.taken"
  case passwordMissing = "password.missing"
  /// The password is too short. The parameter `length` is the minimum length.
  case passwordTooShort = "password.tooShort"
  /// The password is on a blocklist or follows a common pattern.
  case passwordCommon = "password.common"
  /// The password consists of words from the service's name or the user's names.
  case passwordGuessable = "password.guessable"
  /// The value contains NUL or is too long.
  case valueUnusable = "value.unusable"
  /// The code is wrong, used or expired, was entered too often, or belongs to an address without an
  /// account.
  case resetCodeInvalid = "resetCode.invalid"
  /// A code was mailed, if there is an account.
  case resetSent
  /// The new password is set.
  case resetDone
  /// As `resetDone`, and passkeys and other factors that were registered before the address was
  /// proved have been removed.
  case resetDoneTaking = "resetDone.taking"
  case recoveryCodeMissing = "recoveryCode.missing"
  /// The code is wrong or used.
  case recoveryCodeInvalid = "recoveryCode.invalid"
  /// There were so many wrong codes that the login has ended.
  case recoveryCodeTooManyAttempts = "recoveryCode.tooManyTries"
  case oneTimeCodeMissing = "oneTimeCode.missing"
  /// The code is wrong or used.
  case oneTimeCodeInvalid = "oneTimeCode.invalid"
  /// There were so many wrong codes that the login has ended.
  case oneTimeCodeTooManyAttempts = "oneTimeCode.tooManyTries"
  case emailCodeMissing = "emailCode.missing"
  /// The code is wrong or has expired.
  case emailCodeInvalid = "emailCode.invalid"
  /// There were so many wrong codes that the sign-up has ended.
  case emailCodeTooManyAttempts = "emailCode.tooManyTries"
  /// A code was mailed to the address.
  case emailCodeSent = "emailCode.sent"
  /// There were so many wrong codes that none of this kind is checked any more.
  case oneTimeCodeLocked = "oneTimeCode.locked"
  case recoveryCodeLocked = "recoveryCode.locked"
  /// A recovery code was used. The parameters `number`, `count` and `left` are its position, the
  /// number of codes, and the number of those that can still be used.
  case recoveryCodeUsed = "recoveryCode.used"
  case passkeyMissing = "passkey.missing"
  /// The passkey's answer is not valid, or the passkey cannot be registered. The log gives the
  /// reason.
  case passkeyInvalid = "passkey.invalid"
  /// There were so many invalid answers that the login has ended.
  case passkeyTooManyAttempts = "passkey.tooManyTries"
  case newPasswordMissing = "newPassword.missing"
  /// The new password equals the expired one.
  case newPasswordUnchanged = "newPassword.unchanged"
  case newPasswordRepetitionMissing = "newPassword.repetitionMissing"
  /// The repetition differs from the new password.
  case newPasswordDifferent = "newPassword.different"
  /// The challenge waited too long, or the account was changed meanwhile.
  case challengeExpired
  /// The logged-in user's password is wrong.
  case passwordWrong = "password.wrong"
  /// The logged-in user's account does not exist any more.
  case accountGone
  /// The state of an account. The parameters are `userName`, `email`, `passkeys` and `devices`
  /// (their numbers), and `left`, the number of recovery codes left.
  case accountPassword = "account.password"
  case accountOneTimeCodes = "account.oneTimeCodes"
  case accountRecoveryCodes = "account.recoveryCodes"
  /// The change needs one-time codes, and the account has none.
  case oneTimeCodesMissing = "oneTimeCodes.none"
  /// The account has no passkey, and the view cannot create one.
  case passkeysNone = "passkeys.none"
  case passkeyUnchosen = "passkey.unchosen"
  /// A logged-in user has changed the account.
  case passwordChanged, oneTimeCodesOn, oneTimeCodesOff, recoveryCodesReplaced
  /// The first proof of an address has removed earlier passkeys and remembered devices.
  case emailChangedTaking = "emailChanged.taking"
  case emailChanged, passkeyAdded, passkeyRemoved, devicesForgotten
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
      case .recoveryCode: .recoveryCodeInvalid
      }
  }

  /// The message for a refused value that is checked while it is typed.
  init(ofNew value: RefusedValue) {
    self =
      switch value.field {
      case .email, .identifier: Self.email(value.problem)
      case .userName: Self.userName(value.problem)
      case .password, .resetCode, .recoveryCode: Self.password(value.problem)
      }
  }

  /// The message for a refused new address.
  init(newEmail problem: ValueProblem) {
    self = problem == .unchanged ? .emailUnchanged : Self.email(problem)
  }

  /// The message for a refused password that should replace an expired one.
  init(newPassword problem: ValueProblem) {
    self =
      switch problem {
      case .missing: .newPasswordMissing
      case .unchanged: .newPasswordUnchanged
      case .tooShort, .unusable, .invalid, .taken, .common, .guessable: Self.password(problem)
      }
  }

  private static func email(_ problem: ValueProblem) -> AccountMessage {
    switch problem {
    case .missing: .emailMissing
    case .unusable: .valueUnusable
    case .invalid, .tooShort, .unchanged, .common, .guessable: .emailInvalid
    case .taken: .emailTaken
    }
  }

  private static func userName(_ problem: ValueProblem) -> AccountMessage {
    switch problem {
    case .missing: .userNameMissing
    case .unusable: .valueUnusable
    case .invalid, .tooShort, .unchanged, .common, .guessable: .userNameInvalid
    case .taken: .userNameTaken
    }
  }

  private static func password(_ problem: ValueProblem) -> AccountMessage {
    switch problem {
    case .missing: .passwordMissing
    case .tooShort: .passwordTooShort
    case .common: .passwordCommon
    case .guessable: .passwordGuessable
    case .unusable, .invalid, .taken, .unchanged: .valueUnusable
    }
  }
}

extension Request {
  /// The field name that a login's identifier had. Without meaning for other tasks.
  var identifierField: Field {
    if case .login(_, let field) = task { field } else { .email }
  }
}

extension ValueProblem {
  /// The minimum length, if the value is too short.
  var minimum: Int? { if case .tooShort(let minimum) = self { minimum } else { nil } }
}
