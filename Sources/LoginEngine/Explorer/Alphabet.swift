import LoginMachine

/// The values that an exploration enters into the items of one screen: one value of each kind that
/// the machine can tell apart.
///
/// A machine distinguishes only whether a value is acceptable, whether it equals the value of
/// another item, and which items it shows and hides. So most items have at most three values here:
/// an empty, an acceptable and an unacceptable one. Items that are compared with each other share
/// their values, which include two different acceptable values. Items that control the visibility
/// of others have all their values, or, for texts, one value for each combination of conditions
/// that a text can meet.
struct Alphabet {
  /// The values of one item.
  enum Values {
    case texts([[UInt8]])
    case options([[UInt8]?])
    case positions
    case nothing
  }

  /// The time of all events in an exploration: a day in 2001, in milliseconds since 1970.
  static let utc: UInt64 = 1_000_000_000_000

  /// The exploration tries all combinations of a screen's values if there are at most this many.
  static let maximumCombinations = 2000

  let values: [Values]
  /// For each item, whether it is compared with others, so that its exact value matters.
  let isCompared: [Bool]
  /// For each item, whether the visibility of anything depends on its value.
  let isController: [Bool]
  /// Whether the screen has too many combinations of values to explore all of them, so that it is
  /// only filled in from top to bottom.
  let isOrdered: Bool

  init(of screen: Screen) {
    let groups = Alphabet.groups(of: screen)
    let conditions = screen.items.compactMap(\.visibility) + screen.sections.compactMap(\.visibility)
    var expectations: [[Item.Expectation]] = screen.items.map { _ in [] }
    for part in conditions.flatMap(\.parts) { expectations[part.item].append(part.expected) }
    let isController = expectations.map { !$0.isEmpty }
    isCompared = screen.items.indices.map { item in groups.count { $0 == groups[item] } > 1 }
    values = screen.items.indices.map { item in
      switch screen.items[item].kind {
      case .input where screen.items[item].isReadOnly: .nothing
      case .input:
        .texts(
          Alphabet.texts(for: screen.items.indices.filter { groups[$0] == groups[item] }, of: screen, expectations))
      case .selection(let options, _):
        .options(Alphabet.options(options, screen.items[item].rules, all: isController[item]))
      case .switch: .positions
      case .external: .options([nil, Array("{}".utf8)])
      case .text, .link, .code: .nothing
      }
    }
    self.isController = isController
    var combinations = 1
    for value in values where combinations <= Alphabet.maximumCombinations { combinations *= value.count }
    isOrdered = combinations > Alphabet.maximumCombinations
  }

  /// For each item, the first item of its group. A group consists of items that are compared with
  /// one another.
  private static func groups(of screen: Screen) -> [Int] {
    var groups = Array(screen.items.indices)
    for item in screen.items.indices {
      for rule in screen.items[item].rules {
        guard let other = rule.requirement.otherItem, groups[item] != groups[other] else { continue }
        let (kept, given) = (min(groups[item], groups[other]), max(groups[item], groups[other]))
        groups = groups.map { $0 == given ? kept : $0 }
      }
    }
    return groups
  }

  private static func texts(
    for group: [Int], of screen: Screen, _ expectations: [[Item.Expectation]]
  ) -> [[UInt8]] {
    var kept: [[UInt8]] = [[]]
    var kinds: [(acceptable: [Bool], met: [Bool], count: Int)] = []
    let asked = group.flatMap { expectations[$0] }
    for text in group.flatMap({ candidates(for: screen.items[$0].rules, expectations[$0]) }) where !kept.contains(text)
    {
      let acceptable = group.map {
        RuleSet(of: screen.items[$0].rules, failingOn: text.span, at: Alphabet.utc, isSameAs: { _ in true }).isEmpty
      }
      let met = asked.map { $0.isMet(byText: text) }
      // A group has two values of this kind only if they are acceptable for all its items: one
      // value to repeat, and another to repeat it wrongly.
      let maximum = group.count > 1 && !acceptable.contains(false) ? 2 : 1
      if let kind = kinds.firstIndex(where: { $0.acceptable == acceptable && $0.met == met }) {
        guard kinds[kind].count < maximum else { continue }
        kinds[kind].count += 1
      } else {
        kinds.append((acceptable, met, 1))
      }
      kept.append(text)
    }
    return kept
  }

