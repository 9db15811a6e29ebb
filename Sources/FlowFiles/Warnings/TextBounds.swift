import LoginForms

/// The texts that rules of an input let be entered, as far as lengths and patterns say which: never fewer than there are.
struct TextBounds {
  /// In Unicode scalars; the empty text, which most rules accept, is not among them.
  private(set) var shortest = 1
  private(set) var longest = Definition.longestText
  private(set) var patterns: [Pattern] = []

  init(_ requirements: some Sequence<Rule.Requirement>) {
    for requirement in requirements {
      switch requirement {
      case .minLength(let length, _): shortest = max(shortest, length)
      case .maxLength(let length): longest = min(longest, length)
      case .pattern(let pattern): patterns.append(pattern)
      case .email: patterns += TextBounds.address
      case .date, .minAge, .maxAge, .before, .after: patterns += TextBounds.date
      case .required, .equalTo, .oneOf: break
      }
    }
  }

  /// Whether there is no such text. `false` where that is not known.
  var areEmpty: Bool { has(none: []) == false }

  /// Whether each such text of one line matches. `false` where that is not known, and where there is no such text.
  func imply(_ pattern: Pattern) -> Bool { !areEmpty && has(none: [pattern], isOneLine: true) == false }

  private func has(none unmatched: [Pattern], isOneLine: Bool = false) -> Bool? {
    guard shortest <= longest else { return false }
    return Pattern.hasText(of: shortest...longest, matching: patterns, andNone: unmatched, isOneLine: isOneLine)
  }

  /// What every email address matches that is written as people see it, without signs that nothing shows or of double width; and every date.
  private static let address = pattern(
    "[ \\t]*[A-Za-z0-9.!#$%&'*+/=?\\^_`{\\|}~\\-]+@\(label)(\\.\(label))*[ \\t]*")
  private static let label = "[A-Za-z0-9\\-\u{80}-\u{10FFFF}]+"
  private static let date = pattern("[0-9]{4}-[0-9]{2}-[0-9]{2}")

  /// None where it cannot be read, so that nothing is said wrongly.
  private static func pattern(_ text: String) -> [Pattern] { (try? Pattern(text)).map { [$0] } ?? [] }
}
