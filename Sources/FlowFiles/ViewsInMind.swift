import LoginMachine

/// The views that a definition is read for.
struct ViewsInMind {
  /// The types of external items that they can do; `nil` for all.
  var supported: Set<String>?
  /// The types of external items that were found to have alternatives.
  var alternativeTypes: Set<String> = []
}

extension Definition {
  /// Reads something for each kind of view there is: first for those that can do everything, then for each set of the types of external items that have
  /// alternatives. So what is wrong for any view is refused, whatever view it is for.
  ///
  /// - Returns: the types, and what was read for each set of them: bit n of the place tells whether type n is in the set. The whole set is the last.
  func variants<Content>(
    _ read: (inout ViewsInMind) throws(FlowFileError) -> Content
  ) throws(FlowFileError) -> (types: [String], contents: [Content]) {
    var all = ViewsInMind()
    let content = try read(&all)
    guard !all.alternativeTypes.isEmpty else { return ([], [content]) }
    // An alternative may be an external item with an alternative of its own.
    var none = ViewsInMind(supported: [])
    _ = try read(&none)
    let types = all.alternativeTypes.union(none.alternativeTypes).sorted()
    guard types.count <= FlowAlternatives.maximumTypes else {
      throw error(
        found: "alternatives for \(types.count) types of external items",
        expected: "alternatives for at most \(FlowAlternatives.maximumTypes)")
    }
    var contents: [Content] = []
    for set in 0..<(1 << types.count) - 1 {
      var views = ViewsInMind(supported: Set(types.indices.filter { set & 1 << $0 != 0 }.map { types[$0] }))
      contents.append(try read(&views))
    }
    return (types, contents + [content])
  }

  /// All screens, for views that can do everything, and the variants of a flow for others.
  ///
  /// - Parameters:
  ///   - read: reads the screens for some views.
  ///   - flow: makes a flow of screens.
  func screensAndAlternatives(
    _ read: (inout ViewsInMind) throws(FlowFileError) -> [Screen], flow: ([Screen]) -> Flow
  ) throws(FlowFileError) -> (screens: [Screen], alternatives: FlowAlternatives?) {
    var (types, contents) = try variants(read)
    let screens = contents.removeLast()
    return (screens, types.isEmpty ? nil : FlowAlternatives(types: types, flows: contents.map(flow)))
  }
}
