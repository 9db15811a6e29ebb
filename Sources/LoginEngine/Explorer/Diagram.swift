import LoginMachine

/// The Mermaid state diagram of an exploration.
extension Exploration {
  /// A `stateDiagram-v2` of all screens with their phases, ending in a newline. The same flow
  /// always gives the same text.
  ///
  /// States that differ only in values and notices are merged. Transitions that do not change the
  /// state are left out, and so are authenticator notices that name a screen.
  public var mermaid: String {
    let names = DiagramNames(of: flow)
    let visibleStates = ordered(Set(states.prefix(ownStates).map(\.visible)))
    var lines = ["stateDiagram-v2"]
    for (index, screen) in flow.screens.enumerated() {
      let inside = visibleStates.filter { $0.screen == index }
      guard !inside.isEmpty else { continue }
      lines.append("  state \"\(screen.id)\" as \(names.screens[index]) {")
      for visible in inside { lines.append("    state \"\(title(of: visible))\" as \(names.name(of: visible))") }
      lines.append("  }")
    }
    if let first = states.first { lines.append("  [*] --> \(names.name(of: first.visible))") }
    let ways = labelledTransitions()
    for from in visibleStates {
      for to in visibleStates {
        guard let label = ways[Way(from: from, to: to)] else { continue }
        lines.append("  \(names.name(of: from)) --> \(names.name(of: to)) : \(text(of: label, on: from.screen))")
      }
    }
    for visible in visibleStates where visible.phase == .requestSucceeded && visible.alert == nil {
      lines.append("  \(names.name(of: visible)) --> [*]")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private struct Way: Hashable {
    let from: VisibleState
    let to: VisibleState
  }

  /// For each pair of visible states, the events that lead from the first to the second. The value
  /// of an event is `true` if a view offers the event.
  private func labelledTransitions() -> [Way: [Event: Bool]] {
    var labels: [Way: [Event: Bool]] = [:]
    for edge in edges.prefix(ownEdges) {
      let way = Way(from: states[edge.from].visible, to: states[edge.to].visible)
      guard way.from != way.to else { continue }
      labels[way, default: [:]][edge.event, default: false] = edge.isOffered || labels[way]?[edge.event] == true
    }
    return labels
  }

  private func ordered(_ visibleStates: Set<VisibleState>) -> [VisibleState] {
    visibleStates.sorted { left, right in
      if left.screen != right.screen { return left.screen < right.screen }
      if left.phase != right.phase { return left.phase.rawValue < right.phase.rawValue }
      if left.isThrottled != right.isThrottled { return !left.isThrottled }
      return (left.alert?.rawValue ?? "") < (right.alert?.rawValue ?? "")
    }
  }

  private func title(of visible: VisibleState) -> String {
    var title = "\(visible.phase)"
    if visible.isThrottled { title += ", throttled" }
    if let alert = visible.alert { title += ", \(alert.rawValue) alert" }
    return title
  }

  private func text(of events: [Event: Bool], on screen: Int) -> String {
    let screen = flow.screens[screen]
    return events.map { (rank: $0.key.rank, text: $0.key.label(on: screen) + ($0.value ? "" : " (disabled)")) }
      .sorted { $0.rank < $1.rank }.map(\.text).joined(separator: ", ")
  }
}

extension Event {
  /// The position of the event in a label: the user's events are first, then the authenticator's
  /// events, then all others.
  fileprivate var rank: Int {
    switch self {
    case .edit: 0
    case .submit: 1
    case .cancel: 2
    case .retry: 3
    case .dismiss: 4
    case .again: 16
    case .accepted: 5
    case .rejected: 6
    case .rejectedItems: 7
    case .tooEarly: 8
    case .fault: 9
    case .notice: 10
    case .message: 11
    case .alert: 12
    case .secretLost: 13
    case .throttleOver: 14
    case .close: 15
    case .backgroundAccepted(let index): 20 + index
    case .backgroundRejected(let index): 40 + index
    case .backgroundLost(let index): 60 + index
    case .link(let link): 100 + link
    case .noticeTo(let screen): 1_000_000 + screen
    }
  }

  /// The event's label in a diagram; for an action, its id.
  fileprivate func label(on screen: Screen) -> String {
    switch self {
    case .edit: "edit"
    case .submit, .cancel, .retry, .again, .dismiss, .link: screen.actionID(of: self) ?? "dismiss"
    case .accepted: "[accepted]"
    case .rejected: "[rejected]"
    case .rejectedItems: "[rejected, items]"
    case .tooEarly: "[throttled]"
    case .notice, .noticeTo: "[notice]"
    case .message: "[message]"
    case .alert: "[alert]"
    case .fault: "[fault]"
    case .secretLost: "[secret lost]"
    case .throttleOver: "[throttle over]"
    case .close: "[close]"
    case .backgroundAccepted(let index): "[\(screen.request(ofInitial: index)) accepted]"
    case .backgroundRejected(let index): "[\(screen.request(ofInitial: index)) rejected]"
    case .backgroundLost(let index): "[\(screen.request(ofInitial: index)) lost]"
    }
  }
}

extension Screen {
  fileprivate func request(ofInitial index: Int) -> String {
    initialRequests.indices.contains(index) ? initialRequests[index].request : ""
  }
}

/// Identifiers for Mermaid: letters, digits and underscores, and none of its keywords.
private struct DiagramNames {
  let screens: [String]

  init(of flow: Flow) {
    let plain = flow.screens.map { screen in
      String(
        screen.id.unicodeScalars.map { scalar in
          switch scalar {
          case "a"..."z", "A"..."Z", "0"..."9", "_": Character(scalar)
          default: "_"
          }
        })
    }
    // Numbers distinguish screens whose ids become equal.
    let isAmbiguous = Set(plain).count < plain.count
    screens = plain.indices.map { "s_" + plain[$0] + (isAmbiguous ? "_\($0)" : "") }
  }

  func name(of visible: Exploration.VisibleState) -> String {
    var name = "\(screens[visible.screen].dropFirst(2))_\(visible.phase)"
    if visible.isThrottled { name += "_throttled" }
    if let alert = visible.alert { name += "_\(alert.rawValue)Alert" }
    return name
  }
}
