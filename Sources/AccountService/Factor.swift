/// How a person has proved who they are, by the names of RFC 8176, section 2.
package enum Factor: Sendable {
  case password
  /// A code of an authenticator app or a recovery code; each works once.
  case oneTimeCode

  var name: StaticString {
    switch self {
    case .password: "pwd"
    case .oneTimeCode: "otp"
    }
  }
}
