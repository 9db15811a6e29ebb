import SecretMemory

/// What a view stated when it opened a session, apart from the flow, the screen, the language and
/// values.
final class SessionParticulars {
  /// The user who is logged in already, as stated by the frontend; `nil` if no user is logged in.
  let principal: String?
  /// The context for authenticators, which is never shown: the compact text of a JSON object; `nil`
  /// if there is none.
  let context: [UInt8]?
  /// The capabilities of the view, without duplicates; `nil` if the view did not state any.
  let supports: [String]?
  /// The capabilities of the view as a set; empty if the view did not state any.
  let supported: Set<String>
  /// The secrets that the view passed for authenticators. They are kept until the session ends,
  /// because they belong to the user's device and not to the form's values.
  private(set) var secrets: [OpeningSecret]

  /// The maximum length of a principal, in bytes.
  static var maximumPrincipalBytes: Int { 1024 }
  /// The maximum size of a context, in bytes of compact JSON.
  static var maximumContextBytes: Int { 4096 }
  /// The maximum nesting depth of arrays and objects in a context.
  static var maximumContextDepth: Int { 32 }
  /// The maximum number of capabilities that a view may state.
  static var maximumSupports: Int { 64 }
  /// The maximum number of secrets that a view may pass when it opens a session.
  static var maximumSecrets: Int { 16 }

  /// A secret that the view passed for authenticators, such as the token of a remembered device.
  struct OpeningSecret {
    let name: String
    /// The bytes of the secret. They are wiped when the last reference to this object is released.
    let value: SecretLine
  }

  /// Whether the view can restore the submitted value of a secret item after the engine has refused
  /// an edit of that item.
  let restoresSecrets: Bool
  /// Whether the view was written for a later version of the protocol.
  let isLaterVersion: Bool

  /// The name of the capability for which `restoresSecrets` stands.
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
