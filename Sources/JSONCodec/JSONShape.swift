/// The shape of a JSON text: its bytes without the values that may vary, and its tokens.
///
/// Programs write many messages with the same names in the same order. If two texts differ only in
/// values that are strings, numbers or literal names, their tokens have the same structure and
/// differ only in position and in the kinds of these values.
struct JSONShape: ~Copyable {
  /// A value that may vary, and the constant bytes before it. These bytes begin at the end of the
  /// previous value that may vary, or at the start of the text if there is none.
  private struct Hole {
    var start: Int32
    var count: Int32
    /// The index of the value's token.
    var token: Int32
  }

  /// The maximum number of a shape's constant bytes; `maximumHoles` is the maximum number of values
  /// that may vary. For a larger text, recognising the shape would not be faster than parsing.
  static var maximumBytes: Int { 512 }
  static var maximumHoles: Int { 16 }
  /// The number of unused bytes before `bytes`. They allow a word of eight bytes to be loaded that
  /// ends with any of the constant bytes, even the first.
  private static var margin: Int { MemoryLayout<UInt64>.size }

  private let bytes: UnsafeMutableRawPointer
  private let holes: UnsafeMutablePointer<Hole>
  private let holeCount: Int
  /// The constant bytes after the last value that may vary.
  private let end: Hole
  /// The tokens of the text from which the shape was taken.
  private var tokens = TokenList()
  /// The tokens of the text from which the shape was taken, with all positions set to 0. The tokens
  /// of a recognised text start as a copy of these; `complete` sets the positions.
  private var blank = TokenList()
  /// For each token: the number of values that may vary before the token's start, and the number of
  /// such values before its end.
  private let before: UnsafeMutablePointer<(start: UInt8, end: UInt8)>
  /// The shifts that `complete` computes: by how many bytes a position of the recognised text is
  /// shifted, compared with the text from which the shape was taken. The index is the number of
  /// values that may vary before the position. The memory is reused by each call.
  private let shifts: UnsafeMutablePointer<Int>
  /// Creates the shape of a valid text. All values may vary except arrays, objects and `constants`,
  /// which are the indices of tokens in the order of the text. The result is `nil` if the shape
  /// would be too large, or if fewer than eight bytes precede the first value that may vary.
  init?(_ text: UnsafeRawPointer, _ count: Int, _ all: borrowing TokenList, constants: [Int]) {
    var found: [Hole] = []
    var (next, place, total) = (0, 0, 0)
    func visit(_ index: Int) {
      let token = all[index]
      if next < constants.count, constants[next] == index {
        next += 1
      } else if token.kind == .object || token.kind == .array {
        var child = index + 1
        while child < Int(token.next) {
          // Keys may not vary.
          if token.kind == .object { child += 1 }
          visit(child)
          child = Int(all[child].next)
        }
      } else {
        let quote = token.kind == .string ? 1 : 0
        let length = Int(token.start) - quote - place
        found.append(
          Hole(
            start: Int32(truncatingIfNeeded: total), count: Int32(truncatingIfNeeded: length),
            token: Int32(truncatingIfNeeded: index)))
        total += length
        place = Int(token.end) + quote
      }
    }
    visit(0)
    let rest = count - place
    guard total + rest <= JSONShape.maximumBytes, found.count <= JSONShape.maximumHoles, let first = found.first,
      Int(first.count) >= JSONShape.margin
    else { return nil }
    end = Hole(start: Int32(truncatingIfNeeded: total), count: Int32(truncatingIfNeeded: rest), token: -1)
    holeCount = found.count
    holes = .allocate(capacity: found.count)
    for (index, hole) in found.enumerated() { (holes + index).initialize(to: hole) }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: JSONShape.margin + total + rest, alignment: 8)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: JSONShape.margin)
    bytes = memory + JSONShape.margin
    var from = 0
    for hole in found {
      (bytes + Int(hole.start)).copyMemory(from: text + from, byteCount: Int(hole.count))
      let token = all[Int(hole.token)]
      from = Int(token.end) + (token.kind == .string ? 1 : 0)
    }
    (bytes + total).copyMemory(from: text + from, byteCount: rest)
    before = .allocate(capacity: all.count)
    shifts = .allocate(capacity: found.count + 1)
    shifts.initialize(repeating: 0, count: found.count + 1)
    tokens.copy(all, count: all.count)
    blank.copy(all, count: all.count)
    for index in 0..<all.count {
      let token = all[index]
      blank.put(token.kind, 0, 0, hasEscapes: token.hasEscapes, at: index, next: token.next)
      let isContainer = token.kind == .object || token.kind == .array
      let start = found.count { Int($0.token) < index }
      let end = isContainer ? found.count { Int($0.token) < Int(token.next) } : start
      (before + index).initialize(to: (UInt8(truncatingIfNeeded: start), UInt8(truncatingIfNeeded: end)))
    }
  }

  deinit {
    (bytes - JSONShape.margin).deallocate()
    holes.deallocate()
    before.deallocate()
    shifts.deallocate()
  }

  /// The number of tokens of a text with this shape.
  var count: Int { tokens.count }

  /// Whether a text has this shape. If so, `list` is given as many tokens as the shape has, but
  /// only the tokens of the values that may vary are filled in. If not, the contents of `list` are
  /// undefined.
  ///
  /// - Parameter isHeld: whether `list` still has the tokens of an earlier text of this shape, and
  ///   `complete` was not called since.
  @inline(__always) borrowing func match(
    _ base: UnsafeRawPointer, _ count: Int, maximumDepth: Int, into list: inout TokenList, isHeld: Bool
  ) -> Bool {
    // Most texts of other shapes differ in the bytes before the first value.
    guard begins(base, count) else { return false }
    if isHeld { list.reuse(tokens.count) } else { list.copy(blank, count: blank.count) }
    var position = 0
    for index in 0..<holeCount {
      let hole = holes[index]
      guard index == 0 || isSame(hole, base, count, at: position) else { return false }
      position &+= Int(hole.count)
      guard position < count else { return false }
      let start = position &+ 1
      if base.load(fromByteOffset: position, as: UInt8.self) == 0x22 {
        let end = JSONString.endOfPlainRun(base, count, from: start)
        if end < count, base.load(fromByteOffset: end, as: UInt8.self) == 0x22 {
          list.put(.string, start, end, at: Int(hole.token))
          position = end &+ 1
          continue
        }
      }
      guard let end = matchUnusual(base, count, position, maximumDepth, Int(hole.token), &list) else { return false }
      position = end
    }
    return count &- position == Int(end.count) && isSame(end, base, count, at: position)
  }

  /// Whether a text begins with the constant bytes that precede the first value in this shape.
  @inline(__always) private borrowing func begins(_ base: UnsafeRawPointer, _ count: Int) -> Bool {
    isSame(holes[0], base, count, at: 0)
  }

  /// Whether a text has, at a position, the constant bytes that precede a value of this shape. At
  /// least eight bytes must precede the end of these bytes, in the text and in the shape.
  @inline(__always) private borrowing func isSame(
    _ hole: Hole, _ base: UnsafeRawPointer, _ count: Int, at position: Int
  ) -> Bool {
    let length = Int(hole.count)
    guard count &- position >= length else { return false }
    let own = bytes + Int(hole.start)
    let other = base + position
    var offset = 0
    while offset &+ 8 < length {
      guard
        own.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      else { return false }
      offset &+= 8
    }
    // The last word may start before the bytes to compare. Its excess bytes are shifted out.
    let left = UInt64(littleEndian: own.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self))
    let right = UInt64(littleEndian: other.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self))
    let extra = UInt64(truncatingIfNeeded: max(0, 8 &- length) &* 8)
    return (left ^ right) &>> extra == 0 || length == 0
  }

  /// Parses a value that is not a plain string. Returns its end; `nil` if it is an array, an object
  /// or invalid.
  @inline(never) private borrowing func matchUnusual(
    _ base: UnsafeRawPointer, _ count: Int, _ position: Int, _ maximumDepth: Int, _ token: Int,
    _ list: inout TokenList
  ) -> Int? {
    var parser = JSONParser(base: base, count: count, maximumDepth: maximumDepth)
    parser.position = position
    // The value is parsed into a token at the end of the list, and then moved to its place.
    guard let value = parser.parseLeaf(behind: &list) else { return nil }
    list.put(value.kind, Int(value.start), Int(value.end), hasEscapes: value.hasEscapes, at: token)
    return parser.position
  }

  /// Sets the positions of all tokens in `list`, except the tokens of the values that may vary:
  /// `match` has set the positions of these.
  borrowing func complete(_ list: inout TokenList) {
    for hole in 0..<holeCount {
      let (own, other) = (tokens[Int(holes[hole].token)], list[Int(holes[hole].token)])
      let quotes = (other.kind == .string ? 1 : 0) - (own.kind == .string ? 1 : 0)
      shifts[hole + 1] = Int(other.end) - Int(own.end) + quotes
    }
    var (index, next) = (0, 0)
    while index < tokens.count {
      let end = next < holeCount ? Int(holes[next].token) : tokens.count
      list.move(tokens, index..<end) { (shifts[Int(before[$0].start)], shifts[Int(before[$0].end)]) }
      next += 1
      index = end + 1
    }
  }
}

