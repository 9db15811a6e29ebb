import LoginMachine

/// Searches for values of a screen's items that make given conditions true.
///
/// Values that the conditions cannot tell apart are tried only once. If the search cannot decide,
/// or would take too long, it assumes that the conditions can be met. It does not analyse patterns:
/// it assumes that there is a text for each combination of patterns that match and do not match.
struct ConditionSearch {
  /// The maximum number of values that the search tries.
  fileprivate static let maximumSteps = 10_000
  /// The maximum number of patterns about one item for which the search tries all combinations.
  private static let maximumPatterns = 4

  let screen: Screen

  /// Whether the items can have values that make all of these conditions true.
  func canBeMet(_ conditions: [Item.Condition]) -> Bool {
    let condition = Item.Condition.all(conditions)
    let items = involved(in: condition)
    var trial = Backtracking(screen: screen)
    for item in items {
      guard let possibleValues = possibleValues(of: item, on: expectations(of: item, in: condition, items)) else {
        return true
      }
      trial.choices.append((item, possibleValues))
    }
    return trial.canBeMet(condition)
  }

  /// The items on which a condition depends, in the order of the screen. A condition depends on the
  /// items that it tests. It also depends on the items that decide whether any of these items is on
  /// the screen.
  private func involved(in condition: Item.Condition) -> [Int] {
    var found: Set<Int> = []
    var rest = condition.items
    while let item = rest.popLast() {
      if found.insert(item).inserted { rest += screen.visibility(of: item).flatMap(\.items) }
    }
    return found.sorted()
  }

  /// What `condition`, and the conditions under which `items` are on the screen, expect of an item.
  /// Each expectation is listed once.
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

  // MARK: Possible values

  /// The possible values of an item, each described by the expectations that it meets; `nil` if
  /// there are too many to try.
  private func possibleValues(of item: Int, on expectations: [Item.Expectation]) -> [PossibleValue]? {
    var all: Set<[Bool]> = []
    let nothing = expectations.map { $0 == .isEmpty(true) }
    switch screen.items[item].kind {
    case .switch:
      // A switch without a value counts as off.
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
    return all.map { PossibleValue(expectations: expectations, met: $0) }
  }

  /// For non-empty texts that no expectation names: the combinations of expectations that such a
  /// text may meet; `nil` if there are too many patterns.
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

/// A possible value of an item, described by the expectations that it meets.
private struct PossibleValue {
  let expectations: [Item.Expectation]
  let met: [Bool]

  func meets(_ expected: Item.Expectation) -> Bool {
    expectations.firstIndex(of: expected).map { met[$0] } ?? false
  }
}

/// A backtracking search that tries all possible values of each item.
private struct Backtracking {
  let screen: Screen
  var choices: [(item: Int, possibleValues: [PossibleValue])] = []
  /// The values that the items have so far. The inner `nil` stands for an item that is not on the
  /// screen.
  private var chosen: [Int: PossibleValue?] = [:]
  private var steps = 0

  init(screen: Screen) { self.screen = screen }

  mutating func canBeMet(_ condition: Item.Condition, from place: Int = 0) -> Bool {
    if let known = value(of: condition) { return known }
    guard choices.indices.contains(place) else { return true }
    let (item, possibleValues) = choices[place]
    defer { chosen.removeValue(forKey: item) }
    // Items get their values in order, so it is known here whether this item is on the screen. To
    // find this out in each condition again would repeat the work for all items before it.
    let isShown = screen.visibility(of: item).allSatisfy { value(of: $0) == true }
    for holding in possibleValues {
      steps += 1
      guard steps <= ConditionSearch.maximumSteps else { return true }
      chosen.updateValue(isShown ? holding : nil, forKey: item)
      if canBeMet(condition, from: place + 1) { return true }
    }
    return false
  }

  /// Whether a condition holds; `nil` if the values that the items have so far do not decide it.
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
  /// The conditions under which an item is on the screen: its section's condition and its own.
  func visibility(of item: Int) -> [Item.Condition] {
    [sections.first { $0.items.contains(item) }?.visibility, items[item].visibility].compactMap { $0 }
  }
}
