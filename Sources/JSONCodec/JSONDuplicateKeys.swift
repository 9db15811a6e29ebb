/// A filter like a Bloom filter. Without comparing keys, it shows for most objects that all of
/// their keys differ. It considers only keys without escapes.
struct KeyFilter {
  private var marks: UInt64 = 0
  /// The number of keys that were added.
  private(set) var count = 0
  /// Whether two keys may be equal. If this is false, all keys differ.
  private(set) var mayRepeat = false

  /// Adds a key. `count` is its length with the quotes; `first` and `last` are its first and last
  /// bytes, or the quotes of an empty key.
  @inline(__always) mutating func insert(_ first: UInt8, _ last: UInt8, count: Int) {
    // The factors are chosen so that the marks of the protocol's names differ.
    let mark: UInt64 = 1 &<< (UInt64(first) &+ UInt64(last) &* 3 &+ UInt64(truncatingIfNeeded: count) &* 2)
    if marks & mark != 0 { mayRepeat = true }
    marks |= mark
    self.count += 1
  }
}

extension JSONParser {
  /// The offset of the first key that repeats an earlier key of the same object. `object` is the
  /// index of the object's token.
  func duplicateKey(of object: Int, members: Int, in tokens: borrowing TokenList) -> Int? {
    members <= 12
      ? duplicateByPairs(of: object, in: tokens)
      : duplicateByHashing(of: object, members: members, in: tokens)
  }

  private func duplicateByPairs(of object: Int, in tokens: borrowing TokenList) -> Int? {
    let end = Int(tokens[object].next)
    let first = object + 1
    var right = Int(tokens[first + 1].next)
    while right < end {
      var left = first
      while left < right {
        if equal(tokens[left], tokens[right]) { return Int(tokens[right].start) }
        left = Int(tokens[left + 1].next)
      }
      right = Int(tokens[right + 1].next)
    }
    return nil
  }

  @inline(__always) private func equal(_ left: JSONDocument.Token, _ right: JSONDocument.Token) -> Bool {
    if !left.hasEscapes, !right.hasEscapes {
      return left.end - left.start == right.end - right.start && sameBytes(text(left), text(right))
    }
    return equalUnescaped(left, right)
  }

  @inline(never) private func equalUnescaped(_ left: JSONDocument.Token, _ right: JSONDocument.Token) -> Bool {
    if !right.hasEscapes { return JSONString.unescapedEquals(text(left), text(right)) }
    var scratch = ByteBuffer()
    JSONString.unescape(text(right), into: &scratch)
    return scratch.withBytes { JSONString.unescapedEquals(text(left), $0) }
  }

  /// Finds duplicate keys with a hash table. Used for objects with many members, so that a hostile
  /// text cannot take quadratic time. The standard library seeds its hashes randomly, so an
  /// attacker cannot predict them.
  private func duplicateByHashing(of object: Int, members: Int, in tokens: borrowing TokenList) -> Int? {
    // At most half of the table's places are used. 0 marks a free place: token 0 is the root value
    // and never a key.
    var places = [Int32](repeating: 0, count: 2 << (Int.bitWidth - members.leadingZeroBitCount))
    var scratch = ByteBuffer()
    var key = object + 1
    let end = Int(tokens[object].next)
    while key < end {
      var place = hash(tokens[key], &scratch) & (places.count - 1)
      while places[place] != 0 {
        if equal(tokens[Int(places[place])], tokens[key]) { return Int(tokens[key].start) }
        place = (place + 1) & (places.count - 1)
      }
      places[place] = Int32(truncatingIfNeeded: key)
      key = Int(tokens[key + 1].next)
    }
    return nil
  }

  private func hash(_ key: JSONDocument.Token, _ scratch: inout ByteBuffer) -> Int {
    var hasher = Hasher()
    if key.hasEscapes {
      scratch.removeAll()
      JSONString.unescape(text(key), into: &scratch)
      scratch.withBytes { hasher.combine(bytes: $0) }
    } else {
      hasher.combine(bytes: text(key))
    }
    return hasher.finalize()
  }

  private func text(_ token: JSONDocument.Token) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + Int(token.start), count: Int(token.end) - Int(token.start))
  }
}
