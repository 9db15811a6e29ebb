extension Flow {
  /// The rules for secret items that depend on more than the length of the secret, without
  /// duplicates. They come from all screens of the flow and from `screen`, which may be a
  /// challenge: a user may enter the same secret on several screens.
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
  /// Whether the requirement depends on the characters of a text. If it does not, two texts of the
  /// same length give the same result while all other items are empty, provided that both or
  /// neither are email addresses.
  fileprivate var looksAtText: Bool {
    switch self {
    case .pattern, .oneOf, .date, .minAge, .maxAge, .before, .after: true
    case .required, .minLength, .maxLength, .email, .equalTo: false
    }
  }
}
