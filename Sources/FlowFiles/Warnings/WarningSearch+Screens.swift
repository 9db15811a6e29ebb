import LoginMachine

/// Warnings about unreachable screens and dead ends.
extension WarningSearch {
  mutating func checkScreens() throws(FlowFileError) {
    let places = try definition.required("screens").elements(1...FlowFile.maximumScreens)
    let reached = screens(from: [flow.start]) { flow.screens[$0].ways }
    let ends = flow.screens.indices.filter { flow.screens[$0].leadsToScene }
    let hopeful = screens(from: ends) { target in
      flow.screens.indices.filter { flow.screens[$0].ways.contains(target) }
    }
    for (index, place) in places.enumerated() where flow.screens.indices.contains(index) {
      if !reached.contains(index) {
        warn(
          place, found: "a screen that nothing leads to from \(quoted(flow.screens[flow.start].id))",
          "give a screen a link to it, or take it out")
      }
      if !hopeful.contains(index) {
        warn(place, found: "a screen from which no way leads to a scene", "let \"success\" lead on, or add a link")
      }
    }
  }

  /// All screens that can be reached from the screens in `first`, which are included. `next`
  /// returns the screens to which a screen leads directly.
  private func screens(from first: [Int], _ next: (Int) -> [Int]) -> Set<Int> {
    var found = Set(first)
    var rest = first
    while let screen = rest.popLast() {
      for other in next(screen) where found.insert(other).inserted { rest.append(other) }
    }
    return found
  }
}

extension Screen {
  /// The screens to which the links and the successful requests of this screen lead.
  fileprivate var ways: [Int] { links.compactMap(\.screen) + successes.compactMap(\.screen) }
}