extension JSONDocument {
  /// The maximum number of shapes that a document remembers.
  public static var shapeCapacity: Int { 8 }

  /// Recognises a text that has a remembered shape. Returns the number of the shape, as returned by
  /// `rememberShape`; `nil` if no shape matches.
  ///
  /// The values of the text that may vary are then at the same nodes as in the text whose shape was
  /// remembered. All other nodes are valid only after `complete`.
  @inline(__always) public mutating func recognise(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard shapes.count > 0, let base = bytes.baseAddress, bytes.count < Int(Int32.max) else { return nil }
    return recognise(base, bytes.count)
  }

  private mutating func recognise(_ base: UnsafeRawPointer, _ count: Int) -> Int? {
    var number = lastShape
    for _ in 0..<shapes.count {
      if shapes.match(number, base, count, maximumDepth, &tokens, isHeld: heldShape == number) {
        text = base
        textCount = count
        heldShape = number
        lastShape = number
        isWhole = true
        return number
      }
      // The match that failed may have overwritten tokens of some values.
      heldShape = -1
      number = number &+ 1 == shapes.count ? 0 : number &+ 1
    }
    tokens.removeAll()
    isWhole = false
    return nil
  }

  /// Makes all nodes of a recognised text valid.
  public mutating func complete() {
    guard heldShape >= 0 else { return }
    shapes.complete(heldShape, &tokens)
    heldShape = -1
  }

