package import Accounts
package import WebAuthn

/// The operator's settings for logins and sign-ups.
package struct ServiceSettings: Sendable {
  /// Whether a check may reveal that a name is taken.
  package var revealsTakenNames = false
  /// The names of values that no sign-up may send, because they would be stored.
  package var secretValues: Set<String> = []
  /// The rules for new passwords.
  package var rules = PasswordRules()
  /// Whether and how addresses are confirmed.
  var confirmation = Confirmation.none
  /// The name that an authenticator app shows.
  package var issuer = Arguments.defaultIssuer
  /// The relying party that asks for passkeys. Nil if passkeys are not used.
  package var relyingParty: RelyingParty?
  /// When a view that can create a passkey is offered one.
  package var passkeyOffer = PasskeyOffer.logIn
  /// How long a device is remembered, in milliseconds. Nil if devices are not remembered.
  package var deviceLifetimeMs: Int64?

  package init() {}

  /// When to offer a passkey. An account that has one is never offered another.
  package enum PasskeyOffer: Sendable {
    case never
    case signUp
    /// After a login and after a sign-up.
    case logIn
  }
}

/// The abilities of a request's view.
struct ViewCapabilities: Sendable {
  /// Whether it can use passkeys (`webauthn.get`).
  var usesPasskeys = false
  /// Whether it can create passkeys (`webauthn.create`).
  var makesPasskeys = false
}
