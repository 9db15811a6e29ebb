extension Flow {
  /// The rules for secret items that depend on more than the length, without duplicates: those of
  /// all screens of the flow and of `screen`, which may be a challenge. A user may enter the same
  /// secret on several screens.
  public func rulesOfSecrets(and screen: Screen) -> [Rule] {
    var found: [Rule] = []
    for screen in screens + [screen] {
      for (item, traits) in zip(screen.items, screen.traits) where traits.contains(.isSecret) {
        for rule in item.rules where rule.requirement.looksAtText {
          if !found.contains(where: { $0.requirement == rule.requirement }) { found.append(rule) }
        }
      }
    }
    return found
  }
}

extension Rule.Requirement {
  /// Whether two texts of the same length, both or neither an email address, can have different
  /// results while all other items are empty.
  fileprivate var looksAtText: Bool {
    switch self {
    case .pattern, .oneOf, .date, .minAge, .maxAge, .before, .after: true
    case .required, .minLength, .maxLength, .email, .equalTo: false
    }
  }
}
