import LoginMachine

/// Finds whether conditions can be met, over all that the items of a screen can hold.
///
/// What an item can hold is told apart only as far as conditions do. Where that cannot be told, or takes too long, more is taken for possible than is:
/// patterns are taken to match any text, or none.
struct ConditionSearch {
  /// How often an item is given a value at most.
  fileprivate static let maximumSteps = 10_000
  /// The most patterns on one item whose combinations are looked at.
  private static let maximumPatterns = 4

  let screen: Screen

  /// Whether all of these conditions can be met together.
  func canBeMet(_ conditions: [Item.Condition]) -> Bool {
    let condition = Item.Condition.all(conditions)
    let items = involved(in: condition)
    var trial = Trial(screen: screen)
    for item in items {
      guard let holdings = holdings(of: item, on: expectations(of: item, in: condition, items)) else { return true }
      trial.choices.append((item, holdings))
    }
    return trial.canBeMet(condition)
  }

  /// The items that decide, directly or by deciding whether others are on the screen. Each stands before what it decides.
  private func involved(in condition: Item.Condition) -> [Int] {
    var found: Set<Int> = []
    var rest = condition.items
    while let item = rest.popLast() {
      if found.insert(item).inserted { rest += screen.visibility(of: item).flatMap(\.items) }
    }
    return found.sorted()
  }

  /// What is expected of an item anywhere, each expectation once.
  private func expectations(
    of item: Int, in condition: Item.Condition, _ items: [Int]
  ) -> [Item.Expectation] {
    let conditions = [condition] + items.flatMap(screen.visibility)
    var expectations: [Item.Expectation] = []
    for part in conditions.flatMap(\.parts) where part.item == item && !expectations.contains(part.expected) {
      expectations.append(part.expected)
    }
    return expectations
  }

  // MARK: What an item can hold

  /// All that an item can hold, as what it meets of the expectations; `nil` if there is too much to tell apart.
  private func holdings(of item: Int, on expectations: [Item.Expectation]) -> [Holding]? {
    var all: Set<[Bool]> = []
    let nothing = expectations.map { $0 == .isEmpty(true) }
    switch screen.items[item].kind {
    case .switch:
      // One without a value is off.
      for isOn in [true, false] { all.insert(expectations.map { $0 == .position(isOn) }) }
    case .selection(let options, _):
      all.insert(nothing)
      for option in options { all.insert(expectations.map { $0.isMet(byText: Array(option.id.utf8)) }) }
    case .input:
      all.insert(nothing)
      var texts: Set<[UInt8]> = [[]]
      for case .texts(let named) in expectations { texts.formUnion(named) }
      for text in texts { all.insert(expectations.map { $0.isMet(byText: text) }) }
      guard let others = ConditionSearch.otherTexts(expectations) else { return nil }
      all.formUnion(others)
    case .text, .link, .code, .external: return nil
    }
    return all.map { Holding(expectations: expectations, met: $0) }
  }

  /// What texts may meet that no expectation names and that are not empty; `nil` if there are too many patterns.
  private static func otherTexts(_ expectations: [Item.Expectation]) -> [[Bool]]? {
    let patterns = expectations.indices.filter { if case .matches = expectations[$0] { true } else { false } }
    guard patterns.count <= maximumPatterns else { return nil }
    return (0..<(1 << patterns.count)).map { subset in
      expectations.indices.map { index in
        patterns.firstIndex(of: index).map { subset >> $0 & 1 == 1 } ?? (expectations[index] == .isEmpty(false))
      }
    }
  }
}

/// What an item holds, as far as anything depends on it.
private struct Holding {
  let expectations: [Item.Expectation]
  let met: [Bool]

  func meets(_ expected: Item.Expectation) -> Bool {
    expectations.firstIndex(of: expected).map { met[$0] } ?? false
  }
}

/// Gives one item after the other each of its values, as long as that can lead somewhere.
private struct Trial {
  let screen: Screen
  var choices: [(item: Int, holdings: [Holding])] = []
  /// What items hold that are on the screen; `nil` in it for items that are not.
  private var chosen: [Int: Holding?] = [:]
  private var steps = 0

  init(screen: Screen) { self.screen = screen }

  mutating func canBeMet(_ condition: Item.Condition, from place: Int = 0) -> Bool {
    if let known = value(of: condition) { return known }
    guard choices.indices.contains(place) else { return true }
    let (item, holdings) = choices[place]
    defer { chosen.removeValue(forKey: item) }
    // Items are chosen in their order, so this is known by now. Looking for it in each condition would look at all that stands before each time.
    let isShown = screen.visibility(of: item).allSatisfy { value(of: $0) == true }
    for holding in holdings {
      steps += 1
      guard steps <= ConditionSearch.maximumSteps else { return true }
      chosen.updateValue(isShown ? holding : nil, forKey: item)
      if canBeMet(condition, from: place + 1) { return true }
    }
    return false
  }

  /// Whether a condition is met; `nil` if what was chosen does not decide it.
  private func value(of condition: Item.Condition) -> Bool? {
    switch condition {
    case .item(let item, let expected):
      guard let holding = chosen[item] else { return nil }
      return holding?.meets(expected) ?? false
    case .all(let conditions):
      let values = conditions.map(value)
      return values.contains(false) ? false : values.contains(nil) ? nil : true
    case .any(let conditions):
      let values = conditions.map(value)
      return values.contains(true) ? true : values.contains(nil) ? nil : false
    case .not(let condition): return value(of: condition).map { !$0 }
    }
  }
}

extension Screen {
  /// The conditions under which an item is on the screen: its section's and its own.
  func visibility(of item: Int) -> [Item.Condition] {
    [sections.first { $0.items.contains(item) }?.visibility, items[item].visibility].compactMap { $0 }
  }
}
