/// One line of a form: what is asked, under which name it is handed on, and what makes it acceptable.
public struct Item: Equatable, Sendable {
  /// The item's name for views, unique in the screen.
  public var id: String
  /// The value's name for the authenticator, unique in the screen.
  public var apiKey: String
  /// What can be entered.
  public var kind: Kind
  public var title: Screen.StringKey?
  public var placeholder: Screen.StringKey?
  /// At most `RuleSet.capacity`, in the order in which their messages are shown.
  public var rules: [Rule]

  public init(
    id: String, apiKey: String, kind: Kind, title: Screen.StringKey?, placeholder: Screen.StringKey?, rules: [Rule]
  ) {
    self.id = id
    self.apiKey = apiKey
    self.kind = kind
    self.title = title
    self.placeholder = placeholder
    self.rules = rules
  }

  /// What can be entered.
  public enum Kind: Equatable, Sendable {
    /// One line of text.
    case input(InputType)
    /// Yes or no; `nil` while it was never set.
    case toggle(initial: Bool?)
  }

  /// What a text is, as a hint for keyboards and password managers.
  public enum InputType: String, CaseIterable, Sendable {
    case text, email, password, newPassword
  }

  /// Whether a view shows if the value is acceptable: always for inputs, for switches if there is a rule to meet.
  @inlinable public var showsValidity: Bool {
    switch kind {
    case .input: true
    case .toggle: !rules.isEmpty
    }
  }

  /// What is asked of an item on every event.
  public struct Traits: OptionSet, Sendable {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// See `Item.isSecret`.
    @inlinable public static var isSecret: Traits { Traits(rawValue: 1) }
    /// See `Item.showsValidity`.
    @inlinable public static var showsValidity: Traits { Traits(rawValue: 2) }
    /// It is a switch.
    @inlinable public static var isToggle: Traits { Traits(rawValue: 4) }
    /// Two of its rules say the same when they are broken.
    @inlinable public static var repeatsMessages: Traits { Traits(rawValue: 8) }
  }

  var traits: Traits {
    var traits: Traits = []
    if isSecret { traits.insert(.isSecret) }
    if showsValidity { traits.insert(.showsValidity) }
    if case .toggle = kind { traits.insert(.isToggle) }
    let failures = rules.map(\.failure)
    if failures.indices.contains(where: { failures[..<$0].contains(failures[$0]) }) { traits.insert(.repeatsMessages) }
    return traits
  }

  /// Whether the value may never leave but to the authenticator.
  @inlinable public var isSecret: Bool {
    switch kind {
    case .input(.password), .input(.newPassword): true
    case .input(.text), .input(.email), .toggle: false
    }
  }
}
