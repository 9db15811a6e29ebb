public import JSONCodec

/// What an answer that lets somebody in grants: factors for everybody to see, and a secret for the application alone.
extension AuthenticatorReply {
  /// The most factors of an answer.
  private static var maximumFactors: Int { 16 }
  /// The longest secret, in bytes as the authenticator wrote them.
  public static var maximumSecretBytes: Int { 16_384 }
  /// The most arrays and objects of a secret within one another.
  private static var maximumSecretDepth: Int { 32 }

  /// The member `factors`; `nil` if it is left out.
  static func factors(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node
  ) throws(Problem) -> [String]? {
    guard let list = present(document, "factors", result) else { return nil }
    guard document.kind(list) == .array else { throw "its factors are not an array" }
    var factors: [String] = []
    var child = document.firstChild(list)
    while let node = child {
      guard let name = codeName(document, node) else { throw "one of its factors is not a name" }
      guard factors.count < maximumFactors else { throw "it has more than 16 factors" }
      factors.append(name)
      child = document.sibling(after: node, in: list)
    }
    return factors
  }

  /// The secret that a result grants; `nil` if it grants none. It is not to be copied into anything that nobody wipes.
  public static func secret(_ document: borrowing JSONDocument, of result: JSONDocument.Node) -> JSONDocument.Node? {
    document.kind(result) == .object ? present(document, "secret", result) : nil
  }

  /// Whether a secret is one that can be granted.
  public static func canGrant(_ document: borrowing JSONDocument, _ secret: JSONDocument.Node) -> Bool {
    document.fullText(secret).count <= maximumSecretBytes && isShallow(document, secret, levels: maximumSecretDepth)
  }

  static func checkSecret(_ document: borrowing JSONDocument, _ result: JSONDocument.Node) throws(Problem) {
    guard let secret = secret(document, of: result) else { return }
    guard canGrant(document, secret) else { throw "its secret is too long or too deep" }
  }

  /// Whether a value has at most so many arrays and objects within one another.
  private static func isShallow(_ document: borrowing JSONDocument, _ node: JSONDocument.Node, levels: Int) -> Bool {
    guard document.kind(node) == .array || document.kind(node) == .object else { return true }
    guard levels > 0 else { return false }
    var child = document.firstChild(node)
    while let inner = child {
      guard isShallow(document, inner, levels: levels - 1) else { return false }
      child = document.sibling(after: inner, in: node)
    }
    return true
  }
}

extension ByteBuffer {
  /// How a line begins that grants a secret.
  public static var grantedHead: StaticString { #"{"jsonrpc":"2.0","method":"session/granted","params":{"session":"# }

  /// Appends the line that grants a secret to the application.
  ///
  /// - Parameter secret: the JSON text as the authenticator wrote it.
  public mutating func appendGranted(_ secret: UnsafeRawBufferPointer, session: [UInt8]) {
    append(ByteBuffer.grantedHead)
    session.withUnsafeBytes { appendJSONString($0) }
    append(#","secret":"#)
    append(secret)
    append("}}\n")
  }
}
