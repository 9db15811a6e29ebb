public import LoginMachine

/// What a definition has that is allowed and surely not meant: where in which file, what stands there, and what to do about it.
public struct FlowFileWarning: Hashable, Sendable, CustomStringConvertible {
  /// The file's name as it was given.
  public var file: String
  /// The JSON pointer (RFC 6901) to what is odd.
  public var pointer: String
  /// What stands there, and why that cannot be meant.
  public var found: String
  /// What to do.
  public var advice: String

  public init(file: String, pointer: String, found: String, advice: String) {
    self.file = file
    self.pointer = pointer
    self.found = found
    self.advice = advice
  }

  /// One line for a person.
  public var description: String { "\(file): warning: at \(pointer): found \(found); \(advice)" }
}

extension FlowFile {
  /// Reads a definition, and finds what is allowed and surely not meant.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - name: the file's name, for errors and warnings.
  /// - Returns: the flow, and the warnings in the order of their kinds, each once.
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
