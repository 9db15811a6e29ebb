/// Every name of an error with which the accounts answer the engine's requests. As a message's code it has
/// `network.` in front of it.
package enum AccountsError: String, CaseIterable, Sendable {
  // Those of AccountStoreError.
  case accountsNotADatabase, accountsReadOnly, accountsLocked, accountsUnavailable, accountsFailed, accountsKeyUnusable
  /// The flow asks for something that accounts cannot do.
  case unsupportedRequest
  /// The flow does not send what the request needs.
  case invalidParams
  /// The flow sends a value that accounts do not keep.
  case unsupportedValue
  /// Only a person who is in can ask for that, and nobody is said to be.
  case principalMissing
  /// The view cannot use passkeys, or nobody asks for them.
  case passkeysUnavailable
}
