/// The subject of a mail. The raw value is part of the keys of the mail's texts, such as
/// `mail.reset.subject` and `mail.reset.text`.
enum MailKind: String, CaseIterable, Sendable {
  /// A code for a new password.
  case reset
  /// A code that confirms an address, and the mail that is sent instead if an account already has
  /// the address.
  case confirm, taken
  /// Notices of a change of address, to the former address and to the new one.
  case emailChanged, emailNew
  case passwordChanged, recoveryCodes, recoveryCodesOff, oneTimeCodes, oneTimeCodesOff, passkey, passkeyOff
  /// A mailed code has proved for the first time that the user owns the address, so the passkeys
  /// and other factors that were registered before were removed.
  case factorsTaken
  /// The password was right, but too many codes or passkeys were wrong, so the login ended.
  case failedLogin
  /// Wrong passwords were entered so often with one of the account's names that passwords are no
  /// longer checked for this name.
  case locked
}
