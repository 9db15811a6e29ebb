/// A compiled pattern: at most 64 KiB of immutable tables.
///
/// A match keeps the set of positions at which the text read so far can end. For each scalar, it
/// looks up which positions can follow, four positions at a time, and which positions match the
/// scalar.
final class PatternProgram: Sendable {
  /// The source text of the pattern.
  let text: String
  let classes: [CharacterClass]
  let follow: [PositionSet]
  let first: PositionSet
  let last: PositionSet
  let isNullable: Bool
  let scalars: ScalarTable
  /// For each group of four positions: for each of the group's 16 subsets, the positions that can
  /// follow the subset.
  private let followOfFours: [PositionSet]

  /// Compiles a node that is within all limits.
  init(_ node: PatternNode, text: String) {
    self.text = text
    var builder = PatternBuilder()
    let whole = builder.part(node)
    (classes, follow) = (builder.classes, builder.follow)
    (first, last, isNullable) = (whole.first, whole.last, whole.isNullable)
    scalars = ScalarTable(builder.classes)
    var fours: [PositionSet] = []
    for start in stride(from: 0, to: builder.follow.count, by: 4) {
      for subset in 0..<16 {
        var next = PositionSet()
        for position in builder.follow.indices.dropFirst(start).prefix(4) where subset >> (position - start) & 1 == 1 {
          next.formUnion(builder.follow[position])
        }
        fours.append(next)
      }
    }
    followOfFours = fours
  }

  /// The result of a match, and the number of table look-ups that it took: at each scalar, at most
  /// one for every four positions.
  struct Run {
    var isMatch = false
    var steps = 0
  }

  func run(_ text: Span<UInt8>) -> Run {
    var run = Run()
    guard !text.isEmpty else {
      run.isMatch = isNullable
      return run
    }
    var index = 0
    var next = first
    var active = PositionSet()
    while index < text.count {
      guard let scalar = scalar(of: text, at: &index) else { return run }
      active = scalars.positions(of: scalar)
      active.formIntersection(next)
      if active.isEmpty { return run }
      if index < text.count { next = positions(after: active, &run.steps) }
    }
    run.isMatch = active.intersects(last)
    return run
  }

  /// The positions that can follow any of the active positions.
  func positions(after active: PositionSet) -> PositionSet {
    var steps = 0
    return positions(after: active, &steps)
  }

  @inline(__always)
  private func positions(after active: PositionSet, _ steps: inout Int) -> PositionSet {
    var next = PositionSet()
    for word in 0..<4 {
      var bits = active.words[word]
      while bits != 0 {
        let place = bits.trailingZeroBitCount & ~3
        let subset = bits >> UInt64(place) & 15
        next.formUnion(followOfFours[(word &* 64 &+ place) &* 4 &+ Int(subset)])
        bits &= ~(15 << UInt64(place))
        steps &+= 1
      }
    }
    return next
  }
}

/// Decodes the scalar at `index` and advances `index` past it; `nil` if the bytes are not UTF-8.
@inline(__always)
func scalar(of text: Span<UInt8>, at index: inout Int) -> Unicode.Scalar? {
  let lead = text[index]
  index &+= 1
  if lead < 0x80 { return Unicode.Scalar(lead) }
  let (following, least): (Int, UInt32) =
    switch lead {
    case 0xC2...0xDF: (1, 0x80)
    case 0xE0...0xEF: (2, 0x800)
    case 0xF0...0xF4: (3, 0x10000)
    default: (0, .max)
    }
  guard following > 0, following <= text.count &- index else { return nil }
  var value = UInt32(lead) & (0x3F >> UInt32(truncatingIfNeeded: following))
  for _ in 0..<following {
    guard text[index] & 0xC0 == 0x80 else { return nil }
    value = value << 6 | UInt32(text[index] & 0x3F)
    index &+= 1
  }
  return value >= least ? Unicode.Scalar(value) : nil
}
