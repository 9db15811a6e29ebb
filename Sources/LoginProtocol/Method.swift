public import JSONCodec

/// What a frontend can ask for.
public enum Method: CaseIterable, Sendable {
  case change, perform, open, close, snapshot, list, describe, advance

  /// The name on the wire.
  public var name: StaticString {
    switch self {
    case .change: "session/change"
    case .perform: "session/perform"
    case .open: "session/open"
    case .close: "session/close"
    case .snapshot: "session/snapshot"
    case .list: "session/list"
    case .describe: "engine/describe"
    case .advance: "clock/advance"
    }
  }

  /// The params that it knows.
  var parameters: [Parameters.Name] {
    switch self {
    case .change: [.session, .item, .value, .revision]
    case .perform: [.session, .action, .revision]
    case .open: [.session, .flow, .screen, .locale, .values]
    case .close, .snapshot: [.session]
    case .list: [.cursor, .limit]
    case .describe: []
    case .advance: [.milliseconds]
    }
  }

  /// The method that the string at `node` names.
  @inlinable public init?(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    for method in Method.inOrderOfUse where document.equals(node, method.name) {
      self = method
      return
    }
    return nil
  }

  @usableFromInline static let inOrderOfUse = Method.allCases
}
