import JSONCodec

/// Walks through a JSON text in document order, including the names of members.
enum MessageWalk {
  /// The maximum nesting depth of a message that is read. Messages of the engine nest more deeply
  /// than others, because they contain parts of authenticators' messages.
  static var maximumDepth: Int { 160 }

  /// What a value means, according to its position in the message.
  enum Role: Equatable {
    case other
    /// The name of a member.
    case name
    /// The `message` of an error object: a text of the engine, which may contain an unknown name.
    case message(of: JSONDocument.Node)
    /// An unknown name from a view that the engine repeats: in the data of an error, or in the list
    /// of ignored params.
    case unknownName
    /// The name of the session that a notification concerns.
    case session
    /// The value of an external item, or the value that a `setItem` command gives to any item.
    case itemValue
    /// A part of the data of an accepting answer.
    case data
    /// The `text` of a message or an alert object.
    case text(of: JSONDocument.Node)
    /// The URL of a link.
    case url
    /// A regular expression for input.
    case pattern
  }

  static func forEachString(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, _ body: (JSONDocument.Node) -> Void
  ) {
    forEachValue(document, node) { node, _ in
      if document.kind(node) == .string { body(node) }
      return true
    }
  }

  /// Calls `body` with each value and with the name of each member. `body` returns whether to
  /// descend into the value.
  static func forEachValue(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, _ body: (JSONDocument.Node, Role) -> Bool
  ) {
    forEachValue(document, node, .other, depth: 0, body)
  }

  private static func forEachValue(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, _ role: Role, depth: Int,
    _ body: (JSONDocument.Node, Role) -> Bool
  ) {
    guard body(node, role) else { return }
    switch document.kind(node) {
    case .array:
      var child = document.firstChild(node)
      while let element = child {
        // Two levels, so that no element of a batch is taken for a notification.
        let inherited = role == .data || role == .unknownName ? role : .other
        forEachValue(document, element, inherited, depth: depth + 2, body)
        child = document.sibling(after: element, in: node)
      }
    case .object:
      document.forEachMember(node) { key, value in
        _ = body(key, .name)
        let role = role == .data ? .data : self.role(document, of: key, in: node, depth)
        forEachValue(document, value, role, depth: depth + 1, body)
      }
    case .null, .true, .false, .number, .string: break
    }
  }

  private static func role(
    _ document: borrowing JSONDocument, of key: JSONDocument.Node, in object: JSONDocument.Node, _ depth: Int
  ) -> Role {
    func has(_ name: StaticString, _ text: StaticString) -> Bool {
      document.member(name, of: object).map { document.equals($0, text) } ?? false
    }
    if document.equals(key, "message") { return .message(of: object) }
    if document.equals(key, "name") || document.equals(key, "param"), document.member("code", of: object) != nil {
      return .unknownName
    }
    if document.equals(key, "ignored") { return .unknownName }
    if document.equals(key, "url") { return .url }
    if document.equals(key, "pattern") || document.equals(key, "matches") { return .pattern }
    if document.equals(key, "text"),
      document.member("code", of: object) != nil || document.member("messages", of: object) != nil
    {
      return .text(of: object)
    }
    if depth == 1, document.equals(key, "session") { return .session }
    if document.equals(key, "value"), has("kind", "external") || has("command", "setItem") { return .itemValue }
    guard document.equals(key, "data") else { return .other }
    // Objects with one of these members are an answer, a scene or an earlier step, and `data` in
    // them comes from an authenticator. Errors have a `data` member too.
    let names: [StaticString] = ["outcome", "principal", "attempt"]
    return names.contains { document.member($0, of: object) != nil } ? .data : .other
  }
}

extension JSONDocument {
  /// Calls `body` with each member of an object.
  borrowing func forEachMember(_ object: Node, _ body: (_ key: Node, _ value: Node) -> Void) {
    var child = firstChild(object)
    while let key = child, let value = sibling(after: key, in: object) {
      body(key, value)
      child = sibling(after: value, in: object)
    }
  }
}

extension ByteBuffer {
  /// Appends the name of a member, with the brace or comma before it.
  mutating func appendKey(_ document: borrowing JSONDocument, _ key: JSONDocument.Node, _ isFirst: inout Bool) {
    var name = document.string(key)
    name.withUTF8 { appendKey(UnsafeRawBufferPointer($0), &isFirst) }
  }

  mutating func appendKey(_ name: UnsafeRawBufferPointer, _ isFirst: inout Bool) {
    append(isFirst ? 0x7B : 0x2C)
    isFirst = false
    appendJSONString(name)
    append(0x3A)
  }

  /// Appends the end of an object.
  mutating func appendEnd(isEmpty: Bool) { append(isEmpty ? "{}" : "}") }

  /// Appends a value unchanged.
  mutating func appendValue(_ document: borrowing JSONDocument, _ value: JSONDocument.Node) {
    JSONValue(document, value).write(to: &self)
  }

  /// Appends, in place of a value, another one that has the same JSON kind and carries no
  /// information.
  mutating func appendShape(_ document: borrowing JSONDocument, _ value: JSONDocument.Node) {
    switch document.kind(value) {
    case .null: append("null")
    // `true` replaces both, because it is shorter than `false` and so no line grows over the limit.
    case .true, .false: append("true")
    case .number: append("0")
    case .string: append(#""""#)
    case .array: append("[]")
    case .object: append("{}")
    }
  }
}
