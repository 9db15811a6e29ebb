public import JSONCodec

/// One message of a peer, by the rules of JSON-RPC 2.0.
public enum IncomingMessage {
  case call(Call)
  /// A result or an error. Never answered, however wrong.
  case response
  /// Not a message; `id` is what an error reply can name.
  case invalid(JSONDocument.Node?, StaticString)

  /// A request, or a notification if there is no id.
  public struct Call {
    public var method: JSONDocument.Node
    public var params: JSONDocument.Node?
    public var id: JSONDocument.Node?
  }

  /// Judges the value at `node`.
  public init(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    guard document.kind(node) == .object else {
      self = .invalid(nil, "a message is an object")
      return
    }
    var members = Members()
    members.read(document, node)
    let id = members.id.flatMap { IncomingMessage.isValidID(document, $0) ? $0 : nil }
    if members.method == nil, members.hasOutcome {
      self = .response
    } else if members.id != nil, id == nil {
      self = .invalid(nil, "id is a string, a number or null")
    } else if !members.isVersion2 {
      self = .invalid(id, #"jsonrpc is "2.0""#)
    } else if let method = members.method, document.kind(method) == .string {
      if let params = members.params, document.kind(params) != .object, document.kind(params) != .array {
        self = .invalid(id, "params is an object")
      } else {
        self = .call(Call(method: method, params: members.params, id: id))
      }
    } else {
      self = .invalid(id, "method is a string")
    }
  }

  /// The id of a message that could not be read to its end, if it came before the end.
  public static func recoverID(_ document: borrowing JSONDocument) -> JSONDocument.Node? {
    guard let root = document.root, document.kind(root) == .object else { return nil }
    var found: JSONDocument.Node?
    var child = document.firstChild(root)
    while let key = child, let value = document.sibling(after: key, in: root) {
      if document.equals(key, "id") {
        // Of two ids nobody can say which was meant.
        guard found == nil else { return nil }
        found = value
      }
      child = document.sibling(after: value, in: root)
    }
    guard let id = found, isValidID(document, id) else { return nil }
    // The error may lie in the id itself: invalid UTF-8, say, which must not be echoed.
    var alone = JSONDocument(maximumDepth: 1)
    guard (try? alone.parse(document.fullText(id))) != nil else { return nil }
    return id
  }

  private static func isValidID(_ document: borrowing JSONDocument, _ id: JSONDocument.Node) -> Bool {
    switch document.kind(id) {
    case .string, .number, .null: true
    case .true, .false, .array, .object: false
    }
  }

  private struct Members {
    var isVersion2 = false
    var method: JSONDocument.Node?
    var params: JSONDocument.Node?
    var id: JSONDocument.Node?
    var hasOutcome = false

    @inline(__always) mutating func read(_ document: borrowing JSONDocument, _ object: JSONDocument.Node) {
      var child = document.firstChild(object)
      while let key = child, let value = document.sibling(after: key, in: object) {
        if document.equals(key, "jsonrpc") {
          isVersion2 = document.equals(value, "2.0")
        } else if document.equals(key, "method") {
          method = value
        } else if document.equals(key, "params") {
          params = value
        } else if document.equals(key, "id") {
          id = value
        } else if document.equals(key, "result") || document.equals(key, "error") {
          hasOutcome = true
        }
        child = document.sibling(after: value, in: object)
      }
    }
  }
}
