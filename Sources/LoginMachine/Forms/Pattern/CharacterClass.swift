/// The set of scalars that one position of a pattern matches: ranges and categories, or their
/// complement.
struct CharacterClass: Hashable, Sendable {
  /// Ranges of scalar values in source order; they may overlap.
  private(set) var ranges: [ClosedRange<UInt32>] = []
  private(set) var categories = ScalarCategories()
  /// Whether the class is the complement of the ranges and categories.
  var isNegated = false

  /// The class of `.`: anything but U+000A and U+000D (XML Schema part 2, appendix F).
  static let dot = CharacterClass(ranges: [0x0A...0x0A, 0x0D...0x0D], isNegated: true)

  init() {}

  init(_ scalar: Unicode.Scalar) { insert(scalar, through: scalar) }

  init(_ categories: ScalarCategories) { self.categories = categories }

  private init(ranges: [ClosedRange<UInt32>], isNegated: Bool) { (self.ranges, self.isNegated) = (ranges, isNegated) }

  /// Inserts a range; `last` must not be less than `first`.
  mutating func insert(_ first: Unicode.Scalar, through last: Unicode.Scalar) {
    ranges.append(first.value...last.value)
  }

  mutating func insert(_ categories: ScalarCategories) { self.categories.formUnion(categories) }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let isListed =
      ranges.contains { $0.contains(scalar.value) }
      || !categories.isEmpty && categories.contains(ScalarCategories.number(of: scalar))
    return isListed != isNegated
  }

  /// A scalar of the class, one that is easy to read if possible; `nil` if the class is empty.
  var example: Unicode.Scalar? {
    if let scalar = CharacterClass.readable.first(where: contains) { return scalar }
    if !isNegated, let first = ranges.first { return Unicode.Scalar(first.lowerBound) }
    if isNegated, categories == .all { return nil }
    var value: UInt32 = 0
    while value <= 0x10FFFF {
      if let range = ranges.first(where: { $0.contains(value) }) {
        // All of a range belongs to the class or none of it, so the search skips the whole range.
        value = range.upperBound + 1
        continue
      }
      if let scalar = Unicode.Scalar(value), contains(scalar) { return scalar }
      value += 1
    }
    return nil
  }

  private static let readable = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_@. ".unicodeScalars
    .map { $0 }
}
