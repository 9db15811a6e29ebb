import LoginForms

/// Rules that cannot fail, and rules that cannot be met.
extension WarningSearch {
  /// `places` are the definitions of the item's rules.
  mutating func lookAtRules(of item: Item, _ places: [Definition]) {
    let superfluous = WarningSearch.superfluousRules(of: item)
    for (index, place) in places.enumerated() where item.rules.indices.contains(index) {
      if let (found, advice) = superfluous[index] {
        warn(place, found: found, advice)
      } else if let reason = WarningSearch.reasonWhyNeverMet(index, of: item.rules) {
        warn(place, found: "a rule that no text meets together with the others: \(reason)", "change one of the rules")
      }
    }
  }

  /// The rules that refuse nothing more: what was found, and the advice, by their indices.
  private static func superfluousRules(of item: Item) -> [Int: (found: String, advice: String)] {
    var superfluous: [Int: (String, String)] = [:]
    var others = item.rules
    // From the last one on, so that of two rules that imply one another only the later one is superfluous.
    for index in item.rules.indices.reversed() {
      let rule = others.remove(at: index)
      if let other = others[..<index].firstIndex(where: { $0.requirement == rule.requirement }) {
        superfluous[index] = ("the same rule as \(other)", "take one of the two out")
      } else if let reason = reasonWhyAlwaysMet(rule, item.kind, among: others) {
        superfluous[index] = ("a rule that every value meets: \(reason.0)", reason.1)
      } else {
        others.insert(rule, at: index)
      }
    }
    return superfluous
  }

  private static func reasonWhyAlwaysMet(
    _ rule: Rule, _ kind: Item.Kind, among others: [Rule]
  ) -> (String, String)? {
    switch rule.requirement {
    case .minLength(1, acceptsEmpty: true):
      return ("the empty text is accepted", "use \"required\", or set \"acceptsEmpty\" to false")
    case .oneOf(let values):
      guard case .selection(let options, _) = kind,
        options.allSatisfy({ option in values.contains { $0.elementsEqual(option.id.utf8) } })
      else { return nil }
      return ("it names all of the options", "take it out, or use \"required\"")
    case .pattern(let pattern):
      if TextBounds([]).imply(pattern) {
        return ("every text of one line matches", "take the rule out, or use \"required\"")
      }
      // With a message of its own a rule says more, also if another one is broken whenever it is.
      let same = others.filter { $0.message == rule.message }.map(\.requirement)
      return TextBounds(same).imply(pattern)
        ? ("every text matches that meets those with the same message", "take the rule out") : nil
    case .required, .minLength, .maxLength, .email, .equalTo, .date, .minAge, .maxAge, .before, .after: return nil
    }
  }

  /// Why no text that is not empty meets the rule of this index and the others; told at one of them only.
  private static func reasonWhyNeverMet(_ index: Int, of rules: [Rule]) -> String? {
    let requirements = rules.map(\.requirement)
    let bounds = TextBounds(requirements)
    switch requirements[index] {
    case .minLength(let length, _):
      guard length > bounds.longest else { return nil }
      return "a text has at least \(length) characters, and at most \(bounds.longest)"
    case .oneOf(let values):
      let meetsAll = values.contains { value in
        !value.isEmpty
          && rules.allSatisfy {
            $0.requirement.otherItem != nil || $0.requirement.dependsOnDay || $0.isMet(by: value.span)
          }
      }
      return meetsAll ? nil : "none of its values meets all rules"
    case .pattern(let pattern):
      guard let example = pattern.example(minimum: bounds.shortest) else {
        return "no text that matches has \(bounds.shortest) or more characters"
      }
      if scalarCount(example) > bounds.longest {
        return "a text that matches has at least \(scalarCount(example)) characters, and at most \(bounds.longest)"
      }
      // Told at the last pattern that is at odds with others.
      let isLast = !requirements[(index + 1)...].contains { if case .pattern = $0 { true } else { false } }
      return isLast && bounds.areEmpty ? "no text matches that meets the others" : nil
    case .email:
      guard bounds.longest < shortestAddress else { return nil }
      return "an email address has at least \(shortestAddress) characters, and at most \(bounds.longest)"
    case .minAge, .before, .after: return reasonWhyNoDate(requirements[index], among: requirements)
    case .required, .maxLength, .equalTo, .date, .maxAge: return nil
    }
  }

  /// `a@b`
  private static let shortestAddress = 3

  private static func scalarCount(_ text: [UInt8]) -> Int { text.count { $0 & 0xC0 != 0x80 } }
}
