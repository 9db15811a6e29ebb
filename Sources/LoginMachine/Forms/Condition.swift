extension Item {
  /// When an item or section is on the screen.
  ///
  /// The code that creates a condition guarantees that each item in it precedes the item or section
  /// that has the condition, and that none is secret.
  public indirect enum Condition: Equatable, Sendable {
    /// The item with this index is on the screen and meets the expectation. A hidden item meets
    /// none, so its `not` holds.
    case item(Int, Expectation)
    /// All of these hold.
    case all([Condition])
    /// At least one of these holds.
    case any([Condition])
    /// This does not hold.
    case not(Condition)

    /// The item with this index meets the expectation.
    public init(item: Int, expected: Expectation) { self = .item(item, expected) }

    /// The indices of the items in the condition, with duplicates.
    public var items: [Int] { parts.map(\.item) }

    /// The single tests of the condition, in order.
    public var parts: [(item: Int, expected: Expectation)] {
      switch self {
      case .item(let item, let expected): [(item, expected)]
      case .all(let conditions), .any(let conditions): conditions.flatMap(\.parts)
      case .not(let condition): condition.parts
      }
    }
  }

  /// What a condition expects of one item.
  public enum Expectation: Equatable, Sendable {
    /// The switch has this position. A switch without a value counts as off.
    case position(Bool)
    /// One of these options is picked; ids in UTF-8.
    case options([[UInt8]])
    /// The text is one of these, in UTF-8.
    case texts([[UInt8]])
    /// The text is empty or absent, or no option is picked; with `false`, the opposite.
    case isEmpty(Bool)
    /// The whole text matches. A pattern may match the empty text; an absent value matches no
    /// pattern.
    case matches(Pattern)

    /// Whether an entry meets the expectation, regardless of whether its item is on the screen.
    func isMet(by entry: Draft.Entry) -> Bool {
      if case .position(let isOn) = self { return (entry.isOn ?? false) == isOn }
      if entry.isAbsent { return self == .isEmpty(true) }
      return entry.withText { isMet(byText: $0.span) }
    }

    /// Whether an item with this text or option id, in UTF-8, meets the expectation.
    public func isMet(byText text: [UInt8]) -> Bool { text.withUnsafeBufferPointer { isMet(byText: $0.span) } }

    private func isMet(byText text: Span<UInt8>) -> Bool {
      switch self {
      case .position: false
      case .options(let values), .texts(let values): contains(values, text)
      case .isEmpty(let isEmpty): text.isEmpty == isEmpty
      case .matches(let pattern): pattern.matches(text)
      }
    }
  }
}
