import JSONCodec

/// Goes through the strings of a JSON text, names of members included, in their order.
enum StringWalk {
  /// What an authenticator says stands deeper in what the engine says.
  static var maximumDepth: Int { 160 }

  /// What a string is where it stands.
  enum Role {
    case other
    /// The `message` of an error, which an engine says in its own words.
    case message
    /// The session that a notification is about.
    case session
  }

  static func forEachString(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, _ body: (JSONDocument.Node, Role) -> Void
  ) {
    forEachString(document, node, .other, depth: 0, body)
  }

  private static func forEachString(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, _ role: Role, depth: Int,
    _ body: (JSONDocument.Node, Role) -> Void
  ) {
    switch document.kind(node) {
    case .string: body(node, role)
    case .array:
      var child = document.firstChild(node)
      while let element = child {
        // Two levels, so that no element of a batch looks like a notification.
        forEachString(document, element, .other, depth: depth + 2, body)
        child = document.sibling(after: element, in: node)
      }
    case .object:
      document.forEachMember(node) { key, value in
        body(key, .other)
        let role: Role =
          document.equals(key, "message") ? .message : depth == 1 && document.equals(key, "session") ? .session : .other
        forEachString(document, value, role, depth: depth + 1, body)
      }
    case .null, .true, .false, .number: break
    }
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

  /// Appends a value as it is.
  mutating func appendValue(_ document: borrowing JSONDocument, _ value: JSONDocument.Node) {
    JSONValue(document, value).write(to: &self)
  }

  /// Appends a value of the same kind that says nothing.
  mutating func appendShape(_ document: borrowing JSONDocument, _ value: JSONDocument.Node) {
    switch document.kind(value) {
    case .null: append("null")
    case .true, .false: append("false")
    case .number: append("0")
    case .string: append(#""""#)
    case .array: append("[]")
    case .object: append("{}")
    }
  }
}
