extension Item {
  /// What has to be so for something to be on the screen.
  ///
  /// The code that makes a condition keeps its promises: each item that is asked about stands before what the condition is of, and none is secret.
  public indirect enum Condition: Equatable, Sendable {
    /// The item of this index is on the screen and holds what is expected. Off the screen it meets nothing, so that `not` of this holds.
    case item(Int, Expectation)
    /// Each of these holds.
    case all([Condition])
    /// One or more of these hold.
    case any([Condition])
    /// This does not hold.
    case not(Condition)

    /// That the item of this index holds what is expected.
    public init(item: Int, expected: Expectation) { self = .item(item, expected) }

    /// The indices of the items that are asked about; an item that is asked about twice is there twice.
    public var items: [Int] { parts.map(\.item) }

    /// What is asked about single items.
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
    /// The switch is in this position. One without a value is off.
    case position(Bool)
    /// One of these options is picked; their ids in UTF-8.
    case options([[UInt8]])
    /// The text is one of these, in UTF-8.
    case texts([[UInt8]])
    /// The text is empty or absent, or no option is picked; or, with `false`, the opposite.
    case isEmpty(Bool)
    /// The text as a whole matches. A pattern may match the empty text; what is absent matches none.
    case matches(Pattern)

    /// Whether that is what an item holds, were it on the screen.
    func isMet(by entry: Draft.Entry) -> Bool {
      if case .position(let isOn) = self { return (entry.isOn ?? false) == isOn }
      if entry.isAbsent { return self == .isEmpty(true) }
      return entry.withText { isMet(byText: $0.span) }
    }

    /// Whether that is what an item holds if it has this text or this option, in UTF-8.
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
