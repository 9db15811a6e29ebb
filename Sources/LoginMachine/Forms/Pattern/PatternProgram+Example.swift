extension PatternProgram {
  /// The greatest minimum length that a caller can ask of an example, in scalars.
  private static var longestExample: Int { 4096 }

  /// The shortest matching text of at least `minimum` scalars; `nil` if there is none.
  func example(minimum: Int) -> [UInt8]? {
    if minimum <= 0, isNullable { return [] }
    guard minimum <= PatternProgram.longestExample else { return nil }
    // Detecting an empty class can require a scan of all scalars, so each distinct class is scanned
    // only once.
    var known: [CharacterClass: Unicode.Scalar?] = [:]
    for characters in classes where known[characters] == nil {
      known.updateValue(characters.example, forKey: characters)
    }
    let examples = classes.map { known[$0] ?? nil }
    // The positions at which a text of 1, 2, … scalars can end. In a shortest text no position
    // repeats after the first `minimum` scalars.
    var ends: [PositionSet] = []
    var next = first
    for length in 1...(max(minimum, 0) + classes.count + 1) {
      var end = PositionSet()
      for position in next.positions where examples[position] != nil { end.insert(position) }
      if end.isEmpty { return nil }
      ends.append(end)
      if length >= minimum, end.intersects(last) { return example(ending: ends, examples) }
      next = PositionSet()
      for position in end.positions { next.formUnion(follow[position]) }
    }
    return nil
  }

  /// Reconstructs a text backwards from one of the positions at which it can end.
  private func example(ending ends: [PositionSet], _ examples: [Unicode.Scalar?]) -> [UInt8] {
    var scalars: [Unicode.Scalar] = []
    var goal = last
    for end in ends.reversed() {
      guard let position = end.positions.first(where: goal.contains), let scalar = examples[position] else { break }
      scalars.append(scalar)
      goal = PositionSet()
      for (other, next) in follow.enumerated() where next.contains(position) { goal.insert(other) }
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars.reversed())
    return Array(String(text).utf8)
  }
}
