public import LoginMachine

/// A likely mistake in a valid definition: its file and position, what was found, and how to
/// correct it.
public struct FlowFileWarning: Hashable, Sendable, CustomStringConvertible {
  /// The file name as given by the caller.
  public var file: String
  /// The JSON pointer (RFC 6901) to the likely mistake.
  public var pointer: String
  /// What was found, and why it is likely a mistake.
  public var found: String
  /// How to correct it.
  public var advice: String

  public init(file: String, pointer: String, found: String, advice: String) {
    self.file = file
    self.pointer = pointer
    self.found = found
    self.advice = advice
  }

  /// The warning in one line.
  public var description: String { "\(file): warning: at \(pointer): found \(found); \(advice)" }
}

extension FlowFile {
  /// Reads a definition and searches it for likely mistakes.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - name: the file name for errors and warnings.
  /// - Returns: the flow, and the distinct warnings, ordered by kind.
  public static func check(
    _ bytes: [UInt8], name: String
  ) throws(FlowFileError) -> (flow: Flow, warnings: [FlowFileWarning]) {
    let definition = try definition(bytes, name: name)
    let flow = try definition.flow { BuiltInFlows.commonTexts }.flow
    var search = WarningSearch(flow, of: definition)
    try search.run()
    return (flow, search.warnings)
  }
}
