/// The tokens of a document, in memory that is reused when the document parses another text.
///
/// The tokens are not in an array, because checking its uniqueness at each change would take a
/// tenth of the parsing time.
@usableFromInline struct TokenList: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<JSONDocument.Token>
  @usableFromInline var count = 0
  @usableFromInline var capacity = 64

  @usableFromInline init() { base = .allocate(capacity: capacity) }

  @inlinable deinit { base.deallocate() }

  /// The token at an index. The bounds are checked, because the index comes from a caller's node,
  /// which may belong to another document.
  @inlinable subscript(index: Int) -> JSONDocument.Token {
    @inline(__always) get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      return base[index]
    }
  }

  /// Replaces all tokens of this list by the first `count` tokens of another list.
  mutating func copy(_ other: borrowing TokenList, count: Int) {
    precondition(UInt(bitPattern: count) <= UInt(bitPattern: other.count))
    while capacity < count { grow() }
    base.update(from: other.base, count: count)
    self.count = count
  }

  /// Sets the number of tokens to `count`. If the list grows, the added tokens are those that were
  /// last stored at these indices.
  @inline(__always) mutating func reuse(_ count: Int) {
    precondition(UInt(bitPattern: count) <= UInt(bitPattern: capacity))
    self.count = count
  }

  /// Removes all tokens and keeps the memory.
  @inline(__always) mutating func removeAll() { count = 0 }

  @inline(__always) mutating func removeLast() { count = max(count - 1, 0) }

  @inline(__always) mutating func append(_ token: JSONDocument.Token) {
    if count == capacity { grow() }
    base[count] = token
    count &+= 1
  }

  /// Replaces a token.
  @inline(__always) mutating func put(
    _ kind: JSONKind, _ start: Int, _ end: Int, hasEscapes: Bool = false, at index: Int, next: UInt32? = nil
  ) {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
    base[index] = .init(
      kind: kind, hasEscapes: hasEscapes, start: UInt32(truncatingIfNeeded: start),
      end: UInt32(truncatingIfNeeded: end),
      next: next ?? UInt32(truncatingIfNeeded: index &+ 1))
  }

  /// Copies the positions of the tokens in `range` from another list of the same length, and shifts
  /// the start and the end of each token by what `shifts` returns for its index.
  @inline(__always) mutating func move(
    _ other: borrowing TokenList, _ range: Range<Int>, _ shifts: (Int) -> (start: Int, end: Int)
  ) {
    precondition(range.upperBound <= count && range.upperBound <= other.count && range.lowerBound >= 0)
    for index in range {
      let token = other.base[index]
      let (start, end) = shifts(index)
      base[index].start = token.start &+ UInt32(truncatingIfNeeded: start)
      base[index].end = token.end &+ UInt32(truncatingIfNeeded: end)
    }
  }

  /// Completes the array or object at `index`: it ends at the offset `end` of the text, and
  /// contains all later tokens of the list.
  @inline(__always) mutating func close(_ index: Int, end: Int) {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
    base[index].end = UInt32(truncatingIfNeeded: end)
    base[index].next = UInt32(truncatingIfNeeded: count)
  }

  /// Closes all arrays and objects whose end is not known yet: each then contains all later tokens
  /// of the list.
  mutating func closeAll() {
    for index in 0..<count where base[index].next == .max { base[index].next = UInt32(truncatingIfNeeded: count) }
  }

  @inline(never) private mutating func grow() {
    let larger = UnsafeMutablePointer<JSONDocument.Token>.allocate(capacity: capacity * 2)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
    capacity *= 2
  }
}
