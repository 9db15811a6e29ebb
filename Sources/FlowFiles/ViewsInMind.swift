import LoginForms

/// The views that a definition is read for.
struct ViewsInMind {
  /// The types of external items that they can do; `nil` for all.
  var supported: Set<String>?
  /// The types of external items that were found to have alternatives.
  var alternativeTypes: Set<String> = []
}

extension Definition {
  /// All screens, for views that can do everything, and the variants of a flow for others.
  ///
  /// - Parameters:
  ///   - read: reads the screens for some views.
  ///   - flow: makes a flow of screens.
  func screensAndAlternatives(
    _ read: (inout ViewsInMind) throws(FlowFileError) -> [Screen], flow: ([Screen]) -> Flow
  ) throws(FlowFileError) -> (screens: [Screen], alternatives: FlowAlternatives?) {
    var all = ViewsInMind()
    let screens = try read(&all)
    guard !all.alternativeTypes.isEmpty else { return (screens, nil) }
    // An alternative may be an external item with an alternative of its own.
    var none = ViewsInMind(supported: [])
    _ = try read(&none)
    let types = all.alternativeTypes.union(none.alternativeTypes).sorted()
    guard types.count <= FlowAlternatives.maximumTypes else {
      throw error(
        found: "alternatives for \(types.count) types of external items",
        expected: "alternatives for at most \(FlowAlternatives.maximumTypes)")
    }
    var flows: [Flow] = []
    for set in 0..<(1 << types.count) - 1 {
      var views = ViewsInMind(supported: Set(types.indices.filter { set & 1 << $0 != 0 }.map { types[$0] }))
      flows.append(flow(try read(&views)))
    }
    return (screens, FlowAlternatives(types: types, flows: flows))
  }
}
