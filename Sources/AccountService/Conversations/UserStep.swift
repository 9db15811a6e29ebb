package import Accounts

/// A question that the service asks a logged-in user before it makes a change to the account.
package enum UserStep: Sendable {
  /// Asks for a code after the password was right. `PreparedPassword` is the hash of the new
  /// password if the user is changing the password.
  case proof(PendingLogin, PreparedPassword? = nil)
  /// Asks for the first code generated from a new secret, which the screen shows.
  case enrolment(PendingLogin, OneTimeSecret)
  /// Asks the user to confirm that the new recovery codes, which the screen shows, are saved.
  case recoveryCodes(PendingLogin, PreparedCodes)
  /// Asks for the new email address.
  case newEmail(PendingLogin)
  /// Asks for the code that was mailed to the new email address.
  case emailCode(PendingEmailChange)
  /// Asks which passkey to remove. `canAdd` tells whether the account can have one more passkey.
  case passkeys(PendingLogin, [Passkey], canAdd: Bool)
  /// Asks for a new passkey, which must sign the nonce.
  case newPasskey(PasskeyHolder, nonce: [UInt8])

  /// How long the step waits for its answer, in milliseconds.
  var lifetimeMs: Int64 {
    if case .emailCode = self { Conversation.codeLifetimeMs } else { Conversation.lifetimeMs }
  }

  /// The message after too many wrong answers to this step.
  var tooManyTries: AccountMessage {
    switch self {
    case .emailCode: .emailCodeTooManyAttempts
    case .passkeys, .newPasskey: .passkeyTooManyAttempts
    case .proof, .enrolment, .recoveryCodes, .newEmail: .oneTimeCodeTooManyAttempts
    }
  }
}
