import LoginMachine

/// Rules that cannot be met.
extension WarningSearch {
  /// `places` are the definitions of the item's rules.
  mutating func lookAtRules(of item: Item, _ places: [Definition]) {
    for (index, place) in places.enumerated() where item.rules.indices.contains(index) {
      guard let reason = WarningSearch.reasonWhyNeverMet(index, of: item.rules) else { continue }
      warn(place, found: "a rule that no text meets together with the others: \(reason)", "change one of the rules")
    }
  }

  /// Why no text that is not empty meets the rule of this index and the others; told at one of them only.
  private static func reasonWhyNeverMet(_ index: Int, of rules: [Rule]) -> String? {
    let requirements = rules.map(\.requirement)
    let longest = requirements.compactMap { if case .maxLength(let length) = $0 { length } else { nil } }.min()
    switch requirements[index] {
    case .minLength(let length, _):
      guard let longest, length > longest else { return nil }
      return "a text has at least \(length) characters, and at most \(longest)"
    case .oneOf(let values):
      let meetsAll = values.contains { value in
        let text = value[...]
        return !text.isEmpty
          && rules.allSatisfy {
            $0.requirement.otherItem != nil || $0.requirement.dependsOnDay || $0.isMet(by: text.span)
          }
      }
      return meetsAll ? nil : "none of its values meets all rules"
    case .email:
      guard let longest, longest < shortestAddress else { return nil }
      return "an email address has at least \(shortestAddress) characters, and at most \(longest)"
    case .minAge, .before, .after: return reasonWhyNoDate(requirements[index], among: requirements)
    case .required, .maxLength, .equalTo, .pattern, .date, .maxAge: return nil
    }
  }

  /// `a@b`
  private static let shortestAddress = 3
}
