/// One line of a form: what is asked, under which name it is handed on, and what makes it acceptable.
public struct Item: Equatable, Sendable {
  /// The item's name for views, unique in the screen.
  public var id: String
  /// The value's name for the authenticator, unique in the screen; `nil` if the value is not handed on.
  public var apiKey: String?
  /// Which of the authenticator's own fields the value is, if the field has another name; like no field or `apiKey` of the screen.
  public var field: String?
  /// What can be entered.
  public var kind: Kind
  public var title: Screen.StringKey?
  public var placeholder: Screen.StringKey?
  /// At most `RuleSet.capacity`, in the order in which their messages are shown.
  public var rules: [Rule]
  /// What helps to enter it.
  public var hints: Hints
  /// How much it stands out.
  public var emphasis: Emphasis?
  /// When it is on the screen; `nil` for always.
  public var visibility: Condition?
  /// Whether nobody edits it here: it shows what came from the screen before. Only of plain inputs.
  public var isReadOnly: Bool
  /// When the authenticator is asked about the value while it is entered; `nil` for never. Only of what is edited and handed on.
  public var check: Check?

  public init(
    id: String, apiKey: String?, field: String? = nil, kind: Kind, title: Screen.StringKey?,
    placeholder: Screen.StringKey?, rules: [Rule],
    hints: Hints = Hints(), emphasis: Emphasis? = nil, visibility: Condition? = nil, isReadOnly: Bool = false,
    check: Check? = nil
  ) {
    self.id = id
    self.apiKey = apiKey
    self.field = field
    self.kind = kind
    self.title = title
    self.placeholder = placeholder
    self.rules = rules
    self.hints = hints
    self.emphasis = emphasis
    self.visibility = visibility
    self.isReadOnly = isReadOnly
    self.check = check
  }

  /// What can be entered.
  public enum Kind: Equatable, Sendable {
    /// One line of text; `initial` is what it begins with, `nil` for no value at all, which is not the same as an empty one.
    case input(InputType, initial: String? = "")
    /// One of several; `initial` is the id of one of them, or `nil` for none.
    case selection([Option], initial: String? = nil)
    /// Yes or no; `nil` while it was never set.
    case `switch`(initial: Bool?)
    /// Nothing: a text to read.
    case text
    /// Nothing: a way to a page outside of the form, see `PageURL`.
    case link(url: String)
    /// Nothing: a text for another device or program, see `CodeText`; `format` is how it is drawn.
    case code(text: String, CodeFormat)
    /// Any JSON value, which the view gets in a way of its own: an item of a kind that this program does not know.
    case external(External)
  }

  /// How a view draws a code.
  public enum CodeFormat: String, CaseIterable, Sendable {
    /// A QR code (ISO/IEC 18004), with the text beside it for who cannot scan it.
    case qr
    /// The text alone.
    case plain
  }

  /// What is asked for in a way that only a view knows.
  public struct External: Equatable, Sendable {
    /// The most bytes that the request or a value has as compact JSON.
    public static let maximumBytes = 16 * 1024
    /// The most arrays and objects within one another in the request or a value.
    public static let maximumDepth = 32

    /// The name of that way, such as `webauthn.get`.
    public var type: String
    /// What the view needs for it, as compact JSON; `nil` for nothing.
    public var request: [UInt8]?
    /// What a view that does not know the way says.
    public var text: Screen.StringKey?

    public init(type: String, request: [UInt8]? = nil, text: Screen.StringKey? = nil) {
      self.type = type
      self.request = request
      self.text = text
    }
  }

  /// The most options of a selection that a snapshot shows; of a longer list it shows only the option that is picked, so that an update stays small.
  public static let maximumShownOptions = 200

  /// What a selection offers.
  public struct Option: Equatable, Sendable {
    /// The value that picking it gives, unique in the selection.
    public var id: String
    public var title: Screen.StringKey

    public init(id: String, title: Screen.StringKey) {
      self.id = id
      self.title = title
    }
  }

  /// What a text is, as a hint for keyboards and password managers.
  public enum InputType: String, CaseIterable, Sendable {
    case text, email, date, password, newPassword, oneTimeCode

    /// Whether the value may never leave but to the authenticator.
    @inlinable public var isSecret: Bool {
      switch self {
      case .text, .email, .date: false
      case .password, .newPassword, .oneTimeCode: true
      }
    }
  }

  /// What helps to enter a text.
  public struct Hints: Equatable, Sendable {
    /// Which keyboard to show.
    public var keyboard: Keyboard?
    /// What to fill in by itself: tokens of HTML's `autocomplete` attribute, see `Autofill`.
    public var autofill: String?
    /// What the key that ends a line of a touch keyboard says.
    public var enterKey: EnterKey?
    /// What else is to be known before something is entered, for who does not see how the form looks as well.
    public var description: Screen.StringKey?

