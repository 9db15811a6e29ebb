import LoginMachine

/// What the views support for which a definition is read.
struct ViewCapabilities {
  /// The types of external items that the views support; `nil` for all.
  var supported: Set<String>?
  /// The types of external items with alternatives that were found in the definition.
  var alternativeTypes: Set<String> = []
}

extension Definition {
  /// Calls `read` once for each kind of view: for views that support everything, and for each set
  /// of the types of external items that have alternatives. So an error that only some views would
  /// meet is always found.
  ///
  /// - Returns: the types, and the result of `read` for each set of them: bit n of an index tells
  ///   whether type n is in the set. The last result is that for all types.
  func variants<Content>(
    _ read: (inout ViewCapabilities) throws(FlowFileError) -> Content
  ) throws(FlowFileError) -> (types: [String], contents: [Content]) {
    var all = ViewCapabilities()
    let content = try read(&all)
    guard !all.alternativeTypes.isEmpty else { return ([], [content]) }
    // An alternative may be an external item that has an alternative itself.
    var none = ViewCapabilities(supported: [])
    _ = try read(&none)
    let types = all.alternativeTypes.union(none.alternativeTypes).sorted()
    guard types.count <= FlowAlternatives.maximumTypes else {
      throw error(
        found: "alternatives for \(types.count) types of external items",
        expected: "alternatives for at most \(FlowAlternatives.maximumTypes)")
    }
    var contents: [Content] = []
    for set in 0..<(1 << types.count) - 1 {
      var views = ViewCapabilities(supported: Set(types.indices.filter { set & 1 << $0 != 0 }.map { types[$0] }))
      contents.append(try read(&views))
    }
    return (types, contents + [content])
  }

  /// Reads the screens for views that support everything, and the flow's variants for other views.
  ///
  /// - Parameters:
  ///   - read: reads the screens for views with the given capabilities.
  ///   - flow: creates a flow from its screens.
  func screensAndAlternatives(
    _ read: (inout ViewCapabilities) throws(FlowFileError) -> [Screen], flow: ([Screen]) -> Flow
  ) throws(FlowFileError) -> (screens: [Screen], alternatives: FlowAlternatives?) {
    var (types, contents) = try variants(read)
    let screens = contents.removeLast()
    return (screens, types.isEmpty ? nil : FlowAlternatives(types: types, flows: contents.map(flow)))
  }
}
