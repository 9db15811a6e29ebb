package import AccountStore
package import SecretMemory

/// What a person who is in wants of the own account.
package enum AccountChange: Sendable {
  /// What there is to know about it. The only one that needs no proof.
  case status
  /// `key` is the idempotency key.
  case password(new: SharedSecret, key: String)
  case enrolOneTimeCodes
  case removeOneTimeCodes
  case newRecoveryCodes
  case delete
}

/// A secret that goes along with a conversation. It is wiped with the last reference.
package final class SharedSecret: Sendable {
  let bytes: SecretBytes

  package init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}

/// What came of a request of a person who is in, or of an answer in the conversation that followed.
package enum PersonOutcome: Sendable {
  case status(AccountStatus)
  case asked(PersonStep)
  /// `of` is the account whose person has to be told.
  case done(AccountMessage, of: Account)
  case deleted
  /// Over without a change. `item` is the value that the message is about.
  case rejected(AccountMessage, item: StaticString? = nil, minimum: Int? = nil)
  /// The same step again.
  case refused(AccountMessage)
  case throttled(retryAfterMs: Int64)
}
