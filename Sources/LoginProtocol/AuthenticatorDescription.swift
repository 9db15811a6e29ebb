import JSONCodec

/// What an authenticator says of itself.
public struct AuthenticatorDescription: Equatable, Sendable {
  /// A file that it keeps.
  public struct KeptFile: Equatable, Sendable {
    public var path: String
    /// What it is, in a word; empty if that is not said.
    public var use: String
  }

  public var name: String?
  public var version: String?
  /// What its build is called.
  public var build: String?
  /// The requests that it knows, if it says so.
  public var requests: Set<String>?
  /// What it wants to be told, as far as it is known here.
  public var wants: Set<AuthenticatorNeed> = []
  /// The files that it keeps.
  public var files: [KeptFile] = []

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
      build = try AuthenticatorReply.optional(document, "build", of: result, or: "its build is not a string") {
        AuthenticatorReply.string(document, $0)
      }
      let names = try AuthenticatorReply.optional(document, "wants", of: result, or: "what it wants are not strings") {
        AuthenticatorDescription.names(document, $0)
      }
      wants = Set((names ?? []).compactMap { AuthenticatorNeed(rawValue: $0) })
      let named = try AuthenticatorReply.optional(document, "files", of: result, or: "its files have no paths") {
        AuthenticatorDescription.files(document, $0)
      }
      files = named ?? []
      requests = try AuthenticatorReply.optional(document, "requests", of: result, or: "its requests are not strings") {
        AuthenticatorDescription.names(document, $0)
      }
    } catch {
      return nil
    }
  }

  private static func files(
    _ document: borrowing JSONDocument, _ list: JSONDocument.Node
  ) -> [KeptFile]? {
    JSONValue(document, list).array.flatMap { list in
      let files = list.compactMap { file in
        file["path"]?.string.map { KeptFile(path: $0, use: file["use"]?.string ?? "") }
      }
      return files.count == list.count ? files : nil
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
