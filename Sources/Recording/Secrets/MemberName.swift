import JSONCodec

/// The members that JSON-RPC gives a message.
enum MemberName: CaseIterable {
  case jsonrpc, id, method, params, result, error

  private var text: StaticString {
    switch self {
    case .jsonrpc: "jsonrpc"
    case .id: "id"
    case .method: "method"
    case .params: "params"
    case .result: "result"
    case .error: "error"
    }
  }

  /// The name that a key is; `nil` if JSON-RPC does not know it.
  init?(_ document: borrowing JSONDocument, _ key: JSONDocument.Node) {
    for name in MemberName.allCases where document.equals(key, name.text) {
      self = name
      return
    }
    return nil
  }
}
