package import Accounts

/// A reply to the engine about a conversation.
package enum ConversationReply {
  case accepted(Acceptance)
  /// The next challenge, and the recovery code that the answer has just used, if any.
  case asked(AccountChallenge, RecoveryCodeUse? = nil)
  /// The code that the challenge asks for is being mailed. The screen is sent each time a code is
  /// mailed, because the engine measures the time left from the arrival of the screen.
  case sent(AccountChallenge, expiresInMs: Int64)
  /// The conversation is over, and the values that started it are refused.
  case refusedValues([RefusedValue])
  /// The answer was refused, and the same challenge stays open.
  case refused(AccountChallenge, AccountMessage, minimum: Int?)
  /// The answer was refused, and the question is asked again on a new screen, because each passkey
  /// challenge can be answered only once.
  case renewed(AccountChallenge, AccountMessage)
  /// The new recovery codes, which the user must save.
  case printed(PrintedCodes)
  case throttled(retryAfterMs: Int64)
  /// The conversation ended without success.
  case ended(AccountMessage)

  /// Whether too many wrong answers ended the login.
  var isTooManyAttempts: Bool {
    switch self {
    case .ended(.oneTimeCodeTooManyAttempts), .ended(.recoveryCodeTooManyAttempts), .ended(.passkeyTooManyAttempts):
      true
    default: false
    }
  }
}
