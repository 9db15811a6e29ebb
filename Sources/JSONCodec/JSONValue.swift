/// A JSON value as a tree. It is used for texts that are read once: flow definitions, transcripts,
/// messages in tests.
///
/// Numbers are kept as text, so that they do not lose precision. Members keep their order.
public indirect enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A member of an object.
  public struct Member: Sendable {
    public var key: String
    public var value: JSONValue

    public init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// Parses a JSON text.
  public init(parsing bytes: UnsafeRawBufferPointer, maximumDepth: Int = 64) throws(JSONError) {
    var document = JSONDocument(maximumDepth: maximumDepth)
    try document.parse(bytes)
    guard let root = document.root else { throw JSONError(.empty, at: 0) }
    self.init(document, root)
  }

  /// Parses a JSON text.
  public init(parsing text: String) throws(JSONError) {
    try self.init(parsing: Array(text.utf8))
  }

  /// Parses a JSON text.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    let result: Result<JSONValue, JSONError> = bytes.withUnsafeBytes { buffer in
      Result { () throws(JSONError) in try JSONValue(parsing: buffer) }
    }
    self = try result.get()
  }

  /// Creates the tree of the value at `node`.
  public init(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    switch document.kind(node) {
    case .null: self = .null
    case .true: self = .bool(true)
    case .false: self = .bool(false)
    case .number: self = .number(String(decoding: document.text(node), as: UTF8.self))
    case .string: self = .string(document.string(node))
    case .array:
      var elements: [JSONValue] = []
      var child = document.firstChild(node)
      while let element = child {
        elements.append(JSONValue(document, element))
        child = document.sibling(after: element, in: node)
      }
      self = .array(elements)
    case .object:
      var members: [Member] = []
      var child = document.firstChild(node)
      while let key = child, let value = document.sibling(after: key, in: node) {
        members.append(Member(document.string(key), JSONValue(document, value)))
        child = document.sibling(after: value, in: node)
      }
      self = .object(members)
    }
  }

  /// Appends the value as compact JSON.
  public func write(to buffer: inout ByteBuffer) {
    switch self {
    case .null: buffer.append("null")
    case .bool(let value): buffer.append(value ? "true" : "false")
    case .number(let text): buffer.append(text)
    case .string(let text): buffer.appendJSONString(text)
    case .array(let elements):
      buffer.append(0x5B)
      for (index, element) in elements.enumerated() {
        if index > 0 { buffer.append(0x2C) }
        element.write(to: &buffer)
      }
      buffer.append(0x5D)
    case .object(let members):
      buffer.append(0x7B)
      for (index, member) in members.enumerated() {
        if index > 0 { buffer.append(0x2C) }
        buffer.appendJSONString(member.key)
        buffer.append(0x3A)
        member.value.write(to: &buffer)
      }
      buffer.append(0x7D)
    }
  }

  /// How deep arrays and objects are nested in the value: 0 for a string, 1 for an array of
  /// strings.
  public var depth: Int {
    switch self {
    case .null, .bool, .number, .string: 0
    case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
    case .object(let members): 1 + (members.lazy.map(\.value.depth).max() ?? 0)
    }
  }

  /// The value as compact JSON.
  public var text: String {
    var buffer = ByteBuffer()
    write(to: &buffer)
    return buffer.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// The value of an object's member `key`. If several members have that key, the value of the
  /// first one; `nil` if none has.
  public subscript(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  /// The element `index` of an array; `nil` if there is none.
  public subscript(_ index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The text if the value is a string; otherwise `nil`.
  public var string: String? { if case .string(let text) = self { text } else { nil } }
  /// The truth value if the value is a boolean; otherwise `nil`.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The number if the value is a whole number written without a fraction or an exponent; otherwise
  /// `nil`.
  public var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }
  /// The elements if the value is an array; otherwise `nil`.
  public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  /// The members if the value is an object; otherwise `nil`.
  public var members: [Member]? { if case .object(let members) = self { members } else { nil } }
  /// Whether the value is `null`.
  public var isNull: Bool { if case .null = self { true } else { false } }
}

extension JSONValue: Equatable {
  /// Whether two values are equal. The order of members does not matter. Numbers are compared by
  /// their text, and strings by their bytes.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)):
      a.count == b.count
        && zip(byKey(a), byKey(b)).allSatisfy { $0.key.utf8.elementsEqual($1.key.utf8) && $0.value == $1.value }
    case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
    }
  }

  /// The members sorted by the bytes of their keys. Members with equal keys, which no parsed text
  /// has, keep their order.
  private static func byKey(_ members: [Member]) -> [Member] {
    members.enumerated().sorted { left, right in
      if left.element.key.utf8.elementsEqual(right.element.key.utf8) { return left.offset < right.offset }
      return left.element.key.utf8.lexicographicallyPrecedes(right.element.key.utf8)
    }.map(\.element)
  }
}
