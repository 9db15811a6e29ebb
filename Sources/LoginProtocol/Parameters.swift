public import JSONCodec

/// The params of a call, by name.
public struct Parameters {
  /// All names that any method knows.
  public enum Name: UInt8, CaseIterable, Sendable {
    case session, item, value, action, revision, flow, screen, locale, values, cursor, limit, milliseconds, transitions,
      policy, context, secrets

    /// The name on the wire.
    @inline(__always) public var text: StaticString {
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
      case .transitions: "transitions"
      case .policy: "policy"
      case .context: "context"
      case .secrets: "secrets"
      }
    }
  }

  /// A set of names.
  struct Names: OptionSet {
    let rawValue: UInt32

    static var session: Names { Names(.session) }
    static var item: Names { Names(.item) }
    static var value: Names { Names(.value) }
    static var action: Names { Names(.action) }
    static var revision: Names { Names(.revision) }
    static var flow: Names { Names(.flow) }
    static var screen: Names { Names(.screen) }
    static var locale: Names { Names(.locale) }
    static var values: Names { Names(.values) }
    static var cursor: Names { Names(.cursor) }
    static var limit: Names { Names(.limit) }
    static var milliseconds: Names { Names(.milliseconds) }
    static var transitions: Names { Names(.transitions) }
    static var policy: Names { Names(.policy) }
    static var context: Names { Names(.context) }
    static var secrets: Names { Names(.secrets) }

    @inline(__always) init(rawValue: UInt32) { self.rawValue = rawValue }
    @inline(__always) init(_ name: Name) { rawValue = 1 << UInt32(name.rawValue) }
  }

  /// The most names that there is room for; a power of two.
  package static var capacity: Int { 32 }

  /// The place of each name's value in the document, -1 for none.
  private var nodes = [32 of Int32](repeating: -1)
  private var given: Names = []
  private(set) var hasUnknown = false

  /// Reads the members of `node`; a missing object has none.
  public init(_ document: borrowing JSONDocument, _ node: JSONDocument.Node?) {
    guard let node else { return }
    var child = document.firstChild(node)
    while let key = child, let value = document.sibling(after: key, in: node) {
      if let name = Parameters.name(document, key) {
        nodes[Parameters.slot(name)] = Int32(truncatingIfNeeded: value.position)
        given.insert(Names(name))
      } else {
        hasUnknown = true
      }
      child = document.sibling(after: value, in: node)
    }
  }

  /// Where a name's value is kept. Names beyond the capacity would share a place, which a test finds.
  @inline(__always) private static func slot(_ name: Name) -> Int { Int(name.rawValue) & (capacity - 1) }

  /// The value that a param was given.
  @inline(__always) public subscript(_ name: Name) -> JSONDocument.Node? {
    let position = nodes[Parameters.slot(name)]
    return position < 0 ? nil : JSONDocument.Node(position: Int(position))
  }

  /// Refuses what `method` does not know.
  @inline(__always) public func check(for method: Method) throws(RPCError) {
    if hasUnknown || !given.isSubset(of: method.parameters) { throw unknownParameter(of: method) }
  }

  @inline(never) private func unknownParameter(of method: Method) -> RPCError {
    let names = Name.allCases.filter { method.parameters.contains(Names($0)) }.map { "\($0.text)" }
    return .invalidParams(
      nil,
      names.isEmpty
        ? "This method takes no params." : "A param is unknown; this method takes \(names.joined(separator: ", ")).")
  }

  /// The name that a key is. Its length leaves at most a few to compare with.
  private static func name(_ document: borrowing JSONDocument, _ key: JSONDocument.Node) -> Name? {
    guard !document.hasEscapes(key) else { return Name.allCases.first { document.equals(key, $0.text) } }
    @inline(__always) func match(_ name: Name) -> Name? { document.equals(key, name.text) ? name : nil }
    switch document.text(key).count {
    case 4: return match(.item) ?? match(.flow)
    case 5: return match(.value) ?? match(.limit)
    case 6:
      return match(.action) ?? match(.screen) ?? match(.locale) ?? match(.values) ?? match(.cursor) ?? match(.policy)
    case 7: return match(.session) ?? match(.context) ?? match(.secrets)
    case 8: return match(.revision)
    case 11: return match(.transitions)
    case 12: return match(.milliseconds)
    default: return nil
    }
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
