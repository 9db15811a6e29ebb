import FlowFiles
import LoginForms
import LoginProtocol

/// The flows that an engine offers, with their languages compiled when first asked for.
struct FlowCatalog {
  /// At least one; the first is the one for who names none.
  let flows: [Flow]
  private var templates: [Key: FlowTemplate] = [:]

  private struct Key: Hashable {
    var flow: Int
    var locale: String
  }

  /// The built-in flows, behind those in `loaded`, which replace built-in ones of the same name.
  init(loaded: [Flow]) {
    let names = Set(loaded.map(\.id))
    flows = loaded + BuiltInFlows.names.filter { !names.contains($0) }.compactMap { BuiltInFlows.flow(named: $0) }
  }

  /// A flow's templates in a language it has.
  mutating func template(flow: Int, locale: String?) -> FlowTemplate {
    let definition = flows[flow]
    let known = locale.flatMap { definition.strings[$0] == nil ? nil : $0 } ?? definition.defaultLocale
    let key = Key(flow: flow, locale: known)
    if let template = templates[key] { return template }
    let template = FlowTemplate(definition, locale: known)
    templates[key] = template
    return template
  }
}
