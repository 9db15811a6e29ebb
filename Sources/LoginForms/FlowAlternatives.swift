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

  /// The flow for a view that can do these types; `nil` if that is the flow with all of its external items.
  func flow(supporting supported: Set<String>) -> Flow? {
    var index = 0
    for (place, type) in types.enumerated() where supported.contains(type) { index |= 1 << place }
    return flows.indices.contains(index) ? flows[index] : nil
  }
}
