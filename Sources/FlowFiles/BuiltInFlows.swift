import CPortable
import JSONCodec
public import LoginMachine

/// The built-in flows: the files of `protocol/flows`.
///
/// A flow is identified by the name in its definition, not by its file name. Only the default flow
/// is read at start; the others are read on demand.
public enum BuiltInFlows {
  /// The definition at an index, the default flow's first. Empty if there is none.
  private static func definition(_ index: Int) -> UnsafeRawBufferPointer {
    let file = cembedded_flow(index)
    return UnsafeRawBufferPointer(start: file.bytes, count: file.count)
  }

  /// The default flow and its texts, which need no common texts. Read once.
  private static let first =
    try? DefinitionFile(partOfProgram: definition(0), name: "the default flow").root.flow { nil }

  /// The default flow. `nil` only if the program was built with an invalid definition.
  public static var defaultFlow: Flow? { first?.flow }

  /// The names of the flows, the default first. Reads all definitions.
  public static let names: [String] = (0..<cembedded_flow_count()).map { index in
    (index == 0 ? defaultFlow?.id : string("flow", inside: definition(index))) ?? ""
  }

  /// The flow with that name. Each call reads the definition again, except the default: keep the
  /// result.
  public static func flow(named name: String) -> Flow? {
    if name == defaultFlow?.id { return defaultFlow }
    guard let definition = text(named: name) else { return nil }
    return try? FlowFile.read(definition, name: name)
  }

  /// The definition of the flow with that name, as JSON.
  public static func text(named name: String) -> [UInt8]? {
    names.firstIndex(of: name).map { Array(definition($0)) }
  }

  /// The default flow's texts, which other flows use for the engine's own codes.
  static var commonTexts: DefinitionStrings? { first?.texts }

  /// What the flow of that name is for, in one sentence.
  public static func description(named name: String) -> String? {
    names.firstIndex(of: name).flatMap { string("description", inside: definition($0)) }
  }

  private static func string(_ member: StaticString, inside definition: UnsafeRawBufferPointer) -> String? {
    var document = JSONDocument()
    guard (try? document.parse(definition)) != nil, let root = document.root else { return nil }
    return document.member(member, of: root).map { document.string($0) }
  }
}
