import JSONCodec
public import LoginForms

/// The flows that are part of the program: the files of `protocol/flows`.
///
/// A flow is known by the name it gives itself, not by its file's. Every start of the program waits for the default flow, so nothing else is read
/// before it is asked for.
public enum BuiltInFlows {
  private static let defaultDefinition = PackageResources.standard_json

  /// The definitions; the first is the default flow.
  private static var definitions: [[UInt8]] {
    [
      defaultDefinition, PackageResources.immediate_json, PackageResources.acknowledged_json,
      PackageResources.coordinators_json, PackageResources.staged_json, PackageResources.dynamic_json,
    ]
  }

  /// The default flow with its texts, which needs none but its own. Read once only.
  private static let first = try? FlowFile.readWithTexts(defaultDefinition, name: "the default flow") { nil }

  /// The flow for who names none. `nil` only if the program was built with a wrong one.
  public static var defaultFlow: Flow? { first?.flow }

  /// The names of the flows, the default first. Looks into all definitions.
  public static let names: [String] = [defaultFlow?.id ?? ""] + definitions.dropFirst().map { nameInside($0) ?? "" }

  /// The flow of that name. Each call reads a definition anew, except the default one: keep what it returns.
  public static func flow(named name: String) -> Flow? {
    if name == defaultFlow?.id { return defaultFlow }
    guard let definition = text(named: name) else { return nil }
    return try? FlowFile.read(definition, name: name)
  }

  /// The definition of that name, a JSON text.
  public static func text(named name: String) -> [UInt8]? {
    names.firstIndex(of: name).map { definitions[$0] }
  }

  /// The default flow's texts, which other flows use for the codes that the engine itself gives.
  static var commonTexts: Texts? { first?.texts }

  private static func nameInside(_ definition: [UInt8]) -> String? {
    definition.withUnsafeBytes { bytes in
      var document = JSONDocument()
      guard (try? document.parse(bytes)) != nil, let root = document.root else { return nil }
      return document.member("flow", of: root).map { document.string($0) }
    }
  }
}
