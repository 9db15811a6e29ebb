/// One screen of a flow: a form, the request it makes and the ways to other screens.
public final class Screen: Sendable {
  /// The screen's name on the wire, unique in the flow.
  public let id: String
  /// Where its title is in the string table.
  public let title: StringKey
  /// What the authenticator is asked for, e.g. `login`.
  public let request: String
  /// The sections in order; their items follow one another in `items` without gaps.
  public let sections: [Section]
  /// All items in order; ids and api keys are unique in the screen.
  public let items: [Item]
  /// What is asked of each item on every event, without its texts.
  public let traits: [Item.Traits]
  /// Whether sections or items come and go.
  public let isDynamic: Bool
  /// Whether the authenticator checks any of the items while they are edited.
  public let hasChecks: Bool
  /// What the button is called in each of its three parts.
  public let primary: PrimaryAction
  /// What can be pressed beside the primary action.
  public let links: [Link]
  /// Whether any of the links makes a request of its own.
  public let hasRequestLinks: Bool
  /// The requests that begin by themselves when the screen is entered; at most one of them covers the form.
  public let initialRequests: [InitialRequest]
  /// How alerts look here; `nil` if there are none.
  public let alert: AlertModel?
  /// What follows success.
  public let success: Success
  /// Whether any of the items is a selection with more options than a snapshot shows.
  public let hasLongLists: Bool

  public init(
    id: String, title: StringKey, request: String, sections: [Section], items: [Item], primary: PrimaryAction,
    links: [Link], initialRequests: [InitialRequest] = [], alert: AlertModel? = nil, success: Success
  ) {
    self.id = id
    self.title = title
    self.request = request
    self.sections = sections
    self.items = items
    var traits = items.map(\.traits)
    for item in items.indices {
      for other in items[item].rules.compactMap(\.requirement.otherItem) {
        traits[other].insert(.hasDependents)
        if traits[item].contains(.dependsOnDay) { traits[other].insert(.dependsOnDay) }
      }
    }
    let conditions = items.compactMap(\.visibility) + sections.compactMap(\.visibility)
    for item in conditions.lazy.flatMap(\.items) { traits[item].insert(.controlsVisibility) }
    isDynamic = !conditions.isEmpty
    hasLongLists = traits.contains { $0.contains(.isLongList) }
    hasChecks = traits.contains { $0.contains(.isChecked) }
    hasRequestLinks = links.contains { $0.request != nil }
    self.traits = traits
    self.primary = primary
    self.links = links
    self.initialRequests = initialRequests
    self.alert = alert
    self.success = success
  }

  /// A key into a `StringTable`.
  public typealias StringKey = String

  /// A group of items.
  public struct Section: Equatable, Sendable {
    /// Unique in the screen.
    public var id: String
    public var title: StringKey?
    /// Which of the screen's items it holds.
    public var items: Range<Int>
    /// When it is on the screen; `nil` for always.
    public var visibility: Item.Condition?

    public init(id: String, title: StringKey? = nil, items: Range<Int>, visibility: Item.Condition? = nil) {
      self.id = id
      self.title = title
      self.items = items
      self.visibility = visibility
    }
  }

  /// One action: its id on the wire and its title.
  public struct Action: Equatable, Sendable {
    public var id: String
    public var title: StringKey

    public init(id: String, title: StringKey) {
      self.id = id
      self.title = title
    }
  }

  /// The one button of a screen. Its id says what a press means now, so that a double press on one part never triggers the next.
  public struct PrimaryAction: Equatable, Sendable {
    public var submit: Action
    public var cancel: Action
    public var retry: Action
    /// Starts the session afresh once somebody is in; `nil` if success is its end.
    public var again: Action?

    public init(submit: Action, cancel: Action, retry: Action, again: Action? = nil) {
      self.submit = submit
      self.cancel = cancel
      self.retry = retry
      self.again = again
    }
  }

  /// What can be pressed beside the primary action: mostly a way to another screen of the flow.
  public struct Link: Equatable, Sendable {
    public var action: Action
    public var target: Target
    /// What becomes of the values on the way to another screen.
    public var values: LinkValues

    public init(action: Action, target: Target, values: LinkValues = .stay) {
      self.action = action
      self.target = target
      self.values = values
    }

    /// A way to the screen of that index.
    public init(action: Action, screen: Int, values: LinkValues = .stay) {
      self.init(action: action, target: .screen(screen), values: values)
    }

    /// The request that a press makes, if it makes one of the flow's.
    public var request: LinkRequest? {
      if case .request(let request) = target { request } else { nil }
    }

    /// The index of the screen it leads to, if it leads to one.
    public var screen: Int? {
      if case .screen(let screen) = target { screen } else { nil }
    }
  }

  /// What becomes of the values when a link leads to another screen. Secrets neither stay nor go along.
  public enum LinkValues: String, CaseIterable, Sendable {
    /// They are there again after a return, as are those of the screen that the link leads to.
    case stay
    /// They are forgotten, and so are those of the screen that the link leads to.
    case go
    /// They stay, and plain inputs go along to inputs with the same api key, in place of what these had.
    case carry
  }

  /// What pressing a link does.
  public enum Target: Equatable, Sendable {
    /// Goes to the screen of this index.
    case screen(Int)
    /// Asks the authenticator for something else than the screen's own request.
    case request(LinkRequest)
    /// Tells the authenticator that it was pressed. Only in a challenge.
    case ask
    /// Leaves the challenge, and with it the conversation. Only in a challenge.
    case leave
  }

  /// How a screen's alerts look.
  public struct AlertModel: Equatable, Sendable {
    /// What ends an alert.
    public var dismiss: Action
    public var role: AlertRole
    /// The titles, by what an alert is about.
    public var titles: [AlertKind: StringKey]

    public init(dismiss: Action, role: AlertRole, titles: [AlertKind: StringKey]) {
      self.dismiss = dismiss
      self.role = role
      self.titles = titles
    }
  }

  /// What an alert is about.
  public enum AlertKind: String, CaseIterable, Sendable {
    /// Values that do not meet their rules.
    case invalid
    /// A request that came to nothing.
    case failure
    /// What the authenticator wants to be read.
    case notice
  }

  /// How the end of an alert looks.
  public enum AlertRole: String, CaseIterable, Sendable {
    case dismiss, destructive
  }

  /// What follows success.
  public enum Success: Equatable, Sendable {
    /// The form is over; the view shows its own scene of this name.
    case scene(String)
    /// The screen of this index.
    case screen(Int)

    /// The index of the screen that follows; `nil` for a scene.
    public var screen: Int? {
      if case .screen(let screen) = self { screen } else { nil }
    }
  }
}
