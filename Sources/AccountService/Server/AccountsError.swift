/// The names of all errors with which the service answers the engine's requests. The code of a
/// message about such an error is the name with the prefix `network.`.
package enum AccountsError: String, CaseIterable, Sendable {
  // Errors that come from `AccountStoreError`.
  case accountsNotADatabase, accountsReadOnly, accountsLocked, accountsUnavailable, accountsFailed, accountsKeyUnusable
  /// The flow asks for something that the service does not support.
  case unsupportedRequest
  /// The flow does not send a value that the request needs.
  case invalidParams
  /// The flow sends a value that accounts cannot store.
  case unsupportedValue
  /// The request needs a logged-in user, and the session has none.
  case principalMissing
  /// The view does not support passkeys, or the service does not ask for them.
  case passkeysUnavailable
}
