import LoginMachine

/// Warnings about conditions that can never be met.
extension WarningSearch {
  /// Checks the member `visibleWhen` of an item or section. For an item, `outer` is the condition
  /// of its section.
  mutating func checkCondition(
    of place: Definition, _ condition: Item.Condition?, within outer: Item.Condition? = nil, on screen: Screen
  ) throws(FlowFileError) {
    guard let condition, let place = try place.optional("visibleWhen") else { return }
    let search = ConditionSearch(screen: screen)
    if try checkPart(place, condition, search) { return }
    // At this point, the condition can be met as long as the section's condition is ignored.
    guard let outer, !search.canBeMet([outer, condition]), search.canBeMet([outer]) else { return }
    warn(
      place, found: "a condition that is never met while that of its section is, whatever is entered",
      "change one of the two")
  }

  /// Checks the parts of a condition, then the condition as a whole. Returns whether there was a
  /// warning.
  private mutating func checkPart(
    _ place: Definition, _ condition: Item.Condition, _ search: ConditionSearch
  ) throws(FlowFileError) -> Bool {
    var isOdd = false
    for (part, inner) in try parts(of: place, condition) where try checkPart(part, inner, search) { isOdd = true }
    if isOdd { return true }
    if case .item(let index, .texts(let texts)) = condition,
      let text = texts.first(where: { !search.screen.items[index].names($0) })
    {
      let item = search.screen.items[index].id
      warn(
        place,
        found: "\(quoted(String(decoding: text, as: UTF8.self))), which the rule \"oneOf\" of \(quoted(item)) refuses",
        "name a value that the rule has")
    } else if !search.canBeMet([condition]) {
      warn(place, found: "a condition that is never met, whatever is entered", "change the condition")
    } else {
      return false
    }
    return true
  }

  /// The conditions inside `all`, `any` or `not`, each with the place that defines it.
  private func parts(
    of place: Definition, _ condition: Item.Condition
  ) throws(FlowFileError) -> [(Definition, Item.Condition)] {
    switch condition {
    case .item: return []
    case .all(let conditions), .any(let conditions):
      var list = try place.optional("all")
      if list == nil { list = try place.optional("any") }
      return Array(zip(try list?.elements(0...conditions.count) ?? [], conditions))
    case .not(let inner): return try place.optional("not").map { [($0, inner)] } ?? []
    }
  }
}

extension Item {
  /// Whether all `oneOf` rules of the item allow a text; also true if there are none.
  fileprivate func names(_ text: [UInt8]) -> Bool {
    text.isEmpty
      || rules.allSatisfy { if case .oneOf(let values) = $0.requirement { values.contains(text) } else { true } }
  }
}
