import JSONCodec
public import LoginMachine

/// Flow definitions as JSON files.
///
/// Everything is checked: what a `Flow` promises about its parts holds for every flow that comes from here. Texts for codes which the
/// engine itself gives and the definition lacks are taken from the first built-in flow.
public enum FlowFile {
  /// The most screens of a flow.
  public static let maximumScreens = 200
  /// The most items of a screen.
  static let maximumItems = 1000
  /// The most options of a selection.
  static let maximumOptions = 2000
  /// The most values of a `oneOf` rule, and of a condition.
  static let maximumValues = 200

  /// Whether a flow, or a part of one, can have this name: 1 to 64 letters, digits, `_`, `-` and `.` of ASCII.
  public static func isName(_ text: String) -> Bool { Array(text.utf8).withUnsafeBytes { ASCIIName.isName($0) } }

  /// Reads a definition.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - name: the file's name, for errors.
  public static func read(_ bytes: [UInt8], name: String) throws(FlowFileError) -> Flow {
    try definition(bytes, name: name).flow { BuiltInFlows.commonTexts }.flow
  }

  /// The whole of a file that is JSON.
  static func definition(_ bytes: [UInt8], name: String) throws(FlowFileError) -> Definition {
    do {
      return try DefinitionFile(bytes, name: name).root
    } catch {
      throw FlowFileError(error, in: bytes, file: name)
    }
  }
}

extension FlowFileError {
  /// A file that is not JSON.
  init(_ error: JSONError, in bytes: [UInt8], file: String) {
    let before = bytes.prefix(max(error.offset, 0))
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    self.init(
      file: file,
      place: .line(
        1 + before.count { $0 == 0x0A }, column: 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 }),
      found: "what is not JSON (\(error.reason.rawValue))", expected: "one JSON object")
  }
}
