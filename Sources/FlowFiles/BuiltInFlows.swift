import CPortable
import JSONCodec
public import LoginMachine

/// The flows that are part of the program: the files of `protocol/flows`.
///
/// A flow is known by the name it gives itself, not by its file's. Every start of the program waits for the default flow, so nothing else is read
/// before it is asked for.
public enum BuiltInFlows {
  /// The definition at an index; the first is that of the default flow. Empty if there is none.
  private static func definition(_ index: Int) -> UnsafeRawBufferPointer {
    let file = cembedded_flow(index)
    return UnsafeRawBufferPointer(start: file.bytes, count: file.count)
  }

  /// The default flow with its texts, which needs none but its own. Read once only.
  private static let first =
    try? DefinitionFile(partOfProgram: definition(0), name: "the default flow").root.flow { nil }

  /// The flow for who names none. `nil` only if the program was built with a wrong one.
  public static var defaultFlow: Flow? { first?.flow }

  /// The names of the flows, the default first. Looks into all definitions.
  public static let names: [String] = (0..<cembedded_flow_count()).map { index in
    (index == 0 ? defaultFlow?.id : string("flow", inside: definition(index))) ?? ""
  }

  /// The flow of that name. Each call reads a definition anew, except the default one: keep what it returns.
  public static func flow(named name: String) -> Flow? {
    if name == defaultFlow?.id { return defaultFlow }
    guard let definition = text(named: name) else { return nil }
    return try? FlowFile.read(definition, name: name)
  }

  /// The definition of that name, a JSON text.
  public static func text(named name: String) -> [UInt8]? {
    names.firstIndex(of: name).map { Array(definition($0)) }
  }

  /// The default flow's texts, which other flows use for the codes that the engine itself gives.
  static var commonTexts: Texts? { first?.texts }

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
