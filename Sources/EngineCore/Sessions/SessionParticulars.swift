import SecretMemory

/// What a view says of a session when it opens the session, beside flow, screen, language and values.
final class SessionParticulars {
  /// Who is in already, as the frontend vouches; `nil` if nobody is.
  let principal: String?
  /// For authenticators, and never shown: a JSON object's text, compact; `nil` for nothing.
  let context: [UInt8]?
  /// What the view says that it can do, each once; `nil` if it said nothing of that.
  let supports: [String]?
  /// The same, to look for one of them.
  let supported: Set<String>
  /// For authenticators alone. They stay until the session ends, since they are about the device and not about what is entered.
  private(set) var secrets: [OpeningSecret]

  /// The longest principal, in bytes.
  static var maximumPrincipalBytes: Int { 1024 }
  /// The longest context, in bytes of compact JSON.
  static var maximumContextBytes: Int { 4096 }
  /// The most arrays and objects of a context within one another.
  static var maximumContextDepth: Int { 32 }
  /// The most that a view says that it can do.
  static var maximumSupports: Int { 64 }
  /// The most secrets.
  static var maximumSecrets: Int { 16 }

  /// A secret that the view has, such as the token of a device that is remembered.
  struct OpeningSecret {
    let name: String
    /// Its bytes, which are wiped when the last copy of this reference is gone.
    let value: SecretLine
  }

  /// Whether the view puts back what it had of a secret that was submitted, where the engine does not take an edit of it.
  let restoresSecrets: Bool
  /// Whether the view was written for a later version of the protocol.
  let isLater: Bool

  /// The name of that among what a view can do.
  private static var restoringSecrets: String { "restoreSecret" }

  init(principal: String?, context: [UInt8]?, supports: [String]?, secrets: [OpeningSecret], isLater: Bool) {
    self.principal = principal
    self.context = context
    self.supports = supports
    supported = Set(supports ?? [])
    restoresSecrets = supported.contains(SessionParticulars.restoringSecrets)
    self.secrets = secrets
    self.isLater = isLater
  }

  /// Destroys the secrets.
  func wipe() { secrets = [] }
}
