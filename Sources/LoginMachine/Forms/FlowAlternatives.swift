/// A flow for views that cannot do some of what its external items ask for: on each screen, other items stand in the place of those.
///
/// The flow itself has all of its external items; each variant is a flow of its own, so that a session costs nothing more in any of them.
public struct FlowAlternatives: Sendable {
  /// The types of external items that have alternatives, each once.
  public let types: [String]
  /// A flow for each set of these types but the whole: bit n of a flow's index tells whether type n is in the set.
  public let flows: [Flow]

  /// The most types: each more would double the number of variants.
  public static var maximumTypes: Int { 3 }

  /// - Parameter flows: one less than two to the number of types.
  public init(types: [String], flows: [Flow]) {
    self.types = types
    self.flows = flows
  }

  /// The number of the variant for a view that can do some of `types`: bit n tells whether the view can do type n.
  public static func variant(of types: [String], supporting supported: Set<String>) -> Int {
    types.indices.reduce(0) { supported.contains(types[$1]) ? $0 | 1 << $1 : $0 }
  }

  /// The flow for a view that can do these types; `nil` if that is the flow with all of its external items.
  func flow(supporting supported: Set<String>) -> Flow? {
    let index = FlowAlternatives.variant(of: types, supporting: supported)
    return flows.indices.contains(index) ? flows[index] : nil
  }
}
