public import JSONCodec

/// A message from the other side of the connection, classified by the rules of JSON-RPC 2.0.
public enum IncomingMessage {
  case call(Call)
  /// A response: a result or an error. It gets no reply, even if it is invalid.
  case response
  /// An invalid message, with the reason. The node is the id for the error reply; `nil` if the
  /// message has no valid id.
  case invalid(JSONDocument.Node?, StaticString)

  /// A request, or a notification if there is no id.
  public struct Call {
    public var method: JSONDocument.Node
    public var params: JSONDocument.Node?
    public var id: JSONDocument.Node?
  }

  /// Classifies the value at `node`.
  public init(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    guard document.kind(node) == .object else {
      self = .invalid(nil, "a message must be an object")
      return
    }
    var members = Members()
    members.read(document, node)
    let id = members.id.flatMap { IncomingMessage.isValidID(document, $0) ? $0 : nil }
    if members.method == nil, members.hasOutcome {
      self = .response
    } else if members.id != nil, id == nil {
      self = .invalid(nil, "id must be a string, a number or null")
    } else if members.version != .two {
      let isMissing = members.version == nil
      self = .invalid(id, isMissing ? #"jsonrpc is missing; it must be "2.0""# : #"jsonrpc must be "2.0""#)
    } else if let method = members.method, document.kind(method) == .string {
      if let params = members.params, document.kind(params) != .object, document.kind(params) != .array {
        self = .invalid(id, "params must be an object")
      } else {
        self = .call(Call(method: method, params: members.params, id: id))
      }
    } else {
      self = .invalid(
        id, members.method == nil ? "method is missing; it must be a string" : "method must be a string")
    }
  }

  /// Whether a value can be the id of a call.
  public static func isValidID(_ document: borrowing JSONDocument, _ id: JSONDocument.Node) -> Bool {
    switch document.kind(id) {
    case .string, .number, .null: true
    case .true, .false, .array, .object: false
    }
  }

  private enum Version { case two, other }

  private struct Members {
    /// The value of `jsonrpc`; `nil` if it is missing.
    var version: Version?
    var method: JSONDocument.Node?
    var params: JSONDocument.Node?
    var id: JSONDocument.Node?
    var hasOutcome = false

    @inline(__always) mutating func read(_ document: borrowing JSONDocument, _ object: JSONDocument.Node) {
      var child = document.firstChild(object)
      while let key = child, let value = document.sibling(after: key, in: object) {
        switch MemberName(document, key) {
        case .jsonrpc: version = document.equals(value, "2.0") ? .two : .other
        case .method: method = value
        case .params: params = value
        case .id: id = value
        case .result, .error: hasOutcome = true
        case nil: break
        }
        child = document.sibling(after: value, in: object)
      }
    }
  }

  /// The members of a JSON-RPC message.
  public enum MemberName: CaseIterable, Sendable {
    case jsonrpc, method, params, id, result, error

    @inline(__always) var text: StaticString {
      switch self {
      case .jsonrpc: "jsonrpc"
      case .method: "method"
      case .params: "params"
      case .id: "id"
      case .result: "result"
      case .error: "error"
      }
    }

    /// The member that the key at a node names; `nil` if JSON-RPC defines no such member. The
    /// function compares lengths first, so that it compares the key with at most three names.
    @inline(__always) public init?(_ document: borrowing JSONDocument, _ key: JSONDocument.Node) {
      @inline(__always) func match(_ name: MemberName) -> MemberName? { document.equals(key, name.text) ? name : nil }
      let name: MemberName?
      switch document.text(key).count {
      case _ where document.hasEscapes(key): name = MemberName.allCases.first { document.equals(key, $0.text) }
      case 2: name = match(.id)
      case 5: name = match(.error)
      case 6: name = match(.method) ?? match(.params) ?? match(.result)
      case 7: name = match(.jsonrpc)
      default: name = nil
      }
      guard let name else { return nil }
      self = name
    }
  }
}
