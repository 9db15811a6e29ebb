package import AccountStore

/// A login whose password was right and which has to answer a challenge as well, or one by a passkey.
struct Conversation {
  /// How long a challenge waits for its answer, in milliseconds.
  static let lifetimeMs: Int64 = 600_000
  /// How many wrong answers end the conversation.
  static let maximumWrongAnswers = 5

  /// Nil after the conversation is over. The conversation is kept for a while, in case its last reply was lost.
  var step: ConversationStep?
  var wrongAnswers = 0
  /// What was right so far.
  var factors: [Factor]
  /// The recovery code that was used.
  var codeUse: RecoveryCodeUse?
  /// Whether the device is to be remembered once the login is accepted.
  var remembersDevice = false
  /// The login once it is accepted. What a step asks for then is an offer.
  var acceptance: Acceptance?
  /// When the challenge expires, by `AccountClock.steady`.
  var deadline: Int64
  /// Whether a worker is checking an answer to the challenge.
  var isUnderWay = false
  /// The key of the last right answer, and the step that it answered, so that the same answer can be checked once more.
  var previous: (key: String, step: ConversationStep)?
}

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

  var isChallenge: Bool {
    switch self {
    case .asked, .sent, .refused, .renewed, .printed: true
    case .accepted, .refusedValues, .throttled, .ended: false
    }
  }
}
