package import Accounts

/// What a person who is in wants of the own account.
package enum AccountChange: Sendable {
  /// What there is to know about it. The only one that needs no proof.
  case status
  /// `key` is the idempotency key. The new password is only in the request, so that none goes along with a conversation.
  case password(key: String)
  case enrolOneTimeCodes
  case removeOneTimeCodes
  case newRecoveryCodes
  /// Another address, which a step asks for.
  case email
  /// Another passkey, or one less.
  case passkeys
  case forgetDevices
  case delete
}

/// What came of a request of a person who is in, or of an answer in the conversation that followed.
package enum PersonOutcome: Sendable {
  case status(AccountStatus, passkeys: Int, devices: Int)
  case asked(PersonStep)
  /// The same, and the code that the step asks for has to be mailed.
  case sent(PersonStep)
  /// `of` is the account whose person has to be told. `before`: the account as it was, if its address has changed.
  case done(AccountMessage, of: Account, before: Account? = nil)
  case deleted
  /// Over without a change. `item` is the value that the message is about.
  case rejected(AccountMessage, item: StaticString? = nil, minimum: Int? = nil)
  /// The same step again. `item` is the value that the message is about.
  case refused(AccountMessage, item: StaticString = "code")
  /// The same question with another screen, because what the answer referred to is spent.
  case renewed(PersonStep, AccountMessage)
  case throttled(retryAfterMs: Int64)
}

/// What a person who is in has answered to a step, but for what the request has of its own: a code, or a new passkey.
enum PersonAnswer: Sendable {
  case entered
  case email(String)
  /// The passkey with this id, which is to be removed.
  case passkey(id: [UInt8])
  /// Another code.
  case resend
  /// To add a passkey.
  case newPasskey
}
