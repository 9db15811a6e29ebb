package import AccountStore

/// A login that was asked for more than its password.
struct Conversation {
  /// How long a question waits for its answer, in milliseconds.
  static let lifetimeMs: Int64 = 600_000
  /// How many wrong recovery codes end it.
  static let maximumWrongCodes = 5

  /// Nil once it is over. It is kept for a while, in case its last answer was lost.
  var login: PendingLogin?
  var wrongCodes = 0
  /// When the question is too old, by `AccountClock.steady`.
  var deadline: Int64
  /// Whether an answer to the question is being looked at.
  var isUnderWay = false
  /// The last answer that was right: what it was given to, so that it can be looked at once more.
  var previous: (key: String, login: PendingLogin)?
}

/// What is said to the engine about a conversation.
package enum ConversationReply {
  case accepted(Account)
  /// The next question.
  case asked(PendingQuestion)
  /// The same question again, because the answer was no good.
  case refused(PendingQuestion, AccountMessage, minimum: Int?)
  case throttled(retryAfterMs: Int64)
  /// It is over without success.
  case ended(AccountMessage)
}
