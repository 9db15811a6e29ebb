/// A JSON text taken apart into tokens that point into the bytes it was read from.
///
/// Made to be reused: parsing text after text allocates nothing once the list of tokens has grown. The bytes belong to the caller
/// and must stay where they are while the document is looked at.
public struct JSONDocument: ~Copyable {
  /// One value or key of the text.
  @usableFromInline struct Token {
    @usableFromInline var kind: JSONKind
    @usableFromInline var hasEscapes: Bool
    /// Of strings, the bytes between the quotes; of all else, the whole text of the value.
    @usableFromInline var start: UInt32
    @usableFromInline var end: UInt32
    /// The index of the first token that is not part of this value.
    @usableFromInline var next: UInt32
  }

  /// A place in the document: a value, or the key of a member.
  public struct Node: Equatable, Sendable {
    @usableFromInline let index: Int
    @usableFromInline init(_ index: Int) { self.index = index }

    /// Where the node stands in the document, for who keeps many nodes in little room.
    @inlinable public var position: Int { index }
    /// The node at a position that a node of the same document has given.
    @inlinable public init(position: Int) { index = position }
  }

  @usableFromInline var tokens = TokenList()
  /// Where the text begins; anywhere as long as there are no tokens. Every token lies within the text.
  @usableFromInline var text: UnsafeRawPointer
  /// The deepest nesting of arrays and objects that is accepted.
  let maximumDepth: Int
  /// How many bytes the text has.
  var textCount = 0
  /// How texts are written that were remembered.
  var shapes = ShapeList()
  /// The shape of the last text that was recognised, which the next has most often too.
  var lastShape = 0
  /// The shape whose values are there, and nothing else of the text; -1 for none.
  var heldShape = -1
  /// Whether the text is JSON.
  var isWhole = false

  /// An empty document.
  public init(maximumDepth: Int = 64) {
    self.maximumDepth = maximumDepth
    text = UnsafeRawPointer(tokens.base)
  }

  /// The outermost value, or `nil` when not even its beginning could be read.
  @inlinable public var root: Node? { tokens.count == 0 ? nil : Node(0) }

  /// What kind of value this is.
  @inlinable public borrowing func kind(_ node: Node) -> JSONKind { tokens[node.index].kind }

  /// The text of the value as it stands; of a string, what is between the quotes, still escaped.
  @inlinable @inline(__always) public borrowing func text(_ node: Node) -> UnsafeRawBufferPointer {
    text(tokens[node.index])
  }

  @inlinable @inline(__always) borrowing func text(_ token: Token) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: text + Int(token.start), count: Int(token.end &- token.start))
  }

  /// The text of the value as it stands, with a string's quotes.
  public borrowing func fullText(_ node: Node) -> UnsafeRawBufferPointer {
    let token = tokens[node.index]
    let quotes = token.kind == .string ? 1 : 0
    return UnsafeRawBufferPointer(
      start: text + Int(token.start) - quotes, count: Int(token.end &- token.start) + 2 * quotes)
  }

  /// Whether this string's text holds escapes, so that `text` is not yet its value.
  @inlinable public borrowing func hasEscapes(_ node: Node) -> Bool { tokens[node.index].hasEscapes }

  /// The first key of an object or the first element of an array.
  @inlinable public borrowing func firstChild(_ node: Node) -> Node? {
    let token = tokens[node.index]
    guard token.kind == .object || token.kind == .array, Int(token.next) > node.index + 1 else { return nil }
    return Node(node.index + 1)
  }

  /// What follows `node` in `parent`: from a key its value, from a value the next key; from an element the next element.
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

  /// Whether this string's value is `expected`, byte for byte.
  ///
  /// Inlined so that the comparison with a literal becomes one of a length and one or two words.
  @inlinable @inline(__always) public borrowing func equals(_ node: Node, _ expected: StaticString) -> Bool {
    equals(node, UnsafeRawBufferPointer(start: expected.utf8Start, count: expected.utf8CodeUnitCount))
  }

  /// Whether this string's value is `expected`, byte for byte.
  @inlinable @inline(__always) public borrowing func equals(_ node: Node, _ expected: UnsafeRawBufferPointer) -> Bool {
    let token = tokens[node.index]
    guard token.kind == .string else { return false }
    if token.hasEscapes { return JSONString.unescapedEquals(text(token), expected) }
    return sameBytes(text(token), expected)
  }

  /// Calls `body` with this string's value, unescaped into `scratch` where there are escapes.
  ///
  /// A caller that handles secrets wipes `scratch` afterwards.
  @inlinable public borrowing func withString<R>(
    _ node: Node, scratch: inout ByteBuffer, _ body: (UnsafeRawBufferPointer) -> R
  ) -> R {
    guard hasEscapes(node) else { return body(text(node)) }
    scratch.removeAll()
    JSONString.unescape(text(node), into: &scratch)
    return scratch.withBytes { body($0) }
  }

  /// This string's value; not for secrets.
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

/// Whether two runs of bytes are the same.
@inlinable @inline(__always) public func sameBytes(
  _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
) -> Bool {
  let count = left.count
  guard count == right.count else { return false }
  @inline(__always) func same<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type, at offset: Int) -> Bool {
    left.loadUnaligned(fromByteOffset: offset, as: type) == right.loadUnaligned(fromByteOffset: offset, as: type)
  }
  // The last word may overlap the one before it, so that no bytes are left to be looked at one by one.
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
