import JSONCodec
public import LoginMachine

/// Flow definitions as JSON files.
///
/// Definitions are checked completely, so every flow that is read here meets the guarantees of
/// `Flow`. The default flow provides the texts for the engine's own codes that a definition lacks.
public enum FlowFile {
  /// The maximum number of screens of a flow.
  public static let maximumScreens = 200
  /// The maximum number of items of a screen.
  static let maximumItems = 1000
  /// The maximum number of options of a selection.
  static let maximumOptions = 2000
  /// The maximum number of values of a `oneOf` rule or of a condition.
  static let maximumValues = 200

  /// Whether `text` is a valid name for a flow or a part of one: 1 to 64 ASCII letters, digits,
  /// `_`, `-` and `.`.
  public static func isName(_ text: String) -> Bool { Array(text.utf8).withUnsafeBytes { ASCIIName.isName($0) } }

  /// Reads a definition.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - name: the file name for errors.
  public static func read(_ bytes: [UInt8], name: String) throws(FlowFileError) -> Flow {
    try definition(bytes, name: name).flow { BuiltInFlows.commonTexts }.flow
  }

  /// Parses a file as JSON. Returns the root value.
  static func definition(_ bytes: [UInt8], name: String) throws(FlowFileError) -> Definition {
    do {
      return try DefinitionFile(bytes, name: name).root
    } catch {
      throw FlowFileError(error, in: bytes, file: name)
    }
  }
}

extension FlowFileError {
  /// An error for a file that is not JSON.
  init(_ error: JSONError, in bytes: [UInt8], file: String) {
    let before = bytes.prefix(max(error.offset, 0))
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    self.init(
      file: file,
      place: .line(
        1 + before.count { $0 == 0x0A }, column: 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 }),
      found: "text that is not JSON (\(error.reason.rawValue))", expected: "one JSON object")
  }
}
