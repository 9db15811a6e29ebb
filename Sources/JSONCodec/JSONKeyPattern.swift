/// The keys of an object in their order, to be recognised in other texts without being read.
///
/// Each is kept with all that stands between the value before it, or the object's brace, and its own value, as two words that may overlap.
struct JSONKeyPattern: ~Copyable {
  private struct Key {
    var first: UInt64
    var last: UInt64
    /// The number of bytes, and where the text of the key begins and ends among them.
    var count: Int
    var start: Int
    var end: Int
  }

  /// Where a key was recognised.
  struct Match {
    /// The text of the key, without its quotes.
    let start: Int
    let end: Int
    /// Where its value begins.
    let value: Int
  }

  /// Memory for `capacity` keys from the first use on. Of an array in place each look at one key would copy all.
  private var keys: UnsafeMutablePointer<Key>?
  /// How many keys there are.
  private(set) var count = 0

  /// The most keys.
  static var capacity: Int { 4 }
  /// How many bytes may be kept of a key.
  private static var lengths: ClosedRange<Int> { 8...16 }

  /// No keys: none is recognised.
  init() {}

  deinit { keys?.deallocate() }

  /// Forgets all keys.
  mutating func removeAll() { count = 0 }

  /// Takes over the keys of the object whose token is at `object`, in a text without errors. None if there are too many, if one is written with escapes or is
  /// too short or too long, if a value is an array or an object, or if it takes more than their marks to tell that no two of them are the same.
  mutating func read(_ text: UnsafeRawPointer, _ tokens: borrowing TokenList, object: Int) {
    count = 0
    let memory = keys ?? .allocate(capacity: JSONKeyPattern.capacity)
    keys = memory
    var marks = KeyMarks()
    var index = object + 1
    var start = Int(tokens[object].start)
    while index < Int(tokens[object].next) {
      let (key, value) = (tokens[index], tokens[index + 1])
      let quotes = value.kind == .string ? 1 : 0
      let length = Int(value.start) - quotes - start
      guard marks.count < JSONKeyPattern.capacity, !key.hasEscapes, Int(value.next) == index + 2,
        JSONKeyPattern.lengths.contains(length)
      else { return }
      memory[marks.count] = Key(
        first: text.loadUnaligned(fromByteOffset: start, as: UInt64.self),
        last: text.loadUnaligned(fromByteOffset: start + length - 8, as: UInt64.self),
        count: length, start: Int(key.start) - start, end: Int(key.end) - start)
      marks.insert(text, key)
      index += 2
      start = Int(value.end) + quotes
    }
    if !marks.mayRepeat { count = marks.count }
  }

  /// Whether the key at `index` is the next of the `count` bytes at `base` from `position` on.
  @inline(__always) borrowing func match(
    _ index: Int, _ base: UnsafeRawPointer, _ count: Int, at position: Int
  ) -> Match? {
    guard index < self.count, let key = keys?[index], count &- position >= key.count,
      base.loadUnaligned(fromByteOffset: position, as: UInt64.self) == key.first,
      base.loadUnaligned(fromByteOffset: position &+ key.count &- 8, as: UInt64.self) == key.last
    else { return nil }
    return Match(start: position &+ key.start, end: position &+ key.end, value: position &+ key.count)
  }
}

extension JSONDocument {
  /// Has later texts that begin with the opening that was remembered be read faster if they have in the opening's object the keys that this text has there,
  /// written and ordered as here. Nothing is expected any more if this text does not begin so, has errors, or has more after the object.
  ///
  /// The keys are kept, so there must be no secret in them.
  public mutating func rememberKeys() {
    forgetKeys()
    guard holdsOpening, isWhole, let inner = opening?.inner, Int(tokens[inner].next) == tokens.count else { return }
    pattern.read(text, tokens, object: inner)
  }

  /// Has no keys be expected.
  public mutating func forgetKeys() { pattern.removeAll() }
}
