package import Accounts

/// A reply to the engine about a conversation.
package enum ConversationReply {
  case accepted(Acceptance)
  /// The next challenge, and the recovery code that has just been used.
  case asked(AccountChallenge, RecoveryCodeUse? = nil)
  /// The code of the challenge is being mailed. The screen is sent each time, because the engine
  /// measures the time from then on.
  case sent(AccountChallenge, expiresInMs: Int64)
  /// The conversation is over, and the values that started it are refused.
  case refusedValues([RefusedValue])
  /// The same challenge again, because the answer was refused.
  case refused(AccountChallenge, AccountMessage, minimum: Int?)
  /// The same question with a new screen, because the answer was refused and its challenge is used
  /// up.
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
