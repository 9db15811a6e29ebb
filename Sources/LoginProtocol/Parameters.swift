public import JSONCodec

/// The params of a call, which can be accessed by name.
public struct Parameters {
  /// The names of the params of all methods.
  public enum Name: UInt8, CaseIterable, Sendable {
    case session, item, value, action, revision, flow, screen, locale, values, cursor, limit, milliseconds, transitions,
      policy, detail, context, secrets, supports, principal, saved, `protocol`, timeoutMs, id

    /// The param's name on the wire.
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
      case .detail: "detail"
      case .context: "context"
      case .secrets: "secrets"
      case .supports: "supports"
      case .principal: "principal"
      case .saved: "saved"
      case .protocol: "protocol"
      case .timeoutMs: "timeoutMs"
      case .id: "id"
      }
    }
  }

  /// The maximum number of names in a set.
  package static var capacity: Int { UInt32.bitWidth }

  /// A set of names.
  @usableFromInline struct Names: OptionSet {
    @usableFromInline let rawValue: UInt32

    @inlinable static var session: Names { Names(.session) }
    @inlinable static var item: Names { Names(.item) }
    @inlinable static var value: Names { Names(.value) }
    @inlinable static var action: Names { Names(.action) }
    @inlinable static var revision: Names { Names(.revision) }
    @inlinable static var flow: Names { Names(.flow) }
    @inlinable static var screen: Names { Names(.screen) }
    @inlinable static var locale: Names { Names(.locale) }
    @inlinable static var values: Names { Names(.values) }
    @inlinable static var cursor: Names { Names(.cursor) }
    @inlinable static var limit: Names { Names(.limit) }
    @inlinable static var milliseconds: Names { Names(.milliseconds) }
    @inlinable static var transitions: Names { Names(.transitions) }
    @inlinable static var policy: Names { Names(.policy) }
    @inlinable static var detail: Names { Names(.detail) }
    @inlinable static var context: Names { Names(.context) }
    @inlinable static var secrets: Names { Names(.secrets) }
    @inlinable static var supports: Names { Names(.supports) }
    @inlinable static var principal: Names { Names(.principal) }
    @inlinable static var saved: Names { Names(.saved) }
    @inlinable static var `protocol`: Names { Names(.protocol) }
    @inlinable static var timeoutMs: Names { Names(.timeoutMs) }
    @inlinable static var id: Names { Names(.id) }

    @inlinable @inline(__always) init(rawValue: UInt32) { self.rawValue = rawValue }
    @inlinable @inline(__always) init(_ name: Name) { rawValue = 1 << UInt32(name.rawValue) }
  }

  /// The position of each param's value in the document; -1 if the param is not given. These are
  /// separate properties, because each access to an inline array would copy the array.
  @usableFromInline var session: Int32 = -1
  @usableFromInline var item: Int32 = -1
  @usableFromInline var value: Int32 = -1
  @usableFromInline var action: Int32 = -1
  @usableFromInline var revision: Int32 = -1
  @usableFromInline var flow: Int32 = -1
  @usableFromInline var screen: Int32 = -1
  @usableFromInline var locale: Int32 = -1
  @usableFromInline var values: Int32 = -1
  @usableFromInline var cursor: Int32 = -1
  @usableFromInline var limit: Int32 = -1
  @usableFromInline var milliseconds: Int32 = -1
  @usableFromInline var transitions: Int32 = -1
  @usableFromInline var policy: Int32 = -1
  @usableFromInline var detail: Int32 = -1
  @usableFromInline var context: Int32 = -1
  @usableFromInline var secrets: Int32 = -1
  @usableFromInline var supports: Int32 = -1
  @usableFromInline var principal: Int32 = -1
  @usableFromInline var saved: Int32 = -1
  @usableFromInline var protocolVersion: Int32 = -1
  @usableFromInline var timeoutMs: Int32 = -1
  @usableFromInline var id: Int32 = -1
  @usableFromInline var given: Names = []
  /// The position in the document of the first param name that no method has; -1 if there is none.
  @usableFromInline var unknown: Int32 = -1

  private init() {}

  /// No params.
  public static var none: Parameters { Parameters() }

  /// Reads the members of `node`; none if it is `nil`.
  public init(_ document: borrowing JSONDocument, _ node: JSONDocument.Node?) {
    guard let node else { return }
    var child = document.firstChild(node)
    while let key = child, let value = document.sibling(after: key, in: node) {
      if let name = Parameters.name(document, key) {
        insert(name, at: Int32(truncatingIfNeeded: value.position))
      } else if unknown < 0 {
        unknown = Int32(truncatingIfNeeded: key.position)
      }
      child = document.sibling(after: value, in: node)
    }
  }

  private mutating func insert(_ name: Name, at position: Int32) {
    given.insert(Names(name))
    switch name {
    case .session: session = position
    case .item: item = position
    case .value: value = position
    case .action: action = position
    case .revision: revision = position
    case .flow: flow = position
    case .screen: screen = position
    case .locale: locale = position
    case .values: values = position
    case .cursor: cursor = position
    case .limit: limit = position
    case .milliseconds: milliseconds = position
    case .transitions: transitions = position
    case .policy: policy = position
    case .detail: detail = position
    case .context: context = position
    case .secrets: secrets = position
    case .supports: supports = position
    case .principal: principal = position
    case .saved: saved = position
    case .protocol: protocolVersion = position
    case .timeoutMs: timeoutMs = position
    case .id: id = position
    }
  }

  /// The value of a param, if it is given.
  @inlinable public subscript(_ name: Name) -> JSONDocument.Node? {
    @inline(__always) get {
      let position = position(of: name)
      return position < 0 ? nil : JSONDocument.Node(position: Int(position))
    }
  }

  @inlinable @inline(__always) func position(of name: Name) -> Int32 {
    switch name {
    case .session: session
    case .item: item
    case .value: value
    case .action: action
    case .revision: revision
    case .flow: flow
    case .screen: screen
    case .locale: locale
    case .values: values
    case .cursor: cursor
    case .limit: limit
    case .milliseconds: milliseconds
    case .transitions: transitions
    case .policy: policy
    case .detail: detail
    case .context: context
    case .secrets: secrets
    case .supports: supports
    case .principal: principal
    case .saved: saved
    case .protocol: protocolVersion
    case .timeoutMs: timeoutMs
    case .id: id
    }
  }

  /// Whether `method` has all given params.
  @inlinable @inline(__always) public func allBelong(to method: Method) -> Bool {
    unknown < 0 && given.isSubset(of: method.parameters)
  }

  /// Throws if `method` does not have a given param.
  @inlinable @inline(__always) public func check(
    for method: Method, _ document: borrowing JSONDocument
  ) throws(RPCError) {
    if !allBelong(to: method) { throw unknownParameter(of: method, document) }
  }

  /// The error for a param that `method` does not have: for the first unknown param or, if all are
  /// known, for one that belongs to another method.
  @inline(never) @usableFromInline func unknownParameter(of method: Method, _ document: borrowing JSONDocument)
    -> RPCError
  {
    let name =
      unknown < 0
      ? Name.allCases.first { given.contains(Names($0)) && !method.knows($0) }.map { "\($0.text)" }
      : RPCError.name(document, JSONDocument.Node(position: Int(unknown)))
    return .unknownParameter(name, of: method)
  }

  /// Ignores the params that `method` does not have.
  public mutating func removeUnknown(to method: Method) {
    unknown = -1
    given.formIntersection(method.parameters)
  }

  /// The names of the given params that `method` does not have, in the order of the call. Names
  /// that an error must not repeat (`RPCError.name`) are left out.
  @inline(never) public func unknownNames(
    to method: Method, _ document: borrowing JSONDocument, _ node: JSONDocument.Node
  ) -> [String] {
    var names: [String] = []
    var child = document.firstChild(node)
    while let key = child, let value = document.sibling(after: key, in: node) {
      let name = Parameters.name(document, key)
      if !(name.map { method.knows($0) } ?? false), let text = RPCError.name(document, key) { names.append(text) }
      child = document.sibling(after: value, in: node)
    }
    return names
  }

  /// The param that the key at a node names; `nil` if no method has such a param. The function
  /// compares lengths first, so that it compares the key with few names.
  private static func name(_ document: borrowing JSONDocument, _ key: JSONDocument.Node) -> Name? {
    guard !document.hasEscapes(key) else { return Name.allCases.first { document.equals(key, $0.text) } }
    @inline(__always) func match(_ name: Name) -> Name? { document.equals(key, name.text) ? name : nil }
    switch document.text(key).count {
    case 2: return match(.id)
    case 4: return match(.item) ?? match(.flow)
    case 5: return match(.value) ?? match(.limit) ?? match(.saved)
    case 6:
      return match(.action) ?? match(.screen) ?? match(.locale) ?? match(.values) ?? match(.cursor) ?? match(.policy)
        ?? match(.detail)
    case 7: return match(.session) ?? match(.context) ?? match(.secrets)
    case 8: return match(.revision) ?? match(.supports) ?? match(.protocol)
    case 9: return match(.principal) ?? match(.timeoutMs)
    case 11: return match(.transitions)
    case 12: return match(.milliseconds)
    default: return nil
    }
  }
}

