import FlowFiles
import JSONCodec
public import LoginMachine
import LoginProtocol

/// The flows that an engine offers. Their languages are compiled on first use.
///
/// When the program starts, it loads only the default flow. All other flows are loaded on first
/// use.
public struct FlowCatalog {
  /// The default flow.
  let first: Flow
  let loaded: [Flow]
  /// The templates that were requested so far. They are few, so they are searched in an array:
  /// using another type of dictionary would make every start of the program slower.
  private var templates: [FlowTemplate] = []
  /// The flow that was requested last by a call that named only the flow. The next call usually
  /// requests the same flow.
  private var lastNamed: Named?
  /// The digests of flows in saved sessions, computed on first use.
  private var digests: [KnownDigest] = []
  /// All flows, at least one. The first is the default.
  private(set) lazy var flows: [Flow] = {
    let names = Set(loaded.map(\.id))
    return loaded + BuiltInFlows.names.filter { !names.contains($0) }.compactMap { BuiltInFlows.flow(named: $0) }
  }()

  private struct KnownDigest {
    let flow: Flow
    let text: String
  }

  /// A flow's name with its template. It is a struct and not a tuple, because the program would
  /// have to create the metadata of the tuple's type at each start.
  private struct Named {
    let name: [UInt8]
    let template: FlowTemplate
  }

  /// The reason why an engine cannot offer its flows.
  public struct Problem: Error, CustomStringConvertible {
    public let description: String
  }

  /// The flows in `loaded`, then the built-in ones. A loaded flow replaces a built-in one of the
  /// same name.
  public init(loaded: [(file: String, flow: Flow)]) throws(Problem) {
    for (index, later) in loaded.enumerated() {
      if let earlier = loaded[..<index].first(where: { $0.flow.id == later.flow.id }) {
        throw Problem(description: "\(later.file): there is a flow \(later.flow.id) in \(earlier.file) already")
      }
    }
    self.loaded = loaded.map(\.flow)
    guard let first = self.loaded.first ?? BuiltInFlows.defaultFlow else {
      throw Problem(
        description: "this program was built with a default flow that cannot be read; give another with --flow")
    }
    self.first = first
  }

  /// The flow with the given name.
  mutating func flow(named name: String) -> Flow? { name == first.id ? first : flows.first { $0.id == name } }

  /// The template of a flow, in the flow's language that is nearest to the requested language.
  mutating func template(of flow: Flow, locale: String?) -> FlowTemplate {
    let known = locale.flatMap { flow.strings.lookup($0) } ?? flow.defaultLocale
    if let template = templates.first(where: { $0.flow === flow && $0.locale == known }) { return template }
    let template = FlowTemplate(flow, locale: known)
    templates.append(template)
    return template
  }

  /// The template of the flow with this name in its default language; `nil` if the last call that
  /// named only a flow named another flow. Not for flows that differ by the capabilities of the
  /// view.
  func template(namedAgain name: UnsafeRawBufferPointer) -> FlowTemplate? {
    guard let lastNamed, lastNamed.name.withUnsafeBytes({ sameBytes($0, name) }) else { return nil }
    return lastNamed.template
  }

  /// Records the template that `template(namedAgain:)` returns for a name.
  mutating func note(_ template: FlowTemplate, named name: UnsafeRawBufferPointer) {
    lastNamed = Named(name: Array(name), template: template)
  }

  /// The digest of a flow (`FlowDigest`).
  mutating func digest(of flow: Flow) -> String {
    if let digest = digests.first(where: { $0.flow === flow }) { return digest.text }
    let text = FlowDigest(of: flow).text
    digests.append(KnownDigest(flow: flow, text: text))
    return text
  }
}
