import SecretMemory

/// What a view stated when it opened a session, apart from flow, screen, language and values.
final class SessionParticulars {
  /// The user who is logged in already, as stated by the frontend; `nil` for none.
  let principal: String?
  /// The context for authenticators, never shown: the text of a JSON object, compact; `nil` for
  /// none.
  let context: [UInt8]?
  /// The capabilities of the view, without duplicates; `nil` if the view did not state any.
  let supports: [String]?
  /// The same as a set.
  let supported: Set<String>
  /// Secrets for authenticators only. They stay until the session ends, since they belong to the
  /// device and not to the input.
  private(set) var secrets: [OpeningSecret]

  /// The longest principal, in bytes.
  static var maximumPrincipalBytes: Int { 1024 }
  /// The longest context, in bytes of compact JSON.
  static var maximumContextBytes: Int { 4096 }
  /// The deepest nesting of arrays and objects in a context.
  static var maximumContextDepth: Int { 32 }
  /// The most capabilities of a view.
  static var maximumSupports: Int { 64 }
  /// The most secrets.
  static var maximumSecrets: Int { 16 }

  /// A secret of the view, such as the token of a remembered device.
  struct OpeningSecret {
    let name: String
    /// The bytes, which are wiped when the last copy of this reference is gone.
    let value: SecretLine
  }

  /// Whether the view restores its value of a submitted secret when the engine refuses an edit of
  /// it.
  let restoresSecrets: Bool
  /// Whether the view was written for a later version of the protocol.
  let isLaterVersion: Bool

  /// The name of the capability `restoresSecrets`.
  private static var restoringSecrets: String { "restoreSecret" }

  init(principal: String?, context: [UInt8]?, supports: [String]?, secrets: [OpeningSecret], isLaterVersion: Bool) {
    self.principal = principal
    self.context = context
    self.supports = supports
    supported = Set(supports ?? [])
    restoresSecrets = supported.contains(SessionParticulars.restoringSecrets)
    self.secrets = secrets
    self.isLaterVersion = isLaterVersion
  }

  /// Wipes the secrets.
  func wipe() { secrets = [] }
}
