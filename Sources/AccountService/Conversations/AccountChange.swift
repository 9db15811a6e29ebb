package import Accounts

/// A change that a logged-in user makes to the user's own account.
package enum AccountChange: Sendable {
  /// Shows the state of the account. Only this request needs no password.
  case status
  /// Changes the password. `key` is the request's idempotency key. Only the request contains the
  /// new password, so that no conversation stores it.
  case password(key: String)
  case enrolOneTimeCodes
  case removeOneTimeCodes
  case newRecoveryCodes
  /// Changes the email address. A later step asks for the new address.
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
  /// Like `asked`, but the service must also mail the code that the step asks for.
  case sent(UserStep)
  /// The change was made. `of` is the account whose user must be notified; `before` is the account
  /// before the change if its address has changed.
  case done(AccountMessage, of: Account, before: Account? = nil)
  case deleted
  /// The conversation ends without a change. `item` is the item at which the message is shown.
  case rejected(AccountMessage, item: StaticString? = nil, minimum: Int? = nil)
  /// The answer was refused, and the same step stays open. `item` is the item at which the message
  /// is shown.
  case refused(AccountMessage, item: StaticString = "code")
  /// The answer was refused, and the question is asked again on a new screen, because each passkey
  /// challenge can be answered only once.
  case renewed(UserStep, AccountMessage)
  case throttled(retryAfterMs: Int64)
}

/// A logged-in user's answer to a step, without secrets. A code or a new passkey stays in the
/// request.
enum UserAnswer: Sendable {
  case entered
  case email(String)
  /// The user wants to remove the passkey with this id.
  case passkey(id: [UInt8])
  /// The user wants another code to be mailed.
  case resend
  /// The user wants to add a passkey.
  case newPasskey
}