extension Parameters {
  /// The node of a param that has to be given and has to be a string.
  @inlinable @inline(__always) public func requiredString(
    _ name: Name, _ document: borrowing JSONDocument
  ) throws(RPCError) -> JSONDocument.Node {
    guard let node = self[name], document.kind(node) == .string else { throw Parameters.isNoString(name) }
    return node
  }

  @inline(never) @usableFromInline static func isNoString(_ name: Name) -> RPCError {
    .invalidParams(name, "Give \(name.text) as a string.")
  }

  /// The node of a param that has to be a string; `nil` if it is not given.
  @inlinable @inline(__always) public func optionalString(
    _ name: Name, _ document: borrowing JSONDocument
  ) throws(RPCError) -> JSONDocument.Node? {
    guard let node = self[name] else { return nil }
    guard document.kind(node) == .string else { throw Parameters.isNoString(name) }
    return node
  }

  /// The value of a param that has to be a whole number of at least 0; `nil` if it is not given.
  @inlinable @inline(__always) public func optionalNumber(
    _ name: Name, _ document: borrowing JSONDocument
  ) throws(RPCError) -> UInt64? {
    guard let node = self[name] else { return nil }
    return try Parameters.number(name, node, document)
  }

  @inline(never) @usableFromInline static func number(
    _ name: Name, _ node: JSONDocument.Node, _ document: borrowing JSONDocument
  ) throws(RPCError) -> UInt64 {
    guard let number = document.wholeNumber(node) else {
      throw .invalidParams(name, "Give \(name.text) as a whole number from 0 to 2^63-1.")
    }
    return number
  }
}
