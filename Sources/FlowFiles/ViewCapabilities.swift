import LoginMachine

/// The capabilities of the views for which a definition is read.
struct ViewCapabilities {
  /// The types of external items that the views support; `nil` for all types.
  var supported: Set<String>?
  /// The types of external items with alternatives that were found in the definition.
  var alternativeTypes: Set<String> = []
}

extension Definition {
  /// Calls `read` once for views that support everything, and once for each subset of the external
  /// item types for which the definition has an alternative. An error that only some views would
  /// meet is therefore always found.
  ///
  /// - Returns: the types that have alternatives, and the results of `read`. Bit n of a result's
  ///   index tells whether the views support type n. The last result is for views that support
  ///   everything.
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
