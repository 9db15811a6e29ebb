package import Accounts

/// A question to a logged-in user before a change is made.
package enum UserStep: Sendable {
  /// A code, after the password. With the hash of the new password, if that is the change.
  case proof(PendingLogin, PreparedPassword? = nil)
  /// The first code of a new secret, which the screen shows.
  case enrolment(PendingLogin, OneTimeSecret)
  /// The confirmation that the user has saved the new recovery codes, which the screen shows.
  case recoveryCodes(PendingLogin, PreparedCodes)
  /// The new address.
  case newEmail(PendingLogin)
  /// The code that was mailed to the new address.
  case emailCode(PendingEmailChange)
  /// The passkey to remove. `canAdd` is whether the account can have another one.
  case passkeys(PendingLogin, [Passkey], canAdd: Bool)
  /// A new passkey, which must sign the nonce.
  case newPasskey(PasskeyHolder, nonce: [UInt8])

  /// How long the step waits for its answer, in milliseconds.
  var lifetimeMs: Int64 {
    if case .emailCode = self { Conversation.codeLifetimeMs } else { Conversation.lifetimeMs }
  }

  /// The message after too many wrong answers.
  var tooManyTries: AccountMessage {
    switch self {
    case .emailCode: .emailCodeTooManyAttempts
    case .passkeys, .newPasskey: .passkeyTooManyAttempts
    case .proof, .enrolment, .recoveryCodes, .newEmail: .oneTimeCodeTooManyAttempts
    }
  }
}
