package import Accounts

/// What a person who is in is asked for before a change is made.
package enum PersonStep: Sendable {
  /// A code, after the password; with the new password, if that is the change, as it is going to be stored.
  case proof(PendingLogin, PreparedPassword? = nil)
  /// The first code of a new secret, which the screen shows.
  case enrolment(PendingLogin, OneTimeSecret)
  /// To keep the new recovery codes, which the screen shows.
  case recoveryCodes(PendingLogin, PreparedCodes)
  /// Another address.
  case newEmail(PendingLogin)
  /// The code that was mailed there.
  case emailCode(PendingEmailChange)
  /// Which of the passkeys is to go. `canAdd`: whether there can be another.
  case passkeys(PendingLogin, [Passkey], canAdd: Bool)
  /// A new passkey, which has to sign the bytes.
  case newPasskey(PasskeyHolder, nonce: [UInt8])

  /// How long the step waits for its answer, in milliseconds.
  var lifetimeMs: Int64 {
    if case .emailCode = self { Conversation.codeLifetimeMs } else { Conversation.lifetimeMs }
  }

  /// What is said when too many answers were wrong.
  var tooManyTries: AccountMessage {
    switch self {
    case .emailCode: .emailCodeTooManyTries
    case .passkeys, .newPasskey: .passkeyTooManyTries
    case .proof, .enrolment, .recoveryCodes, .newEmail: .oneTimeCodeTooManyTries
    }
  }
}
