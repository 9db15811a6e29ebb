internal import JSONCodec
public import LoginForms

/// The flows that are part of the program: the files of `protocol/flows`.
///
/// A flow is known by the name it gives itself, not by its file's.
public enum BuiltInFlows {
  /// The definitions; the first is the default flow.
  private static let definitions: [[UInt8]] = [PackageResources.standard_json]

  /// The default flow, which needs no texts but its own. Every start of the program waits for it, so it is read once only.
  private static let defaultFlow: Flow? = definitions.first.flatMap {
    try? FlowFile.read($0, name: "the default flow", common: nil)
  }

  /// The names of the flows, the default first.
  public static let names: [String] =
    [defaultFlow?.id ?? ""] + definitions.dropFirst().map { nameInside($0) ?? "" }

  /// The flow of that name. Each call reads a definition anew, except the default one: keep what it returns.
  public static func flow(named name: String) -> Flow? {
    guard let index = names.firstIndex(of: name) else { return nil }
    return index == 0 ? defaultFlow : try? FlowFile.read(definitions[index], name: name, common: commonTexts)
  }

  /// The definition of that name, a JSON text.
  public static func text(named name: String) -> [UInt8]? {
    names.firstIndex(of: name).map { definitions[$0] }
  }

  /// The default flow's texts, which other flows use for the codes that the engine itself gives.
  static let commonTexts: Texts? = {
    guard let first = definitions.first, let value = try? JSONValue(parsing: first) else { return nil }
    let root = Definition(value: value, path: .root, file: "")
    return try? Texts(strings: root.required("strings"), defaultLocale: root.required("defaultLocale"))
  }()

  private static func nameInside(_ definition: [UInt8]) -> String? {
    definition.withUnsafeBytes { bytes in
      var document = JSONDocument()
      guard (try? document.parse(bytes)) != nil, let root = document.root else { return nil }
      return document.member("flow", of: root).map { document.string($0) }
    }
  }
}
