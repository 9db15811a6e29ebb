extension Rule {
  /// The day that a date rule compares an entered date with.
  public enum DateBound: Equatable, Sendable {
    case day(CalendarDate)
    /// The current day in UTC.
    case today

    /// The day as written in flow definitions: `YYYY-MM-DD` or `today`.
    public var text: String {
      switch self {
      case .day(let day): day.text
      case .today: "today"
      }
    }
  }
}

extension Rule.Requirement {
  /// Whether the result of the requirement depends on the current day. Rules with such requirements
  /// are evaluated at an edit and at a submit. No timer evaluates them at midnight, so a form
  /// without input does not change.
  public var dependsOnDay: Bool {
    switch self {
    case .minAge, .maxAge, .before(.today), .after(.today): true
    case .required, .minLength, .maxLength, .email, .equalTo, .oneOf, .pattern, .date, .before(.day), .after(.day):
      false
    }
  }

  /// Whether a text is a date that meets the requirement. A text that is not a date does not meet
  /// it.
  @inline(never) func isMet(byDate text: Span<UInt8>, at utc: UInt64?) -> Bool {
    guard let day = CalendarDate(text) else { return false }
    switch self {
    case .before(.day(let bound)): return day < bound
    case .after(.day(let bound)): return day > bound
    case .before(.today), .after(.today), .minAge, .maxAge:
      return utc.map { isMet(by: day, on: CalendarDate(utc: $0)) } ?? true
    case .date, .required, .minLength, .maxLength, .email, .equalTo, .oneOf, .pattern: return true
    }
  }

  private func isMet(by day: CalendarDate, on today: CalendarDate) -> Bool {
    switch self {
    case .before: day < today
    case .after: day > today
    case .minAge(let years): day.age(on: today).map { $0 >= years } ?? false
    case .maxAge(let years): day.age(on: today).map { $0 <= years } ?? false
    case .date, .required, .minLength, .maxLength, .email, .equalTo, .oneOf, .pattern: true
    }
  }
}

extension RuleSet {
  /// Removes the rules that compare dates from this set. Called for a text that breaks the rule
  /// `date`: it breaks the other rules about dates too, but only the message of the rule `date` is
  /// shown.
  @usableFromInline @inline(never) mutating func removeComparisonsOfDates(_ rules: [Rule]) {
    for index in rules.indices {
      switch rules[index].requirement {
      case .minAge, .maxAge, .before, .after: remove(index)
      case .required, .minLength, .maxLength, .email, .equalTo, .oneOf, .pattern, .date: break
      }
    }
  }
}
