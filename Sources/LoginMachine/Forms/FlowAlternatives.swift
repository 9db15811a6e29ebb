/// The variants of a flow for views that do not support all types of its external items. On each
/// screen of a variant, other items replace the unsupported ones.
///
/// The flow itself shows all of its external items. Each variant is a complete flow, so a session
/// of a variant costs no more than a session of the flow itself.
public struct FlowAlternatives: Sendable {
  /// The types of external items that have alternatives, each once.
  public let types: [String]
  /// One flow for each set of supported types, except for the set of all types. Bit n of a flow's
  /// index tells whether type n is in the set.
  public let flows: [Flow]

  /// The maximum number of types. Each type doubles the number of variants.
  public static var maximumTypes: Int { 3 }

  /// - Parameter flows: 2^n - 1 flows for n types.
  public init(types: [String], flows: [Flow]) {
    self.types = types
    self.flows = flows
  }

  /// The index of the variant for a view with these supported types: bit n says whether the view
  /// supports type n.
  public static func variant(of types: [String], supporting supported: Set<String>) -> Int {
    types.indices.reduce(0) { supported.contains(types[$1]) ? $0 | 1 << $1 : $0 }
  }

  /// The variant for a view with these supported types; `nil` for the flow with all of its external
  /// items.
  func flow(supporting supported: Set<String>) -> Flow? {
    let index = FlowAlternatives.variant(of: types, supporting: supported)
    return flows.indices.contains(index) ? flows[index] : nil
  }
}
