/// What a mail is about. The raw value is part of the names of its texts, `mail.reset.subject` and `mail.reset.text`.
public enum MailKind: String, CaseIterable, Sendable {
  /// A code for a new password.
  case reset
  /// A code to have an address confirmed, and what comes in its place where an account has the address.
  case confirm, taken
  /// Notices of changes that the account's person may not have made.
  case emailChanged
  case passwordChanged, recoveryCodes, recoveryCodesOff, oneTimeCodes, oneTimeCodesOff
}
