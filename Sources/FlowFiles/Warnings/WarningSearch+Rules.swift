import LoginMachine

/// Warnings about rules of an item that no text can meet together.
extension WarningSearch {
  /// Checks whether the rules of an item contradict each other. `places` are the rules'
  /// definitions.
  mutating func checkRules(of item: Item, _ places: [Definition]) {
    for (index, place) in places.enumerated() where item.rules.indices.contains(index) {
      guard let reason = WarningSearch.ruleConflict(index, of: item.rules) else { continue }
      warn(place, found: "a rule that no text meets together with the others: \(reason)", "change one of the rules")
    }
  }

  /// Returns why no non-empty text can meet this rule and the other rules at once; `nil` if no
  /// conflict was found. A conflict of two rules is reported at only one of them.
  private static func ruleConflict(_ index: Int, of rules: [Rule]) -> String? {
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
    case .minAge, .before, .after: return dateConflict(requirements[index], among: requirements)
    case .required, .maxLength, .equalTo, .pattern, .date, .maxAge: return nil
    }
  }

  /// The length of the shortest email address, `a@b`.
  private static let shortestAddress = 3
}
