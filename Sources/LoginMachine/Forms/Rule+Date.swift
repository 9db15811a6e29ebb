extension Rule {
  /// What a day is compared with.
  public enum DateBound: Equatable, Sendable {
    case day(CalendarDate)
    /// The day that it is in UTC.
    case today

    /// As in flow definitions: `YYYY-MM-DD` or `today`.
    public var text: String {
      switch self {
      case .day(let day): day.text
      case .today: "today"
      }
    }
  }
}

extension Rule.Requirement {
  /// Whether it depends on which day it is if a value meets this.
  public var dependsOnDay: Bool {
    switch self {
    case .minAge, .maxAge, .before(.today), .after(.today): true
    case .required, .minLength, .maxLength, .email, .equalTo, .oneOf, .pattern, .date, .before(.day), .after(.day):
      false
    }
  }

  /// Whether a text is a day that meets this. Nothing else meets anything here.
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
  /// A text that is no date meets none of the rules about dates. Where `date` says just that, the others are silent: they are about dates that exist.
  @usableFromInline @inline(never) mutating func removeComparisonsOfDates(_ rules: [Rule]) {
    for index in rules.indices {
      switch rules[index].requirement {
      case .minAge, .maxAge, .before, .after: remove(index)
      case .required, .minLength, .maxLength, .email, .equalTo, .oneOf, .pattern, .date: break
      }
    }
  }
}
