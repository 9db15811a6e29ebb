/// What has been entered into a screen so far, valid or not.
///
/// The bytes of secrets are not here: the draft only knows whether there are any and which rules they do not meet.
public struct Draft: Equatable, Sendable {
  /// What has been entered into one item.
  public struct Entry: Equatable, Sendable {
    /// The value of a plain input, in UTF-8.
    public fileprivate(set) var text: [UInt8] = []
    /// The position of a switch.
    public fileprivate(set) var isOn: Bool?
    /// Whether a secret has been entered.
    public fileprivate(set) var isFilled = false
    /// Whether the person has edited it.
    public fileprivate(set) var isTouched = false
    /// The rules that its value does not meet.
    public fileprivate(set) var failing = RuleSet()
  }

  /// What the authenticator said of one item.
  public struct Answer: Equatable, Sendable {
    /// The item's index in the screen.
    public var item: Int
    public var message: Message

    public init(item: Int, message: Message) {
      self.item = item
      self.message = message
    }
  }

  /// One entry for each of the screen's items.
  public private(set) var entries: [Entry]
  /// What the authenticator said of items that have not been edited since.
  public private(set) var answers: [Answer] = []
  /// Whether untouched items are marked as well.
  public private(set) var marksAll = false

  private static let usualTextBytes = 32

  /// A blank draft of `screen`.
  public init(of screen: Screen) {
    entries = screen.items.map { item in
      var entry = Entry()
      switch item.kind {
      case .input:
        entry.failing = RuleSet(of: item.rules, failingOn: [UInt8]().span)
        // Most values fit, and then a session's memory lies together however many there are.
        if !item.isSecret { entry.text.reserveCapacity(Draft.usualTextBytes) }
      case .toggle(let initial):
        entry.isOn = initial
        entry.failing = RuleSet(of: item.rules, failingOn: initial)
      }
      return entry
    }
  }

  /// Whether every item meets its rules.
  public var isValid: Bool {
    for index in entries.indices where !entries[index].failing.isEmpty { return false }
    return true
  }

  /// The request's values, which only a valid draft has.
  public func validated() -> ValidatedValues? {
    isValid ? ValidatedValues(entries: entries) : nil
  }

  /// Whether it is shown if an item's value is not acceptable.
  @inlinable public func marks(_ item: Int) -> Bool { marksAll || entries[item].isTouched }

  /// Enters a text into a plain input.
  public mutating func enter(_ text: Span<UInt8>, into index: Int, of screen: Screen) {
    entries[index].text.removeAll(keepingCapacity: true)
    text.withUnsafeBufferPointer { entries[index].text.append(contentsOf: $0) }
    entries[index].failing = RuleSet(of: screen.items[index].rules, failingOn: text)
    touch(index)
  }

  /// Puts a switch into a position.
  public mutating func set(_ isOn: Bool, at index: Int, of screen: Screen) {
    entries[index].isOn = isOn
    entries[index].failing = RuleSet(of: screen.items[index].rules, failingOn: isOn)
    touch(index)
  }

  /// Notes that a secret has been entered (or emptied), and which rules it does not meet.
  public mutating func noteSecret(isFilled: Bool, failing: RuleSet, at index: Int) {
    entries[index].isFilled = isFilled
    entries[index].failing = failing
    touch(index)
  }

  /// Notes that the bytes of a secret are gone, without a doing of the person's.
  public mutating func forgetSecret(at index: Int, of screen: Screen) {
    entries[index].isFilled = false
    entries[index].failing = RuleSet(of: screen.items[index].rules, failingOn: [UInt8]().span)
  }

  /// Notes that the bytes of all secrets are gone; they count as never touched.
  public mutating func forgetSecrets(of screen: Screen) {
    for index in entries.indices where screen.items[index].isSecret {
      forgetSecret(at: index, of: screen)
      entries[index].isTouched = false
    }
    marksAll = false
    answers = []
  }

  /// Marks all items from now on.
  public mutating func markAll() { marksAll = true }

  /// Adds what the authenticator says of an item.
  public mutating func add(_ message: Message, to item: Int) {
    answers.append(Answer(item: item, message: message))
  }

  /// Forgets what the authenticator said.
  public mutating func dropAnswers() { answers = [] }

  private mutating func touch(_ index: Int) {
    entries[index].isTouched = true
    if !answers.isEmpty { answers.removeAll { $0.item == index } }
  }
}

/// The values of a form that meet all of its rules. Made by a draft's validation and in no other way.
public struct ValidatedValues: Equatable, Sendable {
  /// One entry for each of the screen's items.
  public let entries: [Draft.Entry]

  fileprivate init(entries: [Draft.Entry]) { self.entries = entries }
}
