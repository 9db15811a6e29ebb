import AuthenticatorKit

/// A factor with which a user was authenticated. `name` is its name in RFC 8176, section 2.
package enum Factor: Sendable {
  case password
  /// A code of an authenticator app, or a recovery code. Each code works only once.
  case oneTimeCode
  /// The user's device has proved that it holds the private key of a passkey.
  case passkey
  /// The user was present at the device with the passkey.
  case presence
  /// More than one factor: the user has a passkey, and the device with this passkey has verified
  /// the user.
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
  /// Creates the proof of a factor that the user has proved at `time`, in milliseconds since 1970.
  init(_ factor: Factor, at time: Int64) { self.init(factor.name, at: UInt64(clamping: time)) }
}
