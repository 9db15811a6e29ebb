/// What a mail is about. The raw value is part of the names of its texts, `mail.reset.subject` and `mail.reset.text`.
public enum MailKind: String, CaseIterable, Sendable {
  /// A code for a new password.
  case reset
  /// Notices of changes that the account's person may not have made.
  case passwordChanged, recoveryCodes, recoveryCodesOff, oneTimeCodes, oneTimeCodesOff
}
