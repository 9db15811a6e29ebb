extension Item {
  /// A condition that decides whether an item or a section is on the screen.
  ///
  /// The code that creates a condition guarantees two things about each item in the condition: the
  /// item precedes the item or section that has the condition, and it is not secret.
  public indirect enum Condition: Equatable, Sendable {
    /// The item with this index is on the screen and meets the expectation. A hidden item meets no
    /// expectation, so a `not` around this condition holds for a hidden item.
    case item(Int, Expectation)
    /// All of these conditions hold.
    case all([Condition])
    /// At least one of these conditions holds.
    case any([Condition])
    /// This condition does not hold.
    case not(Condition)

    /// A condition that the item with this index meets the expectation.
    public init(item: Int, expected: Expectation) { self = .item(item, expected) }

    /// The indices of the items in the condition, with duplicates.
    public var items: [Int] { parts.map(\.item) }

    /// The parts of the condition that test a single item, in order.
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
    /// The switch is on, or with `false`, off. A switch without a value counts as off.
    case position(Bool)
    /// One of these options is picked. They are given by their ids in UTF-8.
    case options([[UInt8]])
    /// The text of the input is one of these, in UTF-8.
    case texts([[UInt8]])
    /// If `true`: the text is empty or absent, or no option is picked. If `false`: there is a
    /// non-empty text or a picked option.
    case isEmpty(Bool)
    /// The pattern matches the whole text. A pattern may match the empty text, but no pattern
    /// matches an absent value.
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
