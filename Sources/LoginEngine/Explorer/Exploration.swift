public import LoginMachine

/// All reachable states of a flow, found by running the real machine from the flow's first screen.
///
/// States that differ only in details that the machine treats alike are merged: a value counts as
/// acceptable or not, unless its exact text matters.
public struct Exploration: Sendable {
  public private(set) var flow: Flow
  /// The states in the order in which they were found. The first one is the first state of a
  /// session.
  public internal(set) var states: [State] = []
  /// The transitions between states.
  public internal(set) var edges: [Edge] = []
  /// How many of `states` and of `edges` are reachable without a notice that names a screen.
  public internal(set) var ownStates = 0
  public internal(set) var ownEdges = 0
  /// Whether all states were found; otherwise the exploration stopped at `maximumStates`.
  public internal(set) var isComplete = true
  /// The secrets that should have been wiped but were not.
  public internal(set) var remainingSecrets: [RemainingSecret] = []
  /// The states in which the check of a value changes more than an item's message, or in which a
  /// check stays open although it should have ended.
  public internal(set) var checkFaults: [Int] = []
  /// The states whose phase contradicts the values in the form.
  public internal(set) var phaseFaults: [Int] = []
  /// The requests that should have ended but did not.
  public internal(set) var remainingRequests: [RemainingRequest] = []
  /// The number of states in which closing the session was tried.
  public internal(set) var closings = 0
  /// The declared elements of the flow that are reached in some state.
  public internal(set) var reached: Set<Element> = []

  /// The largest number of states that an exploration visits.
  public static let maximumStates = 200_000

  /// Explores all of `flow`. Calls `progress` from time to time with the number of states found.
  public init(of flow: Flow, progress: (Int) -> Void = { _ in }) {
    self.flow = flow
    var explorer = Explorer(of: flow)
    explorer.walk(progress)
    self = explorer.found
  }

  init(blank flow: Flow) { self.flow = flow }

  /// A state of a session, in the details by which the exploration distinguishes states.
  public struct State: Hashable, Sendable {
    public let visible: VisibleState
    /// The queue of alerts; the first is shown.
    public let alerts: [Screen.AlertKind]
    public let hasNotice: Bool
    /// The previous state, and the event that led from it to this state; `nil` for the first state.
    public let origin: Origin?
  }

  /// The part of a state that a diagram shows.
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

  /// The item and value that an event entered, as indices into the alphabet. For a lost secret, the
  /// value has no meaning.
  struct Entry: Hashable, Sendable {
    let item: Int32
    let value: Int32
  }

  public struct Edge: Hashable, Sendable {
    public let from: Int
    public let to: Int
    public let event: Event
    /// Whether a view offers the event. The machine also accepts a press of a submit that is shown
    /// as disabled, and then shows what is missing.
    public let isOffered: Bool
    let entry: Entry?
  }

  /// A secret that should have been wiped but was not.
  public struct RemainingSecret: Equatable, Sendable {
    /// The event after which the secret remained, and the state to which the event led.
    public let event: Event
    public let state: Int
    public let reason: Reason

    public enum Reason: Equatable, Sendable {
      /// The machine still counts an item as filled.
      case filled(item: String)
      /// The engine was not told to wipe the bytes of the secret.
      case notWiped
      /// A question contains a copy of the secret. Either the engine was not told to withdraw this
      /// question, or the machine would still accept an answer to it.
      case notWithdrawn
    }
  }

  /// An element that a flow declares.
  public enum Element: Hashable, Sendable {
    case screen(String)
    case phase(Phase.Name)
    case phaseOn(screen: String, Phase.Name)
    case action(screen: String, id: String)
    case alert(screen: String, Screen.AlertKind)
    case section(screen: String, id: String)
    case item(screen: String, id: String)
  }

  /// The events that lead from the first state to a given state.
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