  /// Texts on both sides of every bound in the rules, and texts that meet or do not meet the
  /// conditions.
  private static func candidates(for rules: [Rule], _ expectations: [Item.Expectation]) -> [[UInt8]] {
    var lengths = [6, 1]
    var candidates: [[UInt8]] = []
    for rule in rules {
      switch rule.requirement {
      case .minLength(let length, _), .maxLength(let length):
        lengths += [length, length &- 1, length &+ 1].filter { 1...longestText ~= $0 }
      case .oneOf(let values): candidates += values.filter { !$0.isEmpty }
      case .required, .email, .equalTo, .pattern: break
      case .date, .minAge, .maxAge, .before, .after: candidates += dates(for: rule.requirement)
      }
    }
    for case .texts(let values) in expectations { candidates += values.filter { !$0.isEmpty } }
    for case .matches(let pattern) in expectations { candidates += texts(for: pattern, lengths) }
    for case .pattern(let pattern) in rules.map(\.requirement) { candidates += texts(for: pattern, lengths) }
    for length in lengths {
      for letter in Array("ab".utf8) {
        let text = [UInt8](repeating: letter, count: length)
        if length > 2 { candidates.append(text.dropLast(2) + "@c".utf8) }
        candidates.append(text)
      }
    }
    return candidates
  }

  /// Dates on both sides of a date rule's bound, and a date that does not exist.
  private static func dates(for requirement: Rule.Requirement) -> [[UInt8]] {
    let today = CalendarDate(utc: utc)
    var days = [today]
    switch requirement {
    case .minAge(let years), .maxAge(let years):
      let (year, month, day) = today.parts
      // Under a maximum age, someone born a day less than `years` + 1 years ago is still allowed.
      for years in [years, years + 1] {
        if let birth = Int32(exactly: years).flatMap({ CalendarDate(year: year - $0, month: month, day: day) }) {
          days.append(birth)
        }
      }
    case .before(.day(let bound)), .after(.day(let bound)): days.append(bound)
    case .before(.today), .after(.today), .date, .required, .minLength, .maxLength, .email, .equalTo, .oneOf, .pattern:
      break
    }
    return days.flatMap { day in [day, day.adding(days: -1), day.adding(days: 1)] }.map { Array($0.text.utf8) }
      + [Array("2001-02-29".utf8)]
  }

  /// Texts of several lengths that match the pattern, and slight variations of them, which may
  /// match or not.
  private static func texts(for pattern: Pattern, _ lengths: [Int]) -> [[UInt8]] {
    guard let shortest = pattern.example() else { return [] }
    var texts = [shortest]
    for length in [shortest.count + 1] + lengths {
      if let longer = pattern.example(minimum: length) { texts.append(longer) }
    }
    for text in texts {
      // Cutting within a character leaves invalid UTF-8.
      let rest: [UInt8] = text.dropLast()
      guard String(validating: rest, as: UTF8.self) != nil else { continue }
      texts.append(rest)
      for last in "b1B".utf8 { texts.append(rest + [last]) }
    }
    return texts
  }

  /// The longest text that the exploration generates. The exploration ignores a rule that forbids
  /// only longer texts. If a rule requires a longer text, the exploration assumes that no text
  /// meets this rule.
  private static let longestText = 10_000

  private static func options(_ options: [Item.Option], _ rules: [Rule], all: Bool) -> [[UInt8]?] {
    let ids = options.map { Array($0.id.utf8) }
    if all { return [nil] + ids }
    func isAcceptable(_ id: [UInt8]) -> Bool { RuleSet(of: rules, failingOn: id.span).isEmpty }
    return [nil, ids.first(where: isAcceptable), ids.first { !isAcceptable($0) }].enumerated()
      .filter { $0.offset == 0 || $0.element != nil }.map(\.element)
  }
}

extension Alphabet.Values {
  var count: Int {
    switch self {
    case .texts(let texts): texts.count
    case .options(let options): options.count
    case .positions: 2
    case .nothing: 1
    }
  }
}
