import SecretMemory

/// What a view says of a session when it opens the session, beside flow, screen, language and values.
final class SessionParticulars {
  /// For authenticators, and never shown: a JSON object's text, compact; `nil` for nothing.
  let context: [UInt8]?
  /// For authenticators alone. They stay until the session ends, since they are about the device and not about what is entered.
  private(set) var secrets: [OpeningSecret]

  /// The longest context, in bytes of compact JSON.
  static var maximumContextBytes: Int { 4096 }
  /// The most arrays and objects of a context within one another.
  static var maximumContextDepth: Int { 32 }
  /// The most secrets.
  static var maximumSecrets: Int { 16 }

  /// A secret that the view has, such as the token of a device that is remembered.
  struct OpeningSecret {
    let name: String
    /// Its bytes, which are wiped when the last copy of this reference is gone.
    let value: SecretLine
  }

  init(context: [UInt8]?, secrets: [OpeningSecret]) {
    self.context = context
    self.secrets = secrets
  }

  /// Destroys the secrets.
  func wipe() { secrets = [] }
}
