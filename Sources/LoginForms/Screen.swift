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
  /// What the button is called in each of its three parts.
  public let primary: PrimaryAction
  /// The ways to other screens.
  public let links: [Link]
  /// The scene that follows success.
  public let successScene: String

  public init(
    id: String, title: StringKey, request: String, sections: [Section], items: [Item], primary: PrimaryAction,
    links: [Link], successScene: String
  ) {
    self.id = id
    self.title = title
    self.request = request
    self.sections = sections
    self.items = items
    traits = items.map(\.traits)
    self.primary = primary
    self.links = links
    self.successScene = successScene
  }

  /// A key into a `StringTable`.
  public typealias StringKey = String

  /// A group of items.
  public struct Section: Equatable, Sendable {
    /// Unique in the screen.
    public var id: String
    /// Which of the screen's items it holds.
    public var items: Range<Int>

    public init(id: String, items: Range<Int>) {
      self.id = id
      self.items = items
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

    public init(submit: Action, cancel: Action, retry: Action) {
      self.submit = submit
      self.cancel = cancel
      self.retry = retry
    }
  }

  /// A way to another screen of the flow.
  public struct Link: Equatable, Sendable {
    public var action: Action
    /// The index of the screen it leads to.
    public var screen: Int

    public init(action: Action, screen: Int) {
      self.action = action
      self.screen = screen
    }
  }
}
