/// What a mail is about. The raw value is part of the names of its texts, `mail.reset.subject` and `mail.reset.text`.
enum MailKind: String, CaseIterable, Sendable {
  /// A code for a new password.
  case reset
  /// A code to have an address confirmed, and what comes in its place where an account has the address.
  case confirm, taken
  /// Notices of changes that the account's person may not have made.
  /// To the former address, and to the one that the account has now.
  case emailChanged, emailNew
  case passwordChanged, recoveryCodes, recoveryCodesOff, oneTimeCodes, oneTimeCodesOff, passkey, passkeyOff
  /// The first proof of the address has taken away what was registered before.
  case factorsTaken
  /// Somebody had the password, and then so many wrong codes or passkeys that the login ended.
  case failedLogin
  /// There were so many wrong passwords with one of the account's names that none is looked at any more.
  case locked
}
