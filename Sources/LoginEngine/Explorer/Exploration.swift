public import LoginMachine

/// All that can happen in a flow, found by walking the machine itself from the flow's first screen.
///
/// States that differ only in what the machine treats alike are one: of every value it counts whether it is acceptable, not which it is.
public struct Exploration: Sendable {
  public private(set) var flow: Flow
  /// The states in the order in which they were found, the first of the session first.
  public internal(set) var states: [State] = []
  /// What leads from one state to another.
  public internal(set) var edges: [Edge] = []
  /// How many of `states` and of `edges` are there without the authenticator naming screens by itself.
  public internal(set) var ownStates = 0
  public internal(set) var ownEdges = 0
  /// Whether there is nothing more to be found; otherwise the walk was ended at `maximumStates`.
  public internal(set) var isComplete = true
  /// What had to be gone and was not.
  public internal(set) var secretsLeft: [SecretLeft] = []
  /// States in which what was said of a value that was checked has changed more than an item's message, or a check outlived what ends it.
  public internal(set) var checkFaults: [Int] = []
  /// The states whose phase does not follow from the values.
  public internal(set) var phaseFaults: [Int] = []
  /// Which requests had to be over and were not.
  public internal(set) var requestsLeft: [RequestLeft] = []
  /// In how many states the session was closed.
  public internal(set) var closings = 0
  /// What was there, or could be done, at some time.
  public internal(set) var reached: Set<Element> = []

  /// The most states that are visited.
  public static let maximumStates = 200_000

  /// Walks through all of `flow`. `progress` is told from time to time how many states were found.
  public init(of flow: Flow, progress: (Int) -> Void = { _ in }) {
    self.flow = flow
    var explorer = Explorer(of: flow)
    explorer.walk(progress)
    self = explorer.found
  }

  init(blank flow: Flow) { self.flow = flow }

  /// A state of a session, as far as the walk tells states apart.
  public struct State: Hashable, Sendable {
    public let visible: VisibleState
    /// All alerts that wait, the one that is shown first.
    public let alerts: [Screen.AlertKind]
    public let hasNotice: Bool
    /// How it was reached: the state before, and what happened there. `nil` for the first.
    public let origin: Origin?
  }

  /// What a diagram shows of a state.
  public struct VisibleState: Hashable, Sendable {
    /// The screen's index.
    public let screen: Int
    public let phase: Phase.Name
    /// The kind of the alert that is shown.
    public let alert: Screen.AlertKind?
    public let isThrottled: Bool
  }

  public struct Origin: Hashable, Sendable {
    public let state: Int
    public let event: Event
    let entry: Entry?
  }

  /// What an event entered: one of the values of the alphabet; of a secret that is lost, its item alone counts.
  struct Entry: Hashable, Sendable {
    let item: Int32
    let value: Int32
  }

  public struct Edge: Hashable, Sendable {
    public let from: Int
    public let to: Int
    public let event: Event
    /// Whether a view offers it. The machine also takes a press of a submit that is shown disabled, and tells what is missing.
    public let isOffered: Bool
    let entry: Entry?
  }

  /// A secret that outlived what it was for.
  public struct SecretLeft: Equatable, Sendable {
    /// What happened, and where it led.
    public let event: Event
    public let state: Int
    public let reason: Reason

    public enum Reason: Equatable, Sendable {
      /// The machine still counts an item as filled.
      case filled(item: String)
      /// The engine was not told to destroy the bytes.
      case notWiped
      /// The engine was not told to withdraw the question, which has a copy of them, or an answer to it would still be taken.
      case notWithdrawn
    }
  }

  /// Something that a flow declares.
  public enum Element: Hashable, Sendable {
    case screen(String)
    case phase(Phase.Name)
    case phaseOn(screen: String, Phase.Name)
    case action(screen: String, id: String)
    case alert(screen: String, Screen.AlertKind)
    case section(screen: String, id: String)
    case item(screen: String, id: String)
  }

  /// What happened from the beginning up to a state.
  public func path(to state: Int) -> [Event] {
    var events: [Event] = []
    var state = state
    while states.indices.contains(state), let origin = states[state].origin {
      events.append(origin.event)
      state = origin.state
    }
    return events.reversed()
  }
}
