extension Pattern {
  /// Finds a text of `count` Unicode scalars that matches all patterns in `matched` and none in
  /// `unmatched`, with printable ASCII characters where possible.
  ///
  /// Returns `nil` if there is no such text, or if the search exceeds its limit of steps.
  ///
  /// - Parameter number: selects one of the possible texts. Different numbers may select the same
  ///   text.
  public static func text(
    of count: Int, matching matched: [Pattern], andNone unmatched: [Pattern], number: UInt64
  ) -> [UInt8]? {
    var search = PatternSearch(matched.map(\.program), unmatched.map(\.program))
    return search.text(of: count, number: number)
  }
}

/// A search that runs several patterns at once over all texts, in the order of their length. Texts
/// that lead to the same positions in all patterns are treated as one.
private struct PatternSearch {
  /// The maximum number of steps.
  private static let maximumSteps = 50_000

  /// The state that one pattern is in after a text was read.
  private struct Progress: Hashable {
    /// The positions that can match the next character.
    var next: PositionSet
    var isMatch: Bool
  }

  private let programs: [PatternProgram]
  /// The number of patterns that must match. These patterns come first. The patterns after them
  /// must not match.
  private let matchedCount: Int
  /// A set of characters that all patterns treat alike.
  private struct Letter {
    /// The positions of each pattern that match these characters.
    let positions: [PositionSet]
    /// Some of these characters: the printable ASCII ones if there are any.
    var scalars: [Unicode.Scalar]
  }

  private let letters: [Letter]
  private var steps = 0

  init(_ matched: [PatternProgram], _ unmatched: [PatternProgram]) {
    programs = matched + unmatched
    matchedCount = matched.count
    letters = PatternSearch.letters(of: programs)
  }

  mutating func text(of count: Int, number: UInt64) -> [UInt8]? {
    // For each length, the states that texts of this length lead to.
    var states: [Set<[Progress]>] = [[programs.map { Progress(next: $0.first, isMatch: $0.isNullable) }]]
    for _ in 0..<max(count, 0) {
      var next: Set<[Progress]> = []
      for state in states.last ?? [] {
        // Each letter is followed once in this pass and once in the pass back.
        steps += 2 * letters.count
        guard steps <= PatternSearch.maximumSteps else { return nil }
        for letter in letters {
          if let followed = follow(state, letter.positions) { next.insert(followed) }
        }
      }
      states.append(next)
    }
    // Going backwards, keep the states from which a wanted state can be reached.
    var wanted: Set<[Progress]>?
    for length in states.indices.reversed() {
      let next = wanted
      states[length] = states[length].filter { state in
        guard let next else { return isWanted(state) }
        return letters.contains { follow(state, $0.positions).map { next.contains($0) } ?? false }
      }
      wanted = states[length]
    }
    guard var state = states.first?.first else { return nil }
    var choices = number
    func choose<Element>(_ elements: [Element]) -> Element? {
      choices = choices &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return elements.isEmpty ? nil : elements[Int(choices >> 33) % elements.count]
    }
    var text = String.UnicodeScalarView()
    for wanted in states.dropFirst() {
      let ways = letters.compactMap { letter in
        follow(state, letter.positions).flatMap { wanted.contains($0) ? (letter: letter, state: $0) : nil }
      }
      guard let way = choose(ways), let scalar = choose(way.letter.scalars) else { return nil }
      text.append(scalar)
      state = way.state
    }
    return Array(String(text).utf8)
  }

  private func isWanted(_ state: [Progress]) -> Bool {
    state.indices.allSatisfy { state[$0].isMatch == ($0 < matchedCount) }
  }

  /// The state after one more letter; `nil` if a pattern that must match can no longer match.
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

  /// The maximum number of characters that are kept for a `Letter` without printable ASCII
  /// characters.
  private static let mostScalars = 64

  private static func letters(of programs: [PatternProgram]) -> [Letter] {
    let bounds = Set(programs.flatMap(\.scalars.bounds) + [0]).sorted()
    let namesCategories = programs.contains { $0.scalars.namesCategories }
    var letters: [Letter] = []
    var known: [[PositionSet]: Int] = [:]
    func add(_ scalar: Unicode.Scalar, isReadable: Bool) {
      let positions = programs.map { $0.scalars.positions(of: scalar) }
      guard let letter = known[positions] else {
        known[positions] = letters.count
        return letters.append(Letter(positions: positions, scalars: [scalar]))
      }
      let hasReadable = letters[letter].scalars[0].isASCII
      if isReadable || !hasReadable && letters[letter].scalars.count < mostScalars {
        letters[letter].scalars.append(scalar)
      }
    }
    for byte in UInt8(0x21)...0x7E { add(Unicode.Scalar(byte), isReadable: true) }
    for (index, bound) in bounds.enumerated() {
      let end = index + 1 < bounds.count ? bounds[index + 1] : 0x110000
      // If categories matter, scan the scalars until every category was seen.
      var categories: Set<Int> = []
      var count = 0
      for scalar in (bound..<max(bound, end)).lazy.compactMap(Unicode.Scalar.init) {
        if namesCategories, !categories.insert(ScalarCategories.number(of: scalar)).inserted, count >= mostScalars {
          continue
        }
        add(scalar, isReadable: false)
        count += 1
        if namesCategories ? categories.count == ScalarCategories.count : count == mostScalars { break }
      }
    }
    return letters
  }
}
