extension Pattern {
  /// A text of so many Unicode scalars that matches each of `matched` and none of `unmatched`, of printable ASCII characters where it can be.
  ///
  /// `nil` if there is none, and if it takes more steps to find one than such a question is worth.
  ///
  /// - Parameter number: chooses among such texts. Different numbers may lead to the same text.
  public static func text(
    of count: Int, matching matched: [Pattern], andNone unmatched: [Pattern], number: UInt64
  ) -> [UInt8]? {
    var search = PatternSearch(matched.map(\.program), unmatched.map(\.program))
    return search.text(of: count, number: number)
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
  /// A kind of characters that no expression tells apart.
  private struct Letter {
    /// The positions of each expression that match them.
    let positions: [PositionSet]
    /// Some of them, those of ASCII that can be printed if there are any.
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
    // What texts of each length lead to.
    var states: [Set<[Progress]>] = [[programs.map { Progress(next: $0.first, isMatch: $0.isNullable) }]]
    for _ in 0..<max(count, 0) {
      var next: Set<[Progress]> = []
      for state in states.last ?? [] {
        // Each is looked at once here, and once from the end.
        steps += 2 * letters.count
        guard steps <= PatternSearch.maximumSteps else { return nil }
        for letter in letters {
          if let followed = follow(state, letter.positions) { next.insert(followed) }
        }
      }
      states.append(next)
    }
    // From the end: those from which a wanted one can be reached.
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

  /// How many characters of a kind there are to choose from where none of ASCII can be printed.
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
      // Where categories count, each scalar is looked at until all categories were seen.
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
