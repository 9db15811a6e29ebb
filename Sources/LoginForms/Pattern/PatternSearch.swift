extension Pattern {
  /// Whether there is a text of so many Unicode scalars that matches each of `matched` and none of `unmatched`.
  ///
  /// `nil` if that takes more steps to find out than such a question is worth.
  ///
  /// - Parameters:
  ///   - lengths: how long the text may be; at least 0.
  ///   - isOneLine: whether the text may have no line feed and no carriage return.
  public static func hasText(
    of lengths: ClosedRange<Int>, matching matched: [Pattern], andNone unmatched: [Pattern], isOneLine: Bool = false
  ) -> Bool? {
    var search = PatternSearch(matched.map(\.program), unmatched.map(\.program), isOneLine: isOneLine)
    return search.hasText(of: lengths)
  }
}

/// Reads all texts with several expressions at once: those of one length after the other, and of all that lead to the same positions only one.
private struct PatternSearch {
  /// How many characters are read at most.
  private static let maximumSteps = 50_000

  /// What an expression has made of a text.
  private struct Progress: Hashable {
    /// The positions that can come next.
    var next: PositionSet
    var isMatch: Bool
  }

  private let programs: [PatternProgram]
  /// How many of the expressions have to match; those behind them must not.
  private let matchedCount: Int
  /// For each kind of characters that no expression tells apart, the positions of each expression that match them.
  private let letters: [[PositionSet]]
  private var steps = 0

  init(_ matched: [PatternProgram], _ unmatched: [PatternProgram], isOneLine: Bool) {
    programs = matched + unmatched
    matchedCount = matched.count
    letters = PatternSearch.letters(of: programs, isOneLine: isOneLine)
  }

  mutating func hasText(of lengths: ClosedRange<Int>) -> Bool? {
    var states: Set<[Progress]> = [programs.map { Progress(next: $0.first, isMatch: $0.isNullable) }]
    var known: Set<[Progress]> = []
    for length in 0...lengths.upperBound {
      if length >= lengths.lowerBound {
        if states.contains(where: isWanted) { return true }
        // What can follow a state is known where the state is, however long the text is.
        states.subtract(known)
        known.formUnion(states)
      }
      if states.isEmpty { return false }
      var next: Set<[Progress]> = []
      for state in states {
        steps += letters.count
        guard steps <= PatternSearch.maximumSteps else { return nil }
        for letter in letters {
          if let followed = follow(state, letter) { next.insert(followed) }
        }
      }
      states = next
    }
    return false
  }

  private func isWanted(_ state: [Progress]) -> Bool {
    state.indices.allSatisfy { state[$0].isMatch == ($0 < matchedCount) }
  }

  /// `nil` if an expression that has to match never does after that.
  private func follow(_ state: [Progress], _ letter: [PositionSet]) -> [Progress]? {
    var followed = state
    for index in state.indices {
      var active = letter[index]
      active.formIntersection(state[index].next)
      if active.isEmpty, index < matchedCount { return nil }
      followed[index] = Progress(
        next: programs[index].positions(after: active), isMatch: active.intersects(programs[index].last))
    }
    return followed
  }

  private static func letters(of programs: [PatternProgram], isOneLine: Bool) -> [[PositionSet]] {
    let lineEnds: Set<UInt32> = isOneLine ? [0x0A, 0x0D] : []
    let bounds = Set(programs.flatMap(\.scalars.bounds) + lineEnds.flatMap { [$0, $0 + 1] } + [0]).sorted()
    let namesCategories = programs.contains { $0.scalars.namesCategories }
    var letters: Set<[PositionSet]> = []
    for (index, bound) in bounds.enumerated() where !lineEnds.contains(bound) {
      let end = index + 1 < bounds.count ? bounds[index + 1] : 0x110000
      // Where categories count, each scalar is looked at until all categories were seen.
      var categories: Set<Int> = []
      for scalar in (bound..<max(bound, end)).lazy.compactMap(Unicode.Scalar.init) {
        if namesCategories, !categories.insert(ScalarCategories.number(of: scalar)).inserted { continue }
        letters.insert(programs.map { $0.scalars.positions(of: scalar) })
        if !namesCategories || categories.count == ScalarCategories.count { break }
      }
    }
    return Array(letters)
  }
}
