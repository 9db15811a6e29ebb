/// One item of a form: what the user enters or sees, the name under which its value is sent, and
/// the rules for the value.
public struct Item: Equatable, Sendable {
  /// The item's id for views, unique in the screen.
  public var id: String
  /// The value's name for the authenticator, unique in the screen; `nil` if the value is not sent.
  public var apiKey: String?
  /// The name by which the authenticator itself refers to the value, if it differs from `apiKey`.
  /// It must differ from every `apiKey` and every other `field` of the screen.
  public var field: String?
  /// What the user enters or sees.
  public var kind: Kind
  public var title: Screen.StringKey?
  public var placeholder: Screen.StringKey?
  /// The rules for the value, at most `RuleSet.capacity`. Their messages are shown in this order.
  public var rules: [Rule]
  /// Hints for entering a value.
  public var hints: Hints
  /// The visual emphasis of the item.
  public var emphasis: Emphasis?
  /// The condition under which the item is on the screen; `nil` if it always is.
  public var visibility: Condition?
  /// Whether the user cannot edit the item, because it only shows a value that was entered on the
  /// previous screen. Only plain inputs can be read-only.
  public var isReadOnly: Bool
  /// When the authenticator checks the value while it is entered; `nil` if the authenticator does
  /// not check the value. Only for items whose value is edited by users and sent by the engine.
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

  /// What the user enters or sees in an item, with the initial value.
  public enum Kind: Equatable, Sendable {
    /// One line of text. `initial` is the initial text; `nil` means that there is no value, which
    /// differs from an empty text.
    case input(InputType, initial: String? = "")
    /// One of several options. `initial` is the id of the option that is picked at first, or `nil`
    /// for none.
    case selection([Option], initial: String? = nil)
    /// On or off; `nil` until it is set.
    case `switch`(initial: Bool?)
    /// No input: a text to read.
    case text
    /// No input: a link to a page outside of the form, see `PageURL`.
    case link(url: String)
    /// No input: a text for another device or program, see `CodeText`. The format says how the text
    /// is drawn.
    case code(text: String, CodeFormat)
    /// Any JSON value that the view obtains by its own means. The engine does not interpret it.
    case external(External)
  }

  /// How a view draws a code.
  public enum CodeFormat: String, CaseIterable, Sendable {
    /// A QR code (ISO/IEC 18004), with its text for users who cannot scan it.
    case qr
    /// Only the text, without a picture.
    case plain
  }

  /// An input that only a view can obtain, such as a passkey. The engine does not interpret its
  /// value.
  public struct External: Equatable, Sendable {
    /// The maximum size of the request or a value as compact JSON, in bytes.
    public static let maximumBytes = 16 * 1024
    /// The maximum nesting depth of arrays and objects in the request or a value.
    public static let maximumDepth = 32

    /// The name of the way in which the view obtains the value, such as `webauthn.get`.
    public var type: String
    /// The parameters for the view, as compact JSON; `nil` for none.
    public var request: [UInt8]?
    /// The text that a view shows if it does not support the type.
    public var text: Screen.StringKey?

    public init(type: String, request: [UInt8]? = nil, text: Screen.StringKey? = nil) {
      self.type = type
      self.request = request
      self.text = text
    }
  }

  /// The maximum number of options that a snapshot lists. If a selection has more options, a
  /// snapshot contains only the picked option, so that an update stays small.
  public static let maximumShownOptions = 200

  /// An option of a selection.
  public struct Option: Equatable, Sendable {
    /// The value of the option, unique in the selection.
    public var id: String
    public var title: Screen.StringKey

    public init(id: String, title: Screen.StringKey) {
      self.id = id
      self.title = title
    }
  }

  /// The type of text that an input takes, as a hint for keyboards and password managers.
  public enum InputType: String, CaseIterable, Sendable {
    case text, email, date, password, newPassword, oneTimeCode

    /// Whether the value is a secret, which is sent to the authenticator and to nobody else.
    @inlinable public var isSecret: Bool {
      switch self {
      case .text, .email, .date: false
      case .password, .newPassword, .oneTimeCode: true
      }
    }
  }

  /// Hints for entering a text.
  public struct Hints: Equatable, Sendable {
    /// The keyboard to show.
    public var keyboard: Keyboard?
    /// What to fill in automatically: tokens of HTML's `autocomplete` attribute, see `Autofill`.
    public var autofill: String?
    /// The label of the enter key on a touch keyboard.
    public var enterKey: EnterKey?
    /// A further description of the input for the user, also read to users who cannot see the form.
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

  /// The label of the enter key: the values of HTML's `enterkeyhint` attribute.
  public enum EnterKey: String, CaseIterable, Sendable {
    case enter, done, go, next, previous, search, send
  }

  /// A type of keyboard.
  public enum Keyboard: String, CaseIterable, Sendable {
    case text, ascii, email, number, phone, url
  }

  /// The visual emphasis of a part of the screen. It is a role, for which the view chooses the
  /// colours.
  public enum Emphasis: String, CaseIterable, Sendable {
    case normal, subdued, prominent, critical
  }

  /// The properties of an item that are needed at every event, in a few bits.
  public struct Traits: OptionSet, Sendable {
    public let rawValue: UInt16
    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// See `Item.isSecret`.
    @inlinable public static var isSecret: Traits { Traits(rawValue: 1) }
    /// See `Item.showsValidity`.
    @inlinable public static var showsValidity: Traits { Traits(rawValue: 2) }
    /// The item is a switch.
    @inlinable public static var isSwitch: Traits { Traits(rawValue: 4) }
    /// Two of the item's rules have messages with the same code.
    @inlinable public static var repeatsMessages: Traits { Traits(rawValue: 8) }
    /// The item is a selection.
    @inlinable public static var isSelection: Traits { Traits(rawValue: 16) }
    /// The item is a text, a link or a code, which have no value.
    @inlinable public static var isText: Traits { Traits(rawValue: 32) }
    /// Rules of other items refer to the item's value.
    @inlinable public static var hasDependents: Traits { Traits(rawValue: 64) }
    /// Visibility conditions refer to the item's value.
    @inlinable public static var controlsVisibility: Traits { Traits(rawValue: 128) }
    /// See `Item.isReadOnly`.
    @inlinable public static var isReadOnly: Traits { Traits(rawValue: 256) }
    /// The item is an external item.
    @inlinable public static var isExternal: Traits { Traits(rawValue: 1024) }
    /// The traits of items that the user cannot edit.
    @inlinable public static var isFixed: Traits { [isText, isReadOnly] }
    /// The item is a selection with more options than a snapshot shows.
    @inlinable public static var isLongList: Traits { Traits(rawValue: 512) }
    /// A rule of this item, or a rule of another item about this item's value, depends on the day.
    @inlinable public static var dependsOnDay: Traits { Traits(rawValue: 2048) }
    /// See `Item.check`.
    @inlinable public static var isChecked: Traits { Traits(rawValue: 4096) }
    /// Whether values of items with these traits and values of items with the traits `other` have
    /// the same type: text, secret, option, switch position or external value.
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

  /// Whether a view shows that the value is valid or invalid. Inputs always show it; other items
  /// show it if they have a rule or a check by the authenticator.
  @inlinable public var showsValidity: Bool {
    switch kind {
    case .input: true
    case .selection, .switch, .text, .link, .code, .external: !rules.isEmpty || check != nil
    }
  }

  /// Whether the value is a secret, which is sent to the authenticator and to nobody else.
  @inlinable public var isSecret: Bool {
    if case .input(let type, _) = kind { type.isSecret } else { false }
  }
}