  /// Remembers the shape of the document's text, so that `recognise` finds later texts that differ
  /// only in values. A value that differs must be a string, a number or a literal name in both
  /// texts. Keys, white space and `constants` have to be the same.
  ///
  /// The document keeps all bytes of the shape, so no key and no constant may be secret. The
  /// constants have to be in the order of the text.
  ///
  /// - Returns: the number of the shape, from 0 on. If the list of shapes is full, the oldest shape
  ///   is dropped and its number is used again. `nil` if the text is invalid, too large, or has
  ///   fewer than eight bytes before the first value that may vary.
  public mutating func rememberShape(constants: [Node]) -> Int? {
    complete()
    guard isWhole, tokens.count > 0, let shape = JSONShape(text, textCount, tokens, constants: constants.map(\.index))
    else { return nil }
    let number = shapes.insert(shape)
    if heldShape == number { heldShape = -1 }
    return number
  }
}

/// The shapes that a document remembers. They are not in an array, because each access to an array
/// would check its uniqueness.
struct ShapeList: ~Copyable {
  private let base: UnsafeMutablePointer<JSONShape>
  private(set) var count = 0
  /// The index of the oldest shape, which the next shape replaces if the list is full.
  private var oldest = 0

  init() { base = .allocate(capacity: JSONDocument.shapeCapacity) }

  deinit {
    base.deinitialize(count: count)
    base.deallocate()
  }

  /// Adds a shape, or replaces the oldest. Returns its index.
  mutating func insert(_ shape: consuming JSONShape) -> Int {
    let place: Int
    if count < JSONDocument.shapeCapacity {
      place = count
      count += 1
    } else {
      place = oldest
      oldest = (oldest + 1) % JSONDocument.shapeCapacity
      (base + place).deinitialize(count: 1)
    }
    (base + place).initialize(to: shape)
    return place
  }

  @inline(__always) borrowing func match(
    _ number: Int, _ text: UnsafeRawPointer, _ count: Int, _ maximumDepth: Int, _ list: inout TokenList, isHeld: Bool
  ) -> Bool {
    precondition(number >= 0 && number < self.count)
    return base[number].match(text, count, maximumDepth: maximumDepth, into: &list, isHeld: isHeld)
  }

  borrowing func complete(_ number: Int, _ list: inout TokenList) {
    precondition(number >= 0 && number < self.count)
    base[number].complete(&list)
  }
}
