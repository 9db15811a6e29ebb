/// One screen of a flow: a form, its requests and its links to other screens.
public final class Screen: Sendable {
  /// The screen's id on the wire, unique in the flow.
  public let id: String
  /// The key of the title in the string table.
  public let title: StringKey
  /// The name of the submit's request, such as `login`.
  public let request: String
  /// The sections in order. Their items are contiguous in `items`.
  public let sections: [Section]
  /// All items in order. Ids and API keys are unique in the screen.
  public let items: [Item]
  /// The traits of each item, by index.
  public let traits: [Item.Traits]
  /// Whether sections or items have visibility conditions.
  public let isDynamic: Bool
  /// Whether the authenticator checks any item while it is edited.
  public let hasChecks: Bool
  /// The roles of the primary button.
  public let primary: PrimaryAction
  /// The actions other than the primary action.
  public let links: [Link]
  /// Whether any link makes a request of its own.
  public let hasRequestLinks: Bool
  /// The requests that start when the screen is entered. At most one of them covers the form.
  public let initialRequests: [InitialRequest]
  /// The appearance of alerts; `nil` if the screen has none.
  public let alert: AlertModel?
  /// What follows a successful submit.
  public let success: Success
  /// Whether any selection has more options than a snapshot shows.
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
    /// The indices of its items in the screen.
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

  /// An action: its id on the wire and its title.
  public struct Action: Equatable, Sendable {
    public var id: String
    public var title: StringKey

    public init(id: String, title: StringKey) {
      self.id = id
      self.title = title
    }
  }

  /// The primary button of a screen. The action id states the role at the time of the press, so
  /// that a double press never triggers the next role.
  public struct PrimaryAction: Equatable, Sendable {
    public var submit: Action
    public var cancel: Action
    public var retry: Action
    /// Starts the session again after a login; `nil` if the session ends with success.
    public var again: Action?

    public init(submit: Action, cancel: Action, retry: Action, again: Action? = nil) {
      self.submit = submit
      self.cancel = cancel
      self.retry = retry
      self.again = again
    }
  }

  /// An action other than the primary action, usually a link to another screen of the flow.
  public struct Link: Equatable, Sendable {
    public var action: Action
    public var target: Target
    /// What happens to the values when the link leads to another screen.
    public var values: LinkValues

    public init(action: Action, target: Target, values: LinkValues = .stay) {
      self.action = action
      self.target = target
      self.values = values
    }

    /// A link to the screen with that index.
    public init(action: Action, screen: Int, values: LinkValues = .stay) {
      self.init(action: action, target: .screen(screen), values: values)
    }

    /// The flow's request that a press makes; `nil` if it makes none.
    public var request: LinkRequest? {
      if case .request(let request) = target { request } else { nil }
    }

    /// The index of the screen that the link leads to; `nil` if it leads to none.
    public var screen: Int? {
      if case .screen(let screen) = target { screen } else { nil }
    }
  }

  /// What happens to the values when a link leads to another screen. Secrets are never kept or
  /// carried over.
  public enum LinkValues: String, CaseIterable, Sendable {
    /// Both screens keep their values.
    case stay
    /// Both screens lose their values.
    case go
    /// Both screens keep their values, and values of plain inputs replace those of the target's
    /// inputs with the same API key.
    case carry
  }

  /// The effect of pressing a link.
  public enum Target: Equatable, Sendable {
    /// Shows the screen with this index.
    case screen(Int)
    /// Makes a request other than the screen's own.
    case request(LinkRequest)
    /// Reports the press to the authenticator. Only in a challenge.
    case ask
    /// Leaves the challenge and ends the conversation. Only in a challenge.
    case leave
  }

  /// The appearance of a screen's alerts.
  public struct AlertModel: Equatable, Sendable {
    /// The action that dismisses an alert.
    public var dismiss: Action
    public var role: AlertRole
    /// The titles by the subject of the alert.
    public var titles: [AlertKind: StringKey]

    public init(dismiss: Action, role: AlertRole, titles: [AlertKind: StringKey]) {
      self.dismiss = dismiss
      self.role = role
      self.titles = titles
    }
  }

  /// The subject of an alert.
  public enum AlertKind: String, CaseIterable, Sendable {
    /// Invalid values.
    case invalid
    /// A failed request.
    case failure
    /// A notice of the authenticator.
    case notice
  }

  /// The style of the button that dismisses an alert.
  public enum AlertRole: String, CaseIterable, Sendable {
    case dismiss, destructive
  }

  /// What follows a successful request.
  public enum Success: Equatable, Sendable {
    /// The session succeeds and the view shows its own scene with this name.
    case scene(String)
    /// The screen with this index.
    case screen(Int)

    /// The index of the next screen; `nil` for a scene.
    public var screen: Int? {
      if case .screen(let screen) = self { screen } else { nil }
    }
  }
}
