package import Accounts
package import WebAuthn

/// What the operator has decided about log-ins and sign-ups.
package struct ServiceSettings: Sendable {
  /// Whether a check may say that an account has a name.
  package var tellsTakenNames = false
  /// The names of values that no sign-up may send, because they would be kept.
  package var secretValues: Set<String> = []
  /// What new passwords have to be.
  package var rules = PasswordRules()
  /// Whether and how addresses are confirmed.
  var confirmation = Confirmation.none
  /// The name that an authenticator app shows.
  package var issuer = Arguments.defaultIssuer
  /// Who asks for passkeys; nil if nobody does.
  package var relyingParty: RelyingParty?
  /// After what a view that can make a passkey is offered one.
  package var passkeyOffer = PasskeyOffer.logIn
  /// For how long a device can be remembered, in milliseconds; nil if none is.
  package var deviceLifetimeMs: Int64?

  package init() {}

  /// An account that has a passkey is offered none.
  package enum PasskeyOffer: Sendable {
    case never
    case signUp
    /// After signing up, too.
    case logIn
  }
}

/// What the view of a request can do.
struct ViewAbilities: Sendable {
  /// It can use passkeys (`webauthn.get`).
  var usesPasskeys = false
  /// It can make passkeys (`webauthn.create`).
  var makesPasskeys = false
}
