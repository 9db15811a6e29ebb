import AuthenticatorKit

/// A factor with which a user was authenticated, by the names of RFC 8176, section 2.
package enum Factor: Sendable {
  case password
  /// A code of an authenticator app, or a recovery code. Each works once.
  case oneTimeCode
  /// The key of a passkey.
  case passkey
  /// The user was present at the authenticator.
  case presence
  /// More than one factor: a passkey whose authenticator has verified its user.
  case several

  var name: String {
    switch self {
    case .password: "pwd"
    case .oneTimeCode: "otp"
    case .passkey: "pop"
    case .presence: "user"
    case .several: "mfa"
    }
  }
}

extension GivenProof {
  /// Creates the proof of a factor that was right at `time`, in milliseconds since 1970.
  init(_ factor: Factor, at time: Int64) { self.init(factor.name, at: UInt64(clamping: time)) }
}
