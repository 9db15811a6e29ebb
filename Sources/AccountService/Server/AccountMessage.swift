import Accounts

/// Every code of a message or reason that the accounts answer with. There are no others: answers are made of
/// these.
package enum AccountMessage: String, CaseIterable, Sendable {
  /// No such account, or not its password.
  case invalidCredentials
  /// So many tries with this name failed that no password is looked at any more.
  case tooManyFailures
  /// The password is right, but an administrator has disabled the account.
  case accountDisabled
  /// A value of the new account is refused; the items' messages say why.
  case registrationRefused
  case emailMissing = "email.missing"
  case emailInvalid = "email.invalid"
  case emailTaken = "email.taken"
  /// The new address is the one that the account has.
  case emailUnchanged = "email.unchanged"
  case userNameMissing = "userName.missing"
  case userNameInvalid = "userName.invalid"
  case userNameTaken = "userName.taken"
  case passwordMissing = "password.missing"
  /// With the parameter `length`, the fewest characters.
  case passwordTooShort = "password.tooShort"
  /// On a blocklist, or made like the passwords that are tried first.
  case passwordCommon = "password.common"
  /// Made of names of the service or of the person.
  case passwordGuessable = "password.guessable"
  /// Holds NUL or is too long.
  case valueUnusable = "value.unusable"
  /// Wrong, used, expired, tried too often, or for an address without an account.
  case resetCodeInvalid = "resetCode.invalid"
  /// A code was mailed if there is an account.
  case resetSent
  /// The new password is set.
  case resetDone
  /// The same, and passkeys and other factors that were registered before the address was proved are gone.
  case resetDoneTaking = "resetDone.taking"
  case recoveryCodeMissing = "recoveryCode.missing"
  /// Wrong or used.
  case recoveryCodeInvalid = "recoveryCode.invalid"
  /// There were so many wrong codes that the login is over.
  case recoveryCodeTooManyTries = "recoveryCode.tooManyTries"
  case oneTimeCodeMissing = "oneTimeCode.missing"
  /// Wrong or used.
  case oneTimeCodeInvalid = "oneTimeCode.invalid"
  /// There were so many wrong codes that the login is over.
  case oneTimeCodeTooManyTries = "oneTimeCode.tooManyTries"
  case emailCodeMissing = "emailCode.missing"
  /// Wrong or expired.
  case emailCodeInvalid = "emailCode.invalid"
  /// There were so many wrong codes that the sign-up is over.
  case emailCodeTooManyTries = "emailCode.tooManyTries"
  /// A code was mailed to the address.
  case emailCodeSent = "emailCode.sent"
  /// So many codes of the account were wrong that none of this kind is looked at any more.
  case oneTimeCodeLocked = "oneTimeCode.locked"
  case recoveryCodeLocked = "recoveryCode.locked"
  /// With the parameters `number`, `count` and `left`: which of the codes was used, of how many, and how many can still be.
  case recoveryCodeUsed = "recoveryCode.used"
  case passkeyMissing = "passkey.missing"
  /// It proves nothing, or cannot be registered. The log says why.
  case passkeyInvalid = "passkey.invalid"
  /// There were so many that proved nothing that the login is over.
  case passkeyTooManyTries = "passkey.tooManyTries"
  case newPasswordMissing = "newPassword.missing"
  /// The new password is the one that has expired.
  case newPasswordUnchanged = "newPassword.unchanged"
  case newPasswordRepetitionMissing = "newPassword.repetitionMissing"
  /// The repetition differs from the new password.
  case newPasswordDifferent = "newPassword.different"
  /// The challenge waited too long, or the account was changed meanwhile.
  case challengeExpired
  /// The person is in, but this is not the password.
  case passwordWrong = "password.wrong"
  /// There is no account of the person who is in.
  case accountGone
  /// What there is to know of an account: the parameters `userName`, `email`, `passkeys` and `devices` (how many), and `left`, how many recovery codes
  /// are left.
  case accountPassword = "account.password"
  case accountOneTimeCodes = "account.oneTimeCodes"
  case accountRecoveryCodes = "account.recoveryCodes"
  /// What was asked for needs one-time codes, and the account has none.
  case oneTimeCodesMissing = "oneTimeCodes.none"
  /// The account has no passkey, and the view cannot make one.
  case passkeysNone = "passkeys.none"
  case passkeyUnchosen = "passkey.unchosen"
  /// The person who is in has changed something.
  case passwordChanged, oneTimeCodesOn, oneTimeCodesOff, recoveryCodesReplaced
  /// The first proof of an address, which has taken away passkeys and remembered devices from before.
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

  /// What is wrong with a value that is checked while it is typed.
  init(ofNew value: RefusedValue) {
    self =
      switch value.field {
      case .email, .identifier: Self.email(value.problem)
      case .userName: Self.userName(value.problem)
      case .password, .resetCode, .recoveryCode: Self.password(value.problem)
      }
  }

  /// What is wrong with the address that is to replace another.
  init(newEmail problem: ValueProblem) {
    self = problem == .unchanged ? .emailUnchanged : Self.email(problem)
  }

  /// What is wrong with the password that is to replace an expired one.
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
  /// The name under which a login's identifier came; of no meaning for the other tasks.
  var identifierField: Field {
    if case .login(_, let field) = task { field } else { .email }
  }
}

extension ValueProblem {
  /// The fewest characters, if there are too few.
  var minimum: Int? { if case .tooShort(let minimum) = self { minimum } else { nil } }
}
