/// What an item's value must satisfy, and what to say when it does not.
///
/// Rules look at UTF-8 bytes, so that the value of a secret need never become a string.
public struct Rule: Equatable, Sendable {
  /// What must hold.
  public var requirement: Requirement
  /// The code of the message shown otherwise, also the key of its text.
  public var message: String
  /// The text to use if the flow has none for the code.
  public var text: String?
  /// What fills placeholders of the text that the requirement has nothing for: taken from rules of the item with the same message, such as the length
  /// that a text names which is also said of an empty value.
  public var parameters: [Message.Parameter]

  public init(_ requirement: Requirement, message: String, text: String? = nil, parameters: [Message.Parameter] = []) {
    self.requirement = requirement
    self.message = message
    self.text = text
    self.parameters = parameters
  }

  /// The names of the rules in flow definitions, one for each kind of requirement.
  public enum Name: String, CaseIterable, Sendable {
    case required, minLength, maxLength, email, equalTo, oneOf, pattern, date, minAge, maxAge, before, after
  }

  /// What a value must be. All but `required` accept the empty value, so that an optional item can have rules; `minLength` can be told not to.
  public enum Requirement: Equatable, Sendable {
    /// Not empty; for a switch, on.
    case required
    /// At least so many Unicode scalars, or none if the empty value is accepted.
    case minLength(Int, acceptsEmpty: Bool = true)
    /// At most so many Unicode scalars.
    case maxLength(Int)
    /// An address that browsers accept in `<input type=email>` (WHATWG HTML, "valid e-mail address").
    case email
    /// The same text as that of another input of the screen, named by its index: a repetition.
    case equalTo(Int)
    /// One of these texts, in UTF-8.
    case oneOf([[UInt8]])
    /// A text that matches as a whole.
    case pattern(Pattern)
    /// A day that exists, as ISO 8601 writes it.
    case date
    /// A day on which somebody was born who is so many years old, or older.
    case minAge(Int)
    /// A day on which somebody was born who is so many years old, or younger.
    case maxAge(Int)
    /// An earlier day.
    case before(DateBound)
    /// A later day.
    case after(DateBound)

    /// Whether `text` is such a value. `isSameAs` says whether it is what the item of that index holds.
    ///
    /// `utc` is the time, in milliseconds since 1970. Without it every day meets what depends on which day it is.
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

    /// Whether a switch in this position is such a value.
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

    /// The index of the item whose value decides as well, if there is one: a change of that value is a reason to judge anew.
    public var otherItem: Int? {
      switch self {
      case .equalTo(let other): other
      case .required, .minLength, .maxLength, .email, .oneOf, .pattern, .date, .minAge, .maxAge, .before, .after: nil
      }
    }
  }

  /// Whether `text` satisfies the rule, nothing else being entered.
  public func isMet(by text: Span<UInt8>, at utc: UInt64? = nil) -> Bool {
    requirement.isMet(by: text, at: utc) { _ in false }
  }

  /// Whether a switch in this position satisfies the rule.
  public func isMet(by isOn: Bool?) -> Bool { requirement.isMet(by: isOn) }
}

/// Whether two texts are the same bytes.
func isSame(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  for index in left.indices where left[index] != right[index] { return false }
  return true
}

/// Whether one of the texts is the same bytes.
func contains(_ texts: [[UInt8]], _ text: Span<UInt8>) -> Bool {
  texts.contains { $0.withUnsafeBufferPointer { isSame($0.span, text) } }
}

/// The rules of one item that its value does not meet, by their position.
public struct RuleSet: Equatable, Sendable {
  /// The most rules that an item can have.
  public static let capacity = 16

  @usableFromInline var bits: UInt16 = 0

  @inlinable public init() {}

  @inlinable init(bits: UInt16) { self.bits = bits }

  /// The rules that `text` does not meet. `isSameAs` says whether it is what another item of the screen holds, named by its index; `utc` is the time in
  /// milliseconds since 1970, without which every day meets what depends on which day it is.
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

  /// The rules that a switch in this position does not meet.
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

/// The number of Unicode scalars in valid UTF-8: the bytes that do not continue a sequence.
func scalarCount(_ text: Span<UInt8>) -> Int {
  var count = 0
  for index in text.indices where text[index] & 0xC0 != 0x80 { count += 1 }
  return count
}
