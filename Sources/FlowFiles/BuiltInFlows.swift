import CPortable
import JSONCodec
public import LoginMachine

/// The built-in flows: the files of `protocol/flows`.
///
/// A flow is identified by the name in its definition, not by its file name. At start, only the
/// definition of the default flow is read; the other definitions are read on demand.
public enum BuiltInFlows {
  /// The bytes of the definition at an index; the default flow's definition is the first. Empty if
  /// the program was built without definitions.
  private static func definition(_ index: Int) -> UnsafeRawBufferPointer {
    let file = cembedded_flow(index)
    return UnsafeRawBufferPointer(start: file.bytes, count: file.count)
  }

  /// The default flow and its texts, which are read once. The default flow defines every text that
  /// it needs.
  private static let first =
    try? DefinitionFile(partOfProgram: definition(0), name: "the default flow").root.flow { nil }

  /// The default flow. `nil` only if the program was built with an invalid definition.
  public static var defaultFlow: Flow? { first?.flow }

  /// The names of the built-in flows, the default flow's first. Reads all definitions.
  public static let names: [String] = (0..<cembedded_flow_count()).map { index in
    (index == 0 ? defaultFlow?.id : string("flow", inside: definition(index))) ?? ""
  }

  /// The built-in flow with this name. Except for the default flow, each call reads the definition
  /// again, so keep the result.
  public static func flow(named name: String) -> Flow? {
    if name == defaultFlow?.id { return defaultFlow }
    guard let definition = text(named: name) else { return nil }
    return try? FlowFile.read(definition, name: name)
  }

  /// The definition of the built-in flow with this name, as JSON.
  public static func text(named name: String) -> [UInt8]? {
    names.firstIndex(of: name).map { Array(definition($0)) }
  }

  /// The texts of the default flow. Another flow uses them for those codes of the engine for which
  /// it has no text of its own.
  static var commonTexts: DefinitionStrings? { first?.texts }

  /// The purpose of the built-in flow with this name, in one sentence; `nil` if there is no such
  /// flow.
  public static func description(named name: String) -> String? {
    names.firstIndex(of: name).flatMap { string("description", inside: definition($0)) }
  }

  private static func string(_ member: StaticString, inside definition: UnsafeRawBufferPointer) -> String? {
    var document = JSONDocument()
    guard (try? document.parse(definition)) != nil, let root = document.root else { return nil }
    return document.member(member, of: root).map { document.string($0) }
  }
}
