import LoginForms

/// Rules that cannot fail, and rules that cannot be met.
extension WarningSearch {
  /// `places` are the definitions of the item's rules.
  mutating func lookAtRules(of item: Item, _ places: [Definition]) {
    for (index, place) in places.enumerated() where item.rules.indices.contains(index) {
      let requirement = item.rules[index].requirement
      if let reason = WarningSearch.reasonWhyAlwaysMet(requirement, item.kind) {
        warn(place, found: "a rule that every value meets: \(reason.0)", reason.1)
      } else if let other = item.rules[..<index].firstIndex(where: { $0.requirement == requirement }) {
        warn(place, found: "the same rule as \(other)", "take one of the two out")
      } else if let reason = WarningSearch.reasonWhyNeverMet(requirement, among: item.rules) {
        warn(place, found: "a rule that no text meets together with the others: \(reason)", "change one of the rules")
      }
    }
  }

  private static func reasonWhyAlwaysMet(_ requirement: Rule.Requirement, _ kind: Item.Kind) -> (String, String)? {
    switch requirement {
    case .minLength(1, acceptsEmpty: true):
      return ("the empty text is accepted", "use \"required\", or set \"acceptsEmpty\" to false")
    case .oneOf(let values):
      guard case .selection(let options, _) = kind,
        options.allSatisfy({ option in values.contains { $0.elementsEqual(option.id.utf8) } })
      else { return nil }
      return ("it names all of the options", "take it out, or use \"required\"")
    case .pattern(let pattern):
      return pattern.repeatsAnything
        ? ("every text of one line matches", "take the rule out, or use \"required\"") : nil
    case .required, .minLength, .maxLength, .email, .equalTo, .date, .minAge, .maxAge, .before, .after: return nil
    }
  }

  /// Why no text that is not empty meets the rule and the others; told at one of them only.
  private static func reasonWhyNeverMet(_ requirement: Rule.Requirement, among rules: [Rule]) -> String? {
    let requirements = rules.map(\.requirement)
    let shortest = requirements.compactMap { if case .minLength(let length, _) = $0 { length } else { nil } }.max() ?? 1
    let longest = requirements.compactMap { if case .maxLength(let length) = $0 { length } else { nil } }.min()
    switch requirement {
    case .minLength(let length, _):
      guard let longest, length > longest else { return nil }
      return "a text has at least \(length) characters, and at most \(longest)"
    case .oneOf(let values):
      let meetsAll = values.contains { value in
        !value.isEmpty
          && rules.allSatisfy {
            $0.requirement.otherItem != nil || $0.requirement.dependsOnDay || $0.isMet(by: value.span)
          }
      }
      return meetsAll ? nil : "none of its values meets all rules"
    case .pattern(let pattern):
      guard let example = pattern.example(minimum: shortest) else {
        return "no text that matches has \(shortest) or more characters"
      }
      if let longest, scalarCount(example) > longest {
        return "a text that matches has at least \(scalarCount(example)) characters, and at most \(longest)"
      }
      return nil
    case .email:
      guard let longest, longest < shortestAddress else { return nil }
      return "an email address has at least \(shortestAddress) characters, and at most \(longest)"
    case .minAge, .before, .after: return reasonWhyNoDate(requirement, among: requirements)
    case .required, .maxLength, .equalTo, .date, .maxAge: return nil
    }
  }

  /// `a@b`
  private static let shortestAddress = 3

  private static func scalarCount(_ text: [UInt8]) -> Int { text.count { $0 & 0xC0 != 0x80 } }
}
