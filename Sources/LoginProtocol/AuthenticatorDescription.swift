import JSONCodec

/// What an authenticator says of itself.
public struct AuthenticatorDescription: Equatable, Sendable {
  public var name: String?
  public var version: String?
  /// The requests that it knows, if it says so.
  public var requests: Set<String>?

  /// Reads the result of `authenticator/describe`; `nil` if it is none.
  init?(_ document: borrowing JSONDocument, _ result: JSONDocument.Node) {
    guard document.kind(result) == .object else { return nil }
    if let node = document.member("name", of: result), document.kind(node) != .null {
      guard document.kind(node) == .string else { return nil }
      name = document.string(node)
    }
    if let node = document.member("version", of: result), document.kind(node) != .null {
      guard document.kind(node) == .string else { return nil }
      version = document.string(node)
    }
    guard let list = document.member("requests", of: result), document.kind(list) != .null else { return }
    guard document.kind(list) == .array else { return nil }
    var known: Set<String> = []
    var element = document.firstChild(list)
    while let node = element {
      guard document.kind(node) == .string else { return nil }
      known.insert(document.string(node))
      element = document.sibling(after: node, in: list)
    }
    requests = known
  }
}
