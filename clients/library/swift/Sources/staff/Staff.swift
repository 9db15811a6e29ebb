import AuthenticatorKit

/// An authenticator with one user.
@main enum Staff {
  static func main() {
    Authenticator(name: "staff", requests: ["login"]).run { question, entered in
      guard entered.text("email") == "ada@example.com", entered.matches("password", "correct horse".utf8) else {
        return .rejected(reason: "invalidCredentials")
      }
      return .accepted(principal: "ada", proofs: [.init("pwd")])
    }
  }
}
