import FlowFiles
import LoginForms
import LoginProtocol

/// The flows that an engine offers, with their languages compiled when first asked for.
///
/// Every start of the program waits for the first flow only; the others are read when somebody asks for one.
struct FlowCatalog {
  private let loaded: [Flow]
  private var templates: [Key: FlowTemplate] = [:]
  /// At least one; the first is the one for who names none.
  private(set) lazy var flows: [Flow] = {
    let names = Set(loaded.map(\.id))
    return loaded + BuiltInFlows.names.filter { !names.contains($0) }.compactMap { BuiltInFlows.flow(named: $0) }
  }()

  private struct Key: Hashable {
    var flow: ObjectIdentifier
    var locale: String
  }

  /// The built-in flows, behind those in `loaded`, which replace built-in ones of the same name.
  init(loaded: [Flow]) { self.loaded = loaded }

  /// The flow for who names none.
  var first: Flow? { loaded.first ?? BuiltInFlows.defaultFlow }

  /// The flow of a name.
  mutating func flow(named name: String) -> Flow? { flows.first { $0.id == name } }

  /// A flow's templates in the language it has that is nearest to what was asked for.
  mutating func template(of flow: Flow, locale: String?) -> FlowTemplate {
    let known = locale.flatMap { Locale.lookup($0, among: flow.strings.locales) } ?? flow.defaultLocale
    let key = Key(flow: ObjectIdentifier(flow), locale: known)
    if let template = templates[key] { return template }
    let template = FlowTemplate(flow, locale: known)
    templates[key] = template
    return template
  }
}

/// Language tags (BCP 47).
enum Locale {
  /// The one of `tags` that a language range asks for, by the lookup of RFC 4647, section 3.4: subtags are dropped from the end until one fits.
  static func lookup(_ range: String, among tags: some Sequence<String>) -> String? {
    let known = Dictionary(tags.map { ($0.lowercased(), $0) }, uniquingKeysWith: { min($0, $1) })
    var subtags = range.lowercased().split(separator: "-", omittingEmptySubsequences: false)
    while !subtags.isEmpty {
      if let tag = known[subtags.joined(separator: "-")] { return tag }
      subtags.removeLast()
      // A single letter or digit only introduces what was dropped.
      if subtags.last?.utf8.count == 1 { subtags.removeLast() }
    }
    return nil
  }
}