    public init(
      keyboard: Keyboard? = nil, autofill: String? = nil, enterKey: EnterKey? = nil,
      description: Screen.StringKey? = nil
    ) {
      self.keyboard = keyboard
      self.autofill = autofill
      self.enterKey = enterKey
      self.description = description
    }
  }

  /// What the key that ends a line says: the values of HTML's `enterkeyhint` attribute.
  public enum EnterKey: String, CaseIterable, Sendable {
    case enter, done, go, next, previous, search, send
  }

  /// A kind of keyboard.
  public enum Keyboard: String, CaseIterable, Sendable {
    case text, ascii, email, number, phone, url
  }

  /// How much something stands out: a role, for which the view has its colours.
  public enum Emphasis: String, CaseIterable, Sendable {
    case normal, subdued, prominent, critical
  }

  /// What is asked of an item on every event.
  public struct Traits: OptionSet, Sendable {
    public let rawValue: UInt16
    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// See `Item.isSecret`.
    @inlinable public static var isSecret: Traits { Traits(rawValue: 1) }
    /// See `Item.showsValidity`.
    @inlinable public static var showsValidity: Traits { Traits(rawValue: 2) }
    /// The item is a switch.
    @inlinable public static var isSwitch: Traits { Traits(rawValue: 4) }
    /// Two of the item's rules may say the same when they are broken: their messages have the same code.
    @inlinable public static var repeatsMessages: Traits { Traits(rawValue: 8) }
    /// The item is a selection.
    @inlinable public static var isSelection: Traits { Traits(rawValue: 16) }
    /// The item is a text, a link or a code, which has no value.
    @inlinable public static var isText: Traits { Traits(rawValue: 32) }
    /// Other items have rules about its value.
    @inlinable public static var hasDependents: Traits { Traits(rawValue: 64) }
    /// Its value decides whether something is on the screen.
    @inlinable public static var controlsVisibility: Traits { Traits(rawValue: 128) }
    /// See `Item.isReadOnly`.
    @inlinable public static var isReadOnly: Traits { Traits(rawValue: 256) }
    /// The item is an external one.
    @inlinable public static var isExternal: Traits { Traits(rawValue: 1024) }
    /// What nobody edits.
    @inlinable public static var isFixed: Traits { [isText, isReadOnly] }
    /// The item is a selection with more options than a snapshot shows.
    @inlinable public static var isLongList: Traits { Traits(rawValue: 512) }
    /// Rules about its value, its own or another item's, depend on which day it is.
    @inlinable public static var dependsOnDay: Traits { Traits(rawValue: 2048) }
    /// See `Item.check`.
    @inlinable public static var isChecked: Traits { Traits(rawValue: 4096) }
    /// Whether the values of both are of one kind: texts, secrets, options, positions of a switch, or what only a view knows.
    public func hasSameValues(as other: Traits) -> Bool {
      let kinds: Traits = [.isSecret, .isSwitch, .isSelection, .isText, .isExternal]
      return intersection(kinds) == other.intersection(kinds)
    }
  }

  var traits: Traits {
    var traits: Traits = []
    if isSecret { traits.insert(.isSecret) }
    if showsValidity { traits.insert(.showsValidity) }
    if isReadOnly { traits.insert(.isReadOnly) }
    if check != nil { traits.insert(.isChecked) }
    switch kind {
    case .input: break
    case .selection(let options, _):
      traits.insert(.isSelection)
      if options.count > Item.maximumShownOptions { traits.insert(.isLongList) }
    case .switch: traits.insert(.isSwitch)
    case .text, .link, .code: traits.insert(.isText)
    case .external: traits.insert(.isExternal)
    }
    if rules.contains(where: \.requirement.dependsOnDay) { traits.insert(.dependsOnDay) }
    let codes = rules.map(\.message)
    if codes.indices.contains(where: { codes[..<$0].contains(codes[$0]) }) { traits.insert(.repeatsMessages) }
    return traits
  }

  /// Whether a view shows if the value is acceptable: always for inputs, for others if there is a rule to meet or the authenticator checks the value.
  @inlinable public var showsValidity: Bool {
    switch kind {
    case .input: true
    case .selection, .switch, .text, .link, .code, .external: !rules.isEmpty || check != nil
    }
  }

  /// Whether the value may never leave but to the authenticator.
  @inlinable public var isSecret: Bool {
    if case .input(let type, _) = kind { type.isSecret } else { false }
  }
}
