/// The variants of a flow for views that do not support all types of its external items. On each
/// screen of a variant, other items replace the items of unsupported types.
///
/// The flow itself shows all of its external items. Each variant is a complete flow, so a session
/// of a variant costs no more than a session of the flow itself.
public struct FlowAlternatives: Sendable {
  /// The types of external items that have alternatives, each once.
  public let types: [String]
  /// One flow for each set of supported types, except for the set of all types. If bit n of a
  /// flow's index is set, type n is in its set.
  public let flows: [Flow]

  /// The maximum number of types. Each further type doubles the number of variants.
  public static var maximumTypes: Int { 3 }

  /// - Parameter flows: the variants, 2^n - 1 flows for n types.
  public init(types: [String], flows: [Flow]) {
    self.types = types
    self.flows = flows
  }

  /// The index of the variant for a view that supports the types in `supported`. Bit n of the index
  /// says whether the view supports type n.
  public static func variant(of types: [String], supporting supported: Set<String>) -> Int {
    types.indices.reduce(0) { supported.contains(types[$1]) ? $0 | 1 << $1 : $0 }
  }

  /// The variant for a view that supports the types in `supported`; `nil` if it supports all types,
  /// so that the flow itself is shown.
  func flow(supporting supported: Set<String>) -> Flow? {
    let index = FlowAlternatives.variant(of: types, supporting: supported)
    return flows.indices.contains(index) ? flows[index] : nil
  }
}
