public import JSONCodec

/// The params of a call, by name.
public struct Parameters {
  /// All names that any method knows.
  public enum Name: UInt8, CaseIterable, Sendable {
    case session, item, value, action, revision, flow, screen, locale, values, cursor, limit, milliseconds

    /// The name on the wire.
    public var text: StaticString {
      switch self {
      case .session: "session"
      case .item: "item"
      case .value: "value"
      case .action: "action"
      case .revision: "revision"
      case .flow: "flow"
      case .screen: "screen"
      case .locale: "locale"
      case .values: "values"
      case .cursor: "cursor"
      case .limit: "limit"
      case .milliseconds: "milliseconds"
      }
    }
  }

  private var nodes = [12 of Int32](repeating: -1)
  private(set) var hasUnknown = false

  /// Reads the members of `node`; a missing object has none.
  public init(_ document: borrowing JSONDocument, _ node: JSONDocument.Node?) {
    guard let node else { return }
    var child = document.firstChild(node)
    while let key = child, let value = document.sibling(after: key, in: node) {
      if let name = Parameters.name(document, key) {
        nodes[Int(name.rawValue)] = Int32(truncatingIfNeeded: value.position)
      } else {
        hasUnknown = true
      }
      child = document.sibling(after: value, in: node)
    }
  }

  /// The value that a param was given.
  @inline(__always) public subscript(_ name: Name) -> JSONDocument.Node? {
    let position = nodes[Int(name.rawValue)]
    return position < 0 ? nil : JSONDocument.Node(position: Int(position))
  }

  /// Refuses what `method` does not know.
  public func check(for method: Method) throws(RPCError) {
    let known = method.parameters
    guard !hasUnknown, Name.allCases.allSatisfy({ self[$0] == nil || known.contains($0) }) else {
      let names = known.map { "\($0.text)" }
      throw .invalidParams(
        nil,
        names.isEmpty
          ? "This method takes no params." : "A param is unknown; this method takes \(names.joined(separator: ", ")).")
    }
  }

  private static func name(_ document: borrowing JSONDocument, _ key: JSONDocument.Node) -> Name? {
    for name in Name.allCases where document.equals(key, name.text) { return name }
    return nil
  }
}

extension Parameters {
  /// A param that must be a string.
  @inline(__always) public func requiredString(
    _ name: Name, _ document: borrowing JSONDocument
  ) throws(RPCError) -> JSONDocument.Node {
    guard let node = self[name], document.kind(node) == .string else {
      throw .invalidParams(name, "Give \(name.text) as a string.")
    }
    return node
  }

  /// A param that is a string if it is given.
  public func optionalString(
    _ name: Name, _ document: borrowing JSONDocument
  ) throws(RPCError) -> JSONDocument.Node? {
    guard let node = self[name] else { return nil }
    guard document.kind(node) == .string else { throw .invalidParams(name, "Give \(name.text) as a string.") }
    return node
  }

  /// A param that is a whole number from 0 on if it is given.
  public func optionalNumber(_ name: Name, _ document: borrowing JSONDocument) throws(RPCError) -> UInt64? {
    guard let node = self[name] else { return nil }
    guard let number = document.wholeNumber(node) else {
      throw .invalidParams(name, "Give \(name.text) as a whole number from 0 on.")
    }
    return number
  }
}
