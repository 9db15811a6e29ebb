/// A map from scalars to the positions of a pattern that match them.
struct ScalarTable: Sendable {
  /// The positions for each ASCII character.
  private var ascii: [PositionSet] = []
  /// The sorted scalar values at which a range begins or after which it has just ended, starting
  /// with 0. The scalars between two neighbouring bounds all belong to the same ranges.
  private(set) var bounds: [UInt32] = []
  /// For each bound, the positions whose ranges contain the scalars from this bound to the next
  /// one.
  private var listed: [PositionSet]
  /// For each category, the positions whose classes name it; empty if no class names a category.
  private var categories: [PositionSet] = []
  /// The positions of negated classes.
  private var negated = PositionSet()

  /// Builds the table from the classes of the positions, in order.
  init(_ classes: [CharacterClass]) {
    var bounds: Set<UInt32> = [0]
    for range in classes.flatMap(\.ranges) { bounds.formUnion([range.lowerBound, range.upperBound + 1]) }
    self.bounds = bounds.sorted()
    listed = self.bounds.map { _ in PositionSet() }
    for (position, characters) in classes.enumerated() {
      if characters.isNegated { negated.insert(position) }
      for range in characters.ranges {
        var place = self.place(of: range.lowerBound)
        while place < self.bounds.count, self.bounds[place] <= range.upperBound {
          listed[place].insert(position)
          place += 1
        }
      }
    }
    if classes.contains(where: { !$0.categories.isEmpty }) {
      categories = (0..<ScalarCategories.count).map { category in
        var positions = PositionSet()
        for position in classes.indices where classes[position].categories.contains(category) {
          positions.insert(position)
        }
        return positions
      }
    }
    ascii = (0..<0x80).map { look(up: Unicode.Scalar(UInt8($0))) }
  }

  /// Whether two scalars between the same bounds can match different positions because of their
  /// categories.
  var namesCategories: Bool { !categories.isEmpty }

  @inline(__always)
  func positions(of scalar: Unicode.Scalar) -> PositionSet {
    scalar.value < 0x80 ? ascii[Int(scalar.value)] : look(up: scalar)
  }

  private func look(up scalar: Unicode.Scalar) -> PositionSet {
    var positions = listed[place(of: scalar.value)]
    if !categories.isEmpty { positions.formUnion(categories[ScalarCategories.number(of: scalar)]) }
    positions.formSymmetricDifference(negated)
    return positions
  }

  /// The index of the last bound that is not above `value`.
  private func place(of value: UInt32) -> Int {
    var (low, high) = (0, bounds.count)
    while high &- low > 1 {
      let middle = (low &+ high) / 2
      if bounds[middle] <= value { low = middle } else { high = middle }
    }
    return low
  }
}
