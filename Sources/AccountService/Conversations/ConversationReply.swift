package import Accounts

/// A reply to the engine about a conversation.
package enum ConversationReply {
  case accepted(Acceptance)
  /// The next challenge, and the recovery code that has just been used.
  case asked(AccountChallenge, RecoveryCodeUse? = nil)
  /// The code of the challenge is on its way. Its screen comes with it each time, since the engine measures the time from then on.
  case sent(AccountChallenge, expiresInMs: Int64)
  /// The conversation is over, and the values where it began are refused.
  case refusedValues([RefusedValue])
  /// The same challenge again, because the answer was refused.
  case refused(AccountChallenge, AccountMessage, minimum: Int?)
  /// The same question with another screen, because the answer was refused and what it answered is spent.
  case renewed(AccountChallenge, AccountMessage)
  /// The new recovery codes, to be kept.
  case printed(PrintedCodes)
  case throttled(retryAfterMs: Int64)
  /// The conversation is over without success.
  case ended(AccountMessage)

  /// Whether so many answers were wrong that the login is over.
  var isTooManyTries: Bool {
    switch self {
    case .ended(.oneTimeCodeTooManyTries), .ended(.recoveryCodeTooManyTries), .ended(.passkeyTooManyTries): true
    default: false
    }
  }
}
