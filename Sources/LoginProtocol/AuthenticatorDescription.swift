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
    do throws(AuthenticatorReply.Problem) {
      name = try AuthenticatorReply.optional(document, "name", of: result, or: "its name is not a string") {
        AuthenticatorReply.string(document, $0)
      }
      version = try AuthenticatorReply.optional(document, "version", of: result, or: "its version is not a string") {
        AuthenticatorReply.string(document, $0)
      }
      requests = try AuthenticatorReply.optional(document, "requests", of: result, or: "its requests are not strings") {
        AuthenticatorDescription.names(document, $0)
      }
    } catch {
      return nil
    }
  }

  private static func names(_ document: borrowing JSONDocument, _ list: JSONDocument.Node) -> Set<String>? {
    guard document.kind(list) == .array else { return nil }
    var names: Set<String> = []
    var element = document.firstChild(list)
    while let node = element {
      guard let name = AuthenticatorReply.string(document, node) else { return nil }
      names.insert(name)
      element = document.sibling(after: node, in: list)
    }
    return names
  }
}
