/// What a view can tell users about an item's rules before they enter a value.
extension Item {
  /// Whether an empty value, or a switch that is off, is invalid.
  public var isRequired: Bool { rules.contains { $0.requirement == .required } }

  /// The minimum number of Unicode scalars of a non-empty text, if a rule sets one.
  public var minimumLength: Int? {
    rules.compactMap { if case .minLength(let length, _) = $0.requirement { length } else { nil } }.max()
  }

  /// The maximum number of Unicode scalars of a text, if a rule sets one.
  public var maximumLength: Int? {
    rules.compactMap { if case .maxLength(let length) = $0.requirement { length } else { nil } }.min()
  }

  /// The pattern of the item, if there is exactly one and HTML's `pattern` attribute gives it the
  /// same meaning.
  public var sharedPattern: String? {
    let patterns = rules.compactMap { if case .pattern(let pattern) = $0.requirement { pattern } else { nil } }
    guard patterns.count == 1, let pattern = patterns.first, pattern.isSharedWithHTML else { return nil }
    return pattern.text
  }
}
