/// One screen of a flow: a form, its requests and its links to other screens.
public final class Screen: Sendable {
  /// The screen's id on the wire, unique in the flow.
  public let id: String
  /// The key of the title in the string table.
  public let title: StringKey
  /// The name of the request that a submit makes, such as `login`.
  public let request: String
  /// The sections in order. The items of each section are contiguous in `items`.
  public let sections: [Section]
  /// All items in order. Ids and API keys are unique in the screen.
  public let items: [Item]
  /// The traits of each item, by index.
  public let traits: [Item.Traits]
  /// Whether any section or item has a visibility condition.
  public let isDynamic: Bool
  /// Whether the authenticator checks any item while it is edited.
  public let hasChecks: Bool
  /// The actions of the primary button, one for each of its roles.
  public let primary: PrimaryAction
  /// The actions of the screen other than its primary action.
  public let links: [Link]
  /// Whether a press of any link makes a request.
  public let hasRequestLinks: Bool
  /// The requests that start when the screen is entered. At most one of them covers the form; the
  /// others run in the background.
  public let initialRequests: [InitialRequest]
  /// The texts and the style of the screen's alerts; `nil` if the screen has no alerts.
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
    /// The section's id, unique in the screen.
    public var id: String
    public var title: StringKey?
    /// The range of the section's items among all items of the screen.
    public var items: Range<Int>
    /// The condition under which the section is on the screen; `nil` if it always is.
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

  /// The primary button of a screen. Each role of the button has its own action id, so the second
  /// press of a double press never triggers the next role.
  public struct PrimaryAction: Equatable, Sendable {
    public var submit: Action
    public var cancel: Action
    public var retry: Action
    /// The action that starts the session again after a login; `nil` if the session ends with
    /// success.
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

    /// A link to the screen with the index `screen`.
    public init(action: Action, screen: Int, values: LinkValues = .stay) {
      self.init(action: action, target: .screen(screen), values: values)
    }

    /// The request of the flow that a press makes; `nil` if a press makes no request.
    public var request: LinkRequest? {
      if case .request(let request) = target { request } else { nil }
    }

    /// The index of the screen to which the link leads; `nil` if the link does not lead to a
    /// screen.
    public var screen: Int? {
      if case .screen(let screen) = target { screen } else { nil }
    }
  }

  /// What happens to the values when a link leads to another screen. Secrets are never kept or
  /// carried over.
  public enum LinkValues: String, CaseIterable, Sendable {
    /// The values of both screens are kept until the user returns.
    case stay
    /// The values of both screens are discarded.
    case go
    /// The values of both screens are kept. Texts of plain inputs are copied into those inputs of
    /// the target screen that have the same API key.
    case carry
  }

  /// The effect of pressing a link.
  public enum Target: Equatable, Sendable {
    /// Shows the screen with this index.
    case screen(Int)
    /// Makes a request. It is not the request that a submit makes.
    case request(LinkRequest)
    /// Reports the press to the authenticator, which interprets it. Only in a challenge.
    case ask
    /// Leaves the challenge and ends the conversation. Only in a challenge.
    case leave
  }

  /// The texts and the style of a screen's alerts.
  public struct AlertModel: Equatable, Sendable {
    /// The action that dismisses an alert.
    public var dismiss: Action
    public var role: AlertRole
    /// The title of an alert for each subject that an alert can have.
    public var titles: [AlertKind: StringKey]

    public init(dismiss: Action, role: AlertRole, titles: [AlertKind: StringKey]) {
      self.dismiss = dismiss
      self.role = role
      self.titles = titles
    }
  }

  /// The subject of an alert.
  public enum AlertKind: String, CaseIterable, Sendable {
    /// The user submitted invalid values.
    case invalid
    /// A request failed.
    case failure
    /// The authenticator sent a notice.
    case notice
  }

  /// The style of the button that dismisses an alert.
  public enum AlertRole: String, CaseIterable, Sendable {
    case dismiss, destructive
  }

  /// What follows a successful request.
  public enum Success: Equatable, Sendable {
    /// The session ends with success, and the view shows its own scene with this name.
    case scene(String)
    /// The flow goes on with the screen with this index.
    case screen(Int)

    /// The index of the screen that follows; `nil` if a scene ends the session.
    public var screen: Int? {
      if case .screen(let screen) = self { screen } else { nil }
    }
  }
}
