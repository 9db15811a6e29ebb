extension Flow {
  /// The rules of secret items that ask for more than a length, each requirement once: those of all of the flow's screens and of `screen`, which may be another.
  /// A person may enter one secret on several screens.
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
  /// Whether two texts of one length, neither or both of them an email address, can be judged differently, nothing else being entered.
  fileprivate var looksAtText: Bool {
    switch self {
    case .pattern, .oneOf, .date, .minAge, .maxAge, .before, .after: true
    case .required, .minLength, .maxLength, .email, .equalTo: false
    }
  }
}
