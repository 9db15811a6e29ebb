/// How a person has proved who they are, by the names of RFC 8176, section 2.
package enum Factor: Sendable {
  case password
  /// A code of an authenticator app or a recovery code; each works once.
  case oneTimeCode
  /// The key of a passkey.
  case passkey
  /// Somebody was present at the authenticator.
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

/// A factor that was right, and when: the wall-clock time of the request, in milliseconds since 1970.
package struct FactorProof: Equatable, Sendable {
  let factor: Factor
  let at: Int64
}
