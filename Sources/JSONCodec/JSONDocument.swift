/// A parsed JSON text: tokens that refer to the bytes of the text.
///
/// Documents are reusable: once the list of tokens has grown, parsing allocates nothing. The caller
/// owns the bytes and must keep them in place while the document is read.
public struct JSONDocument: ~Copyable {
  /// A value or key of the text.
  @usableFromInline struct Token {
    @usableFromInline var kind: JSONKind
    @usableFromInline var hasEscapes: Bool
    /// The range of the token in the text, from `start` to `end`. For strings, it is between the
    /// quotes.
    @usableFromInline var start: UInt32
    @usableFromInline var end: UInt32
    /// The index of the first token after this value.
    @usableFromInline var next: UInt32
  }

  /// A value in the document, or the key of a member.
  public struct Node: Equatable, Sendable {
    @usableFromInline let index: Int
    @usableFromInline init(_ index: Int) { self.index = index }

    /// The node as a plain position in the document, for callers that store many nodes in little
    /// memory.
    @inlinable public var position: Int { index }
    /// Creates the node at a position that another node of the same document has returned.
    @inlinable public init(position: Int) { index = position }
  }

  @usableFromInline var tokens = TokenList()
  /// The address of the text; any address while there are no tokens. Every token lies within the
  /// text.
  @usableFromInline var text: UnsafeRawPointer
  /// The maximum nesting depth of arrays and objects.
  let maximumDepth: Int
  /// The length of the text, in bytes.
  var textCount = 0
  /// The shapes of texts that the document recognises.
  var shapes = ShapeList()
  /// The number of the shape of the text that was recognised last. The next text usually has this
  /// shape too.
  var lastShape = 0
  /// The number of the shape of a recognised text until `complete` is called for that text;
  /// otherwise -1. Until then, only the positions of the text's values are set in `tokens`.
  var heldShape = -1
  /// Whether the text was parsed or recognised completely, and so is valid JSON.
  var isWhole = false

  /// Creates a document without a text.
  public init(maximumDepth: Int = 64) {
    self.maximumDepth = maximumDepth
    text = UnsafeRawPointer(tokens.base)
  }

  /// The root value of the document; `nil` if not even the start of the value could be parsed.
  @inlinable public var root: Node? { tokens.count == 0 ? nil : Node(0) }

  /// The kind of a value.
  @inlinable public borrowing func kind(_ node: Node) -> JSONKind { tokens[node.index].kind }

  /// The text of a value or key. For a string, that is the text between the quotes, in which
  /// escapes are not replaced.
  @inlinable @inline(__always) public borrowing func text(_ node: Node) -> UnsafeRawBufferPointer {
    text(tokens[node.index])
  }

  @inlinable @inline(__always) borrowing func text(_ token: Token) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: text + Int(token.start), count: Int(token.end &- token.start))
  }

  /// The text of a value or key. For a string, that includes the quotes.
  public borrowing func fullText(_ node: Node) -> UnsafeRawBufferPointer {
    let token = tokens[node.index]
    let quotes = token.kind == .string ? 1 : 0
    return UnsafeRawBufferPointer(
      start: text + Int(token.start) - quotes, count: Int(token.end &- token.start) + 2 * quotes)
  }

  /// Whether a string has escapes, so that its value differs from its `text`.
  @inlinable public borrowing func hasEscapes(_ node: Node) -> Bool { tokens[node.index].hasEscapes }

  /// The first key of an object or the first element of an array.
  @inlinable public borrowing func firstChild(_ node: Node) -> Node? {
    let token = tokens[node.index]
    guard token.kind == .object || token.kind == .array, Int(token.next) > node.index + 1 else { return nil }
    return Node(node.index + 1)
  }

  /// The next node in `parent`. In an object, a key is followed by its value, and a value by the
  /// next key. In an array, an element is followed by the next element.
  @inlinable public borrowing func sibling(after node: Node, in parent: Node) -> Node? {
    let next = Int(tokens[node.index].next)
    return next < Int(tokens[parent.index].next) ? Node(next) : nil
  }

  /// The number of elements of an array or members of an object.
  public borrowing func count(_ node: Node) -> Int {
    var count = 0
    var child = firstChild(node)
    while let current = child {
      count += 1
      child = sibling(after: current, in: node)
    }
    return kind(node) == .object ? count / 2 : count
  }

  /// The value of the member `key` of an object.
  public borrowing func member(_ key: StaticString, of node: Node) -> Node? {
    guard kind(node) == .object else { return nil }
    var child = firstChild(node)
    while let name = child, let value = sibling(after: name, in: node) {
      if equals(name, key) { return value }
      child = sibling(after: value, in: node)
    }
    return nil
  }

  /// Whether a string's value is `expected`, byte by byte.
  ///
  /// Inlined, so that a comparison with a literal compiles to a comparison of the length and one or
  /// two words.
  @inlinable @inline(__always) public borrowing func equals(_ node: Node, _ expected: StaticString) -> Bool {
    equals(node, UnsafeRawBufferPointer(start: expected.utf8Start, count: expected.utf8CodeUnitCount))
  }

  /// Whether a string's value is `expected`, byte by byte.
  @inlinable @inline(__always) public borrowing func equals(_ node: Node, _ expected: UnsafeRawBufferPointer) -> Bool {
    let token = tokens[node.index]
    guard token.kind == .string else { return false }
    if token.hasEscapes { return JSONString.unescapedEquals(text(token), expected) }
    return sameBytes(text(token), expected)
  }

  /// Calls `body` with the value of a string. If the string has escapes, its value is written into
  /// `scratch` first.
  ///
  /// A caller that handles secrets has to wipe `scratch` afterwards.
  @inlinable public borrowing func withString<R>(
    _ node: Node, scratch: inout ByteBuffer, _ body: (UnsafeRawBufferPointer) -> R
  ) -> R {
    guard hasEscapes(node) else { return body(text(node)) }
    scratch.removeAll()
    JSONString.unescape(text(node), into: &scratch)
    return scratch.withBytes { body($0) }
  }

  /// The value of a string. Do not use it for secrets.
  public borrowing func string(_ node: Node) -> String {
    guard hasEscapes(node) else { return String(decoding: text(node), as: UTF8.self) }
    var scratch = ByteBuffer(capacity: text(node).count)
    JSONString.unescape(text(node), into: &scratch)
    return scratch.withBytes { String(decoding: $0, as: UTF8.self) }
  }
}

/// The kinds of JSON values.
public enum JSONKind: UInt8, Sendable {
  case null, `true`, `false`, number, string, array, object
}

/// Whether two byte sequences are equal.
@inlinable @inline(__always) public func sameBytes(
  _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
) -> Bool {
  let count = left.count
  guard count == right.count else { return false }
  @inline(__always) func same<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type, at offset: Int) -> Bool {
    left.loadUnaligned(fromByteOffset: offset, as: type) == right.loadUnaligned(fromByteOffset: offset, as: type)
  }
  // The last word may overlap the word before it, so that no single bytes have to be compared.
  if count >= 8 {
    var offset = 0
    while offset < count - 8 {
      guard same(UInt64.self, at: offset) else { return false }
      offset += 8
    }
    return same(UInt64.self, at: count - 8)
  }
  if count >= 4 { return same(UInt32.self, at: 0) && same(UInt32.self, at: count - 4) }
  if count >= 2 { return same(UInt16.self, at: 0) && same(UInt16.self, at: count - 2) }
  return count == 0 || left[0] == right[0]
}
