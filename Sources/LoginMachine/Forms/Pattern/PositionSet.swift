/// A set of positions of an expression: of the characters and classes in it, once what is repeated is written out.
struct PositionSet: Hashable, Sendable {
  static var capacity: Int { 256 }

  var words: SIMD4<UInt64>

  @inline(__always) init() { words = SIMD4(repeating: 0) }

  /// No position is beyond the capacity: the reader refuses expressions with more.
  init(_ position: Int) {
    self.init()
    insert(position)
  }

  @inline(__always) var isEmpty: Bool { words == SIMD4(repeating: 0) }

  func contains(_ position: Int) -> Bool { words[position >> 6] >> UInt64(position & 63) & 1 == 1 }

  mutating func insert(_ position: Int) { words[position >> 6] |= 1 << UInt64(position & 63) }

  @inline(__always) mutating func formUnion(_ other: PositionSet) { words |= other.words }

  @inline(__always) mutating func formIntersection(_ other: PositionSet) { words &= other.words }

  /// Those that are in one of the two sets only.
  @inline(__always) mutating func formSymmetricDifference(_ other: PositionSet) { words ^= other.words }

  @inline(__always) func intersects(_ other: PositionSet) -> Bool { words & other.words != SIMD4(repeating: 0) }

  /// The positions in it, in order.
  var positions: [Int] { (0..<PositionSet.capacity).filter(contains) }
}
