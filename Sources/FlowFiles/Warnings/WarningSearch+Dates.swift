import LoginMachine

/// Warnings about date rules that no date can meet, whatever the current date.
extension WarningSearch {
  /// Returns why no date can meet this requirement and the other date requirements at once; `nil`
  /// if no conflict was found. A conflict of two rules is reported at only one of them.
  static func dateConflict(
    _ requirement: Rule.Requirement, among requirements: [Rule.Requirement]
  ) -> String? {
    switch requirement {
    case .minAge(let years):
      let oldest = requirements.compactMap { if case .maxAge(let years) = $0 { years } else { nil } }.min()
      guard let oldest, years > oldest else { return nil }
      return "a person is at least \(years) years old, and at most \(oldest)"
    case .before(.day(let bound)):
      if bound.adding(days: -1) == bound { return "no day is before \(bound.text)" }
      let latest = requirements.compactMap { if case .after(.day(let day)) = $0 { day } else { nil } }.max()
      guard let latest, latest.adding(days: 1) >= bound else { return nil }
      return "no day is after \(latest.text) and before \(bound.text)"
    case .after(.day(let bound)):
      return bound.adding(days: 1) == bound ? "no day is after \(bound.text)" : nil
    case .after(.today):
      return requirements.contains(where: \.endsToday) ? "no day is after today, and today or before" : nil
    case .required, .minLength, .maxLength, .email, .equalTo, .oneOf, .pattern, .date, .maxAge, .before(.today):
      return nil
    }
  }
}

extension Rule.Requirement {
  /// Whether dates after today never meet the requirement.
  fileprivate var endsToday: Bool {
    switch self {
    case .minAge, .maxAge, .before(.today): true
    case .required, .minLength, .maxLength, .email, .equalTo, .oneOf, .pattern, .date, .before(.day), .after: false
    }
  }
}
