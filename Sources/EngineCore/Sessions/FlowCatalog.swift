import FlowFiles
import JSONCodec
public import LoginMachine
import LoginProtocol

/// The flows that an engine offers, with their languages compiled when first asked for.
///
/// Every start of the program waits for the first flow only; the others are read when somebody asks for one.
public struct FlowCatalog {
  /// The flow for who names none.
  let first: Flow
  let loaded: [Flow]
  /// What was asked for. There are few, and every start of the program would wait for a dictionary of its own kind.
  private var templates: [FlowTemplate] = []
  /// The flow that was named last by itself, which the next session most often names too.
  private var lastNamed: Named?
  /// What saved sessions know flows by, made when first asked for.
  private var digests: [KnownDigest] = []
  /// At least one; the first is the one for who names none.
  private(set) lazy var flows: [Flow] = {
    let names = Set(loaded.map(\.id))
    return loaded + BuiltInFlows.names.filter { !names.contains($0) }.compactMap { BuiltInFlows.flow(named: $0) }
  }()

  private struct KnownDigest {
    let flow: Flow
    let text: String
  }

  /// No tuple: each start of the program would wait until the type of one was made.
  private struct Named {
    let name: [UInt8]
    let template: FlowTemplate
  }

  /// Why an engine cannot offer its flows.
  public struct Problem: Error, CustomStringConvertible {
    public let description: String
  }

  /// The built-in flows, behind those in `loaded`, which replace built-in ones of the same name.
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

  /// The flow of a name.
  mutating func flow(named name: String) -> Flow? { name == first.id ? first : flows.first { $0.id == name } }

  /// A flow's templates in the language it has that is nearest to what was asked for.
  mutating func template(of flow: Flow, locale: String?) -> FlowTemplate {
    let known = locale.flatMap { flow.strings.lookup($0) } ?? flow.defaultLocale
    if let template = templates.first(where: { $0.flow === flow && $0.locale == known }) { return template }
    let template = FlowTemplate(flow, locale: known)
    templates.append(template)
    return template
  }

  /// The template of a flow in its own language, if the flow was named last. What a view supports must change nothing about it.
  func template(namedAgain name: UnsafeRawBufferPointer) -> FlowTemplate? {
    guard let lastNamed, lastNamed.name.withUnsafeBytes({ sameBytes($0, name) }) else { return nil }
    return lastNamed.template
  }

  /// Notes what `template(namedAgain:)` returns for a name.
  mutating func note(_ template: FlowTemplate, named name: UnsafeRawBufferPointer) {
    lastNamed = Named(name: Array(name), template: template)
  }

  /// What tells a flow from another in which the same names mean something else.
  mutating func digest(of flow: Flow) -> String {
    if let digest = digests.first(where: { $0.flow === flow }) { return digest.text }
    let text = FlowDigest(of: flow).text
    digests.append(KnownDigest(flow: flow, text: text))
    return text
  }
}
