import LoginMachine

/// Paths through a flow that together follow every arrow of its diagram.
extension Exploration {
  /// An event of a path, and the state after it.
  public struct Step: Sendable {
    public let event: Event
    /// The index of the item that is edited or whose secret is lost, and the value that is entered.
    public let entered: (item: Int, value: EnteredValue)?
    /// The index of the state after the event.
    public let state: Int
  }

  /// A value that a user enters.
  public enum EnteredValue: Sendable {
    case text([UInt8])
    /// An option of a selection; `nil` for none.
    case option([UInt8]?)
    case position(Bool)
  }

  /// Paths from the first state. Each ends in an arrow of the diagram that no path before it
  /// contains.
  ///
  /// The paths use the steps by which the exploration found the states, so that the values of these
  /// steps lead to exactly these states.
  public var paths: [[Step]] {
    let alphabets = flow.screens.map { Alphabet(of: $0) }
    var known: Set<Arrow> = []
    var ends: [(edge: Edge, depth: Int)] = []
    for edge in edges.prefix(ownEdges) {
      guard let arrow = arrow(from: edge.from, to: edge.to, edge.event), known.insert(arrow).inserted else { continue }
      ends.append((edge, path(to: edge.from).count))
    }
    // The longest paths are made first, since they contain arrows of shorter ones.
    var gone: Set<Arrow> = []
    var paths: [[Step]] = []
    for (edge, _) in ends.sorted(by: { $0.depth > $1.depth }) {
      guard let arrow = arrow(from: edge.from, to: edge.to, edge.event), !gone.contains(arrow) else { continue }
      gone.insert(arrow)
      var steps = [step(edge.event, edge.entry, from: edge.from, to: edge.to, alphabets)]
      var state = edge.from
      while let origin = states[state].origin {
        if let arrow = self.arrow(from: origin.state, to: state, origin.event) { gone.insert(arrow) }
        steps.append(step(origin.event, origin.entry, from: origin.state, to: state, alphabets))
        state = origin.state
      }
      paths.append(steps.reversed())
    }
    return paths
  }

  private struct Arrow: Hashable {
    let from: VisibleState
    let to: VisibleState
    let event: Event
  }

  /// The arrow of a transition in the diagram; `nil` if the diagram shows the same state before and
  /// after the transition.
  private func arrow(from: Int, to: Int, _ event: Event) -> Arrow? {
    let arrow = Arrow(from: states[from].visible, to: states[to].visible, event: event)
    return arrow.from == arrow.to ? nil : arrow
  }

  private func step(
    _ event: Event, _ entry: Entry?, from: Int, to: Int, _ alphabets: [Alphabet]
  ) -> Step {
    let values = alphabets[states[from].visible.screen].values
    return Step(event: event, entered: entry.map { (Int($0.item), $0.value(of: values)) }, state: to)
  }
}

extension Exploration.Entry {
  init(_ item: Int, _ value: Int) {
    self.init(item: Int32(truncatingIfNeeded: item), value: Int32(truncatingIfNeeded: value))
  }

  fileprivate func value(of values: [Alphabet.Values]) -> Exploration.EnteredValue {
    switch values[Int(item)] {
    case .texts(let texts): .text(texts[Int(value)])
    case .options(let options): .option(options[Int(value)])
    case .positions: .position(value == 0)
    case .nothing: .option(nil)
    }
  }
}

extension Exploration {
  /// The id of the action that an event presses on a screen; `nil` for other events.
  public func actionID(of event: Event, on screen: Int) -> String? { flow.screens[screen].actionID(of: event) }

  /// The time of all events in an exploration, in milliseconds since 1970.
  public static var utc: UInt64 { Alphabet.utc }
}
