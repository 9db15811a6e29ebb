package import AccountStore

/// A login whose password was right and which has to answer a challenge as well.
struct Conversation {
  /// How long a challenge waits for its answer, in milliseconds.
  static let lifetimeMs: Int64 = 600_000
  /// How many wrong codes end the conversation.
  static let maximumWrongCodes = 5

  /// Nil after the conversation is over. The conversation is kept for a while, in case its last reply was lost.
  var login: PendingLogin?
  var wrongCodes = 0
  /// What was right so far.
  var factors: [Factor] = [.password]
  /// When the challenge expires, by `AccountClock.steady`.
  var deadline: Int64
  /// Whether a worker is checking an answer to the challenge.
  var isUnderWay = false
  /// The key of the last right answer, and the login that it answered, so that the same answer can be checked once more.
  var previous: (key: String, login: PendingLogin)?
}

/// A reply to the engine about a conversation.
package enum ConversationReply {
  case accepted(Account, [Factor], passwordChanged: Bool = false)
  /// The next challenge.
  case asked(AccountChallenge)
  /// The code of the challenge is on its way. Its screen comes with it each time, since the engine measures the time from then on.
  case sent(AccountChallenge)
  /// The conversation is over, and the values where it began are refused.
  case refusedValues([RefusedValue])
  /// The same challenge again, because the answer was refused.
  case refused(AccountChallenge, AccountMessage, minimum: Int?)
  case throttled(retryAfterMs: Int64)
  /// The conversation is over without success.
  case ended(AccountMessage)
}
