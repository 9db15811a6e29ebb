/// What a view can tell of an item's rules before anything was entered.
extension Item {
  /// Whether an empty value, or a switch that is off, is not acceptable.
  public var isRequired: Bool { rules.contains { $0.requirement == .required } }

  /// The fewest Unicode scalars of a text that is not empty, if there is a rule about that.
  public var minimumLength: Int? {
    rules.compactMap { if case .minLength(let length, _) = $0.requirement { length } else { nil } }.max()
  }

  /// The most Unicode scalars of a text, if there is a rule about that.
  public var maximumLength: Int? {
    rules.compactMap { if case .maxLength(let length) = $0.requirement { length } else { nil } }.min()
  }

  /// The expression that a text has to match, if it is the only one and means in HTML's attribute `pattern` what it means here.
  public var sharedPattern: String? {
    let patterns = rules.compactMap { if case .pattern(let pattern) = $0.requirement { pattern } else { nil } }
    guard patterns.count == 1, let pattern = patterns.first, pattern.isSharedWithHTML else { return nil }
    return pattern.text
  }
}
