/// The beginning of a text that was taken apart before, up to and into an object that is the value of one of the outermost object's members.
///
/// Programs write message after message with the same names in the same order. A text that begins with the same bytes has the same tokens up to there.
struct JSONOpening: ~Copyable {
  private var bytes: ByteBuffer
  /// Those of the outermost object and of all that is in it, up to the inner object's own, which is the last.
  private var tokens = TokenList()
  /// The keys of the outermost object, up to that of the inner one.
  let keys: KeyMarks

  /// The most bytes that are worth comparing.
  static var maximumBytes: Int { 256 }

  /// The opening of `text` up to and into the object at `inner`, which is the last of `tokens` that are looked at. `nil` if it is too long, or if a key is
  /// written with escapes.
  init?(_ text: UnsafeRawPointer, _ all: borrowing TokenList, inner: Int) {
    let count = Int(all[inner].start) + 1
    guard count <= JSONOpening.maximumBytes else { return nil }
    var keys = KeyMarks()
    var key = 1
    while key < inner {
      let token = all[key]
      guard !token.hasEscapes else { return nil }
      keys.insert(text, token)
      key = Int(all[key + 1].next)
    }
    self.keys = keys
    tokens.copy(all, count: inner + 1)
    tokens.reopen(0)
    tokens.reopen(inner)
    bytes = ByteBuffer(capacity: count)
    bytes.append(text, count)
  }

  /// How many bytes it has.
  var count: Int { bytes.count }

  /// The inner object's token.
  var inner: Int { tokens.count - 1 }

  /// Whether a text begins so.
  @inline(__always) borrowing func begins(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count > bytes.count && bytes.withBytes { sameBytes($0, UnsafeRawBufferPointer(rebasing: text[..<$0.count])) }
  }

  /// Makes `list` the tokens up to there, with the two objects still open. `isHeld` says whether these are its first tokens, be the objects open or not.
  @inline(__always) borrowing func restore(_ list: inout TokenList, isHeld: Bool) {
    guard isHeld else { return list.copy(tokens, count: tokens.count) }
    list.reuse(tokens.count)
    list.reopen(0)
    list.reopen(inner)
  }
}

extension JSONDocument {
  /// Has later texts that begin as this one, up to and into the object at `node`, not be taken apart anew up to there. Returns whether they will: not if `node`
  /// is not the value of a member of the outermost object, or stands too far behind, or if the text has an error, which a later text would not be told of.
  ///
  /// The bytes up to there are kept, so there must be no secret in them.
  @discardableResult public mutating func rememberOpening(of node: Node) -> Bool {
    guard isWhole, kind(node) == .object, tokens[0].kind == .object, maximumDepth >= 2, isOutermostValue(node) else {
      return false
    }
    opening = JSONOpening(text, tokens, inner: node.index)
    holdsOpening = opening != nil
    forgetKeys()
    return holdsOpening
  }

  /// Whether a node is the value of a member of the outermost object.
  private func isOutermostValue(_ node: Node) -> Bool {
    var key = 1
    while key + 1 < node.index { key = Int(tokens[key + 1].next) }
    return key + 1 == node.index
  }
}
