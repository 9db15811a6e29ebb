/// A set of positions of a pattern. The positions are its characters and classes after repetitions
/// are expanded.
struct PositionSet: Hashable, Sendable {
  static var capacity: Int { 256 }

  var words: SIMD4<UInt64>

  @inline(__always) init() { words = SIMD4(repeating: 0) }

  /// A set with one position. The position must be below the capacity; the parser rejects patterns
  /// with more positions.
  init(_ position: Int) {
    self.init()
    insert(position)
  }

  @inline(__always) var isEmpty: Bool { words == SIMD4(repeating: 0) }

  func contains(_ position: Int) -> Bool { words[position >> 6] >> UInt64(position & 63) & 1 == 1 }

  mutating func insert(_ position: Int) { words[position >> 6] |= 1 << UInt64(position & 63) }

  @inline(__always) mutating func formUnion(_ other: PositionSet) { words |= other.words }

  @inline(__always) mutating func formIntersection(_ other: PositionSet) { words &= other.words }

  /// Keeps the positions that are in exactly one of this set and `other`.
  @inline(__always) mutating func formSymmetricDifference(_ other: PositionSet) { words ^= other.words }

  @inline(__always) func intersects(_ other: PositionSet) -> Bool { words & other.words != SIMD4(repeating: 0) }

  /// The positions in order.
  var positions: [Int] { (0..<PositionSet.capacity).filter(contains) }
}
