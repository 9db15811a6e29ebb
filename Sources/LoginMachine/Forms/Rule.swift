/// A requirement for an item's value, and the message to show if the value does not meet it.
///
/// Rules work on UTF-8 bytes, so a secret never becomes a string.
public struct Rule: Equatable, Sendable {
  /// What the value must meet.
  public var requirement: Requirement
  /// The code of the message to show if the value does not meet the requirement. The flow's texts
  /// have the message's text under this key.
  public var message: String
  /// The text to show if the flow has no text for the message's code.
  public var text: String?
  /// Values for those placeholders of the message's text for which this rule's requirement has no
  /// value. They come from other rules of the item that have the same message. For example, the
  /// message about an empty value can state the minimum length.
  public var parameters: [Message.Parameter]

  public init(_ requirement: Requirement, message: String, text: String? = nil, parameters: [Message.Parameter] = []) {
    self.requirement = requirement
    self.message = message
    self.text = text
    self.parameters = parameters
  }

  /// The names of rules in flow definitions, one for each kind of requirement.
  public enum Name: String, CaseIterable, Sendable {
    case required, minLength, maxLength, email, equalTo, oneOf, pattern, date, minAge, maxAge, before, after
  }

  /// A condition on a value. Every requirement except `required` accepts the empty value, so that
  /// optional items can have rules. `minLength` can be set to reject it.
  public enum Requirement: Equatable, Sendable {
    /// Not empty; for a switch, on.
    case required
    /// At least this many Unicode scalars. The empty text is accepted too if `acceptsEmpty` is
    /// true.
    case minLength(Int, acceptsEmpty: Bool = true)
    /// At most this many Unicode scalars.
    case maxLength(Int)
    /// An address that browsers accept in `<input type=email>` (WHATWG HTML, "valid e-mail
    /// address").
    case email
    /// The same text as in another input of the screen, given by its index.
    case equalTo(Int)
    /// One of these texts, in UTF-8.
    case oneOf([[UInt8]])
    /// A text that matches the pattern.
    case pattern(Pattern)
    /// An existing date in ISO 8601 notation.
    case date
    /// The birth date of a person who is at least this many years old.
    case minAge(Int)
    /// The birth date of a person who is at most this many years old.
    case maxAge(Int)
    /// A date before the bound.
    case before(DateBound)
    /// A date after the bound.
    case after(DateBound)

    /// Whether a text meets the requirement.
    ///
    /// - Parameters:
    ///   - utc: the time in milliseconds since 1970. If it is `nil`, requirements that depend on
    ///     the day are met.
    ///   - isSameAs: whether the text equals the text of the item with the given index.
    @inline(__always) func isMet(by text: Span<UInt8>, at utc: UInt64?, isSameAs: (Int) -> Bool) -> Bool {
      switch self {
      case .required: !text.isEmpty
      case .minLength(let length, let acceptsEmpty): acceptsEmpty && text.isEmpty || scalarCount(text) >= length
      case .maxLength(let length): scalarCount(text) <= length
      case .email: text.isEmpty || isEmailAddress(text)
      case .equalTo(let other): text.isEmpty || isSameAs(other)
      case .oneOf(let values): text.isEmpty || contains(values, text)
      case .pattern(let pattern): text.isEmpty || pattern.matches(text)
      case .date, .minAge, .maxAge, .before, .after: text.isEmpty || isMet(byDate: text, at: utc)
      }
    }

    /// Whether the position of a switch meets the requirement.
    public func isMet(by isOn: Bool?) -> Bool {
      switch self {
      case .required: isOn == true
      case .minLength, .maxLength, .email, .equalTo, .oneOf, .pattern, .date, .minAge, .maxAge, .before, .after: true
      }
    }

    /// The rule's name in flow definitions.
    public var name: Name {
      switch self {
      case .required: .required
      case .minLength: .minLength
      case .maxLength: .maxLength
      case .email: .email
      case .equalTo: .equalTo
      case .oneOf: .oneOf
      case .pattern: .pattern
      case .date: .date
      case .minAge: .minAge
      case .maxAge: .maxAge
      case .before: .before
      case .after: .after
      }
    }

    /// The index of the other item to whose value the requirement refers; `nil` if there is none.
    /// When that item's value changes, the requirement is checked again.
    public var otherItem: Int? {
      switch self {
      case .equalTo(let other): other
      case .required, .minLength, .maxLength, .email, .oneOf, .pattern, .date, .minAge, .maxAge, .before, .after: nil
      }
    }
  }

  /// Whether `text` meets the rule while all other items are empty.
  public func isMet(by text: Span<UInt8>, at utc: UInt64? = nil) -> Bool {
    requirement.isMet(by: text, at: utc) { _ in false }
  }

  /// Whether the position of a switch meets the rule.
  public func isMet(by isOn: Bool?) -> Bool { requirement.isMet(by: isOn) }
}

/// Whether two texts are equal, byte by byte.
func isSame(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  for index in left.indices where left[index] != right[index] { return false }
  return true
}

/// Whether `texts` contains the text, byte by byte.
func contains(_ texts: [[UInt8]], _ text: Span<UInt8>) -> Bool {
  texts.contains { $0.withUnsafeBufferPointer { isSame($0.span, text) } }
}

/// The rules of an item that the item's value breaks, given by their indices among the item's
/// rules.
public struct RuleSet: Equatable, Sendable {
  /// The maximum number of rules of an item.
  public static let capacity = 16

  @usableFromInline var bits: UInt16 = 0

  @inlinable public init() {}

  @inlinable init(bits: UInt16) { self.bits = bits }

  /// The rules that a text breaks.
  ///
  /// - Parameters:
  ///   - utc: the time in milliseconds since 1970. If it is `nil`, rules that depend on the day are
  ///     met.
  ///   - isSameAs: whether the text equals the text of the item with the given index.
  @inline(__always)
  public init(
    of rules: [Rule], failingOn text: Span<UInt8>, at utc: UInt64? = nil, isSameAs: (Int) -> Bool = { _ in false }
  ) {
    var isNoDate = false
    for index in rules.indices.prefix(RuleSet.capacity)
    where !rules[index].requirement.isMet(by: text, at: utc, isSameAs: isSameAs) {
      insert(index)
      if case .date = rules[index].requirement { isNoDate = true }
    }
    if isNoDate { removeComparisonsOfDates(rules) }
  }

  /// The rules that the position of a switch breaks.
  public init(of rules: [Rule], failingOn isOn: Bool?) {
    for index in rules.indices.prefix(RuleSet.capacity)
    where !rules[index].requirement.isMet(by: isOn) { insert(index) }
  }

  @inlinable public var isEmpty: Bool { bits == 0 }

  @inlinable public func contains(_ index: Int) -> Bool {
    index >= 0 && index < RuleSet.capacity && bits & (1 << UInt16(truncatingIfNeeded: index)) != 0
  }

  mutating func insert(_ index: Int) { bits |= 1 << UInt16(truncatingIfNeeded: index) }
  mutating func remove(_ index: Int) { bits &= ~(1 << UInt16(truncatingIfNeeded: index)) }
}

/// The number of Unicode scalars in valid UTF-8.
func scalarCount(_ text: Span<UInt8>) -> Int {
  var count = 0
  for index in text.indices where text[index] & 0xC0 != 0x80 { count += 1 }
  return count
}
