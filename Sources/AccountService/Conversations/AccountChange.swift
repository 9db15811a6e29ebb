package import Accounts

/// A change that a logged-in user makes to the user's own account.
package enum AccountChange: Sendable {
  /// Shows the state of the account. The only case that needs no proof.
  case status
  /// `key` is the idempotency key. The new password is only in the request, so that no conversation
  /// keeps it.
  case password(key: String)
  case enrolOneTimeCodes
  case removeOneTimeCodes
  case newRecoveryCodes
  /// A new address, which a later step asks for.
  case email
  /// Adds or removes a passkey.
  case passkeys
  case forgetDevices
  case delete
}

/// The outcome of a logged-in user's request, or of an answer in the conversation that follows.
package enum UserOutcome: Sendable {
  case status(AccountStatus, passkeys: Int, devices: Int)
  case asked(UserStep)
  /// As `asked`, and the code that the step asks for must be mailed.
  case sent(UserStep)
  /// The change was made. `of` is the account whose user must be notified; `before` is the account
  /// before the change if its address has changed.
  case done(AccountMessage, of: Account, before: Account? = nil)
  case deleted
  /// The conversation ends without a change. `item` is the item that the message belongs to.
  case rejected(AccountMessage, item: StaticString? = nil, minimum: Int? = nil)
  /// The same step again. `item` is the item that the message belongs to.
  case refused(AccountMessage, item: StaticString = "code")
  /// The same question with a new screen, because the challenge that was answered is used up.
  case renewed(UserStep, AccountMessage)
  case throttled(retryAfterMs: Int64)
}

/// A logged-in user's answer to a step. A code or a new passkey stays in the request instead.
enum UserAnswer: Sendable {
  case entered
  case email(String)
  /// Remove the passkey with this id.
  case passkey(id: [UInt8])
  /// Mail another code.
  case resend
  /// Add a passkey.
  case newPasskey
}
