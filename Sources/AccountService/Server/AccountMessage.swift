import Accounts

/// Every code of a message or a reason in the service's answers to the engine.
package enum AccountMessage: String, CaseIterable, Sendable {
  /// The account does not exist, or the password is wrong.
  case invalidCredentials
  /// Logins with this name have failed so often that passwords are no longer checked for this name.
  case tooManyFailures
  /// The password is right, but an administrator has disabled the account.
  case accountDisabled
  /// A value of the new account is refused. The messages at the items give the reasons.
  case registrationRefused
  case emailMissing = "email.missing"
  case emailInvalid = "email.invalid"
  case emailTaken = "email.taken"
  /// The new email address is the account's current one.
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
  /// The code for a new password is wrong, used or expired, was entered too often, or belongs to an
  /// address without an account.
  case resetCodeInvalid = "resetCode.invalid"
  /// A code for a new password was mailed, if the address has an account.
  case resetSent
  /// The new password is set.
  case resetDone
  /// The new password is set. In addition, passkeys and other factors were removed, because they
  /// were registered before a mailed code had proved that the user owns the address.
  case resetDoneTaking = "resetDone.taking"
  case recoveryCodeMissing = "recoveryCode.missing"
  /// The recovery code is wrong or was already used.
  case recoveryCodeInvalid = "recoveryCode.invalid"
  /// There were so many wrong recovery codes that the login has ended.
  case recoveryCodeTooManyAttempts = "recoveryCode.tooManyTries"
  case oneTimeCodeMissing = "oneTimeCode.missing"
  /// The one-time code is wrong or was already used.
  case oneTimeCodeInvalid = "oneTimeCode.invalid"
  /// There were so many wrong one-time codes that the login has ended.
  case oneTimeCodeTooManyAttempts = "oneTimeCode.tooManyTries"
  case emailCodeMissing = "emailCode.missing"
  /// The mailed code is wrong or has expired.
  case emailCodeInvalid = "emailCode.invalid"
  /// There were so many wrong mailed codes that the sign-up has ended.
  case emailCodeTooManyAttempts = "emailCode.tooManyTries"
  /// A code was mailed to the address.
  case emailCodeSent = "emailCode.sent"
  /// There were so many wrong one-time codes or recovery codes that no code of this kind is checked
  /// any more.
  case oneTimeCodeLocked = "oneTimeCode.locked"
  case recoveryCodeLocked = "recoveryCode.locked"
  /// A recovery code was used. The parameters are `number`, the position of this code, `count`, the
  /// number of codes, and `left`, the number of codes that can still be used.
  case recoveryCodeUsed = "recoveryCode.used"
  case passkeyMissing = "passkey.missing"
  /// The passkey's answer is not valid, or the passkey cannot be registered. The log gives the
  /// reason.
  case passkeyInvalid = "passkey.invalid"
  /// There were so many invalid answers by passkeys that the login has ended.
  case passkeyTooManyAttempts = "passkey.tooManyTries"
  case newPasswordMissing = "newPassword.missing"
  /// The new password equals the expired one.
  case newPasswordUnchanged = "newPassword.unchanged"
  case newPasswordRepetitionMissing = "newPassword.repetitionMissing"
  /// The user has typed the new password twice, and the second text differs from the first.
  case newPasswordDifferent = "newPassword.different"
  /// The user took too long to answer the challenge, or the account was changed meanwhile.
  case challengeExpired
  /// The logged-in user's password is wrong.
  case passwordWrong = "password.wrong"
  /// The logged-in user's account does not exist any more.
  case accountGone
  /// The state of an account. The parameters are `userName`, `email`, the numbers of `passkeys` and
  /// `devices`, and `left`, the number of recovery codes left.
  case accountPassword = "account.password"
  case accountOneTimeCodes = "account.oneTimeCodes"
  case accountRecoveryCodes = "account.recoveryCodes"
  /// The change requires that the account has one-time codes, and the account has none.
  case oneTimeCodesMissing = "oneTimeCodes.none"
  /// The account has no passkey, and the view cannot create one.
  case passkeysNone = "passkeys.none"
  case passkeyUnchosen = "passkey.unchosen"
  /// Messages that confirm a change which a logged-in user has made to the account.
  case passwordChanged, oneTimeCodesOn, oneTimeCodesOff, recoveryCodesReplaced
  /// The email address was changed. In addition, passkeys and remembered devices were removed,
  /// because they were registered before a mailed code had proved that the user owns an address.
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

  /// The message for a value of a new account that is refused while the user types it.
  init(ofNew value: RefusedValue) {
    self =
      switch value.field {
      case .email, .identifier: Self.email(value.problem)
      case .userName: Self.userName(value.problem)
      case .password, .resetCode, .recoveryCode: Self.password(value.problem)
      }
  }

  /// The message for a refused address that should replace the account's email address.
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
  /// Whether a login's identifier is an email address or a user name. Has no meaning for other
  /// tasks.
  var identifierField: Field {
    if case .login(_, let field) = task { field } else { .email }
  }
}

extension ValueProblem {
  /// The minimum length, if the value is too short.
  var minimum: Int? { if case .tooShort(let minimum) = self { minimum } else { nil } }
}
