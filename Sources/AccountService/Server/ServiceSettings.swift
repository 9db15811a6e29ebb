package import Accounts
package import WebAuthn

/// The operator's settings for logins and sign-ups.
package struct ServiceSettings: Sendable {
  /// Whether the check of a typed name may reveal that the name is taken.
  package var revealsTakenNames = false
  /// The names of values that no sign-up may send, because they would be stored.
  package var secretValues: Set<String> = []
  /// The rules for new passwords.
  package var rules = PasswordRules()
  /// Whether and how email addresses are confirmed.
  var confirmation = Confirmation.none
  /// The name under which an authenticator app shows the codes.
  package var issuer = Arguments.defaultIssuer
  /// The relying party that asks for passkeys. Nil if passkeys are not used.
  package var relyingParty: RelyingParty?
  /// When the service offers a user a passkey, if the view can create one.
  package var passkeyOffer = PasskeyOffer.logIn
  /// How long a device is remembered, in milliseconds. Nil if devices are not remembered.
  package var deviceLifetimeMs: Int64?

  package init() {}

  /// When to offer a user a passkey. An account that has a passkey is never offered another.
  package enum PasskeyOffer: Sendable {
    case never
    case signUp
    /// After a login and after a sign-up.
    case logIn
  }
}

/// What the view of a request can do with passkeys.
struct ViewCapabilities: Sendable {
  /// Whether the view can use passkeys (`webauthn.get`).
  var usesPasskeys = false
  /// Whether the view can create passkeys (`webauthn.create`).
  var makesPasskeys = false
}
