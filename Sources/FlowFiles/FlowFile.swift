internal import JSONCodec
public import LoginForms

/// Flow definitions as JSON files.
///
/// Everything is checked: what a `Flow` promises about its parts holds for every flow that comes from here. Texts for codes which the
/// engine itself gives and the definition lacks are taken from the first built-in flow.
public enum FlowFile {
  /// The most screens of a flow.
  public static let maximumScreens = 200
  /// The most items of a screen.
  public static let maximumItems = 1000

  /// Reads a definition.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - name: the file's name, for errors.
  public static func read(_ bytes: [UInt8], name: String) throws(FlowFileError) -> Flow {
    try read(bytes, name: name, common: BuiltInFlows.commonTexts)
  }

  /// Reads a definition whose texts are filled up with `common`.
  static func read(_ bytes: [UInt8], name: String, common: Texts?) throws(FlowFileError) -> Flow {
    let root: Definition
    do {
      root = Definition(value: try JSONValue(parsing: bytes), path: .root, file: name)
    } catch {
      throw FlowFileError(error, in: bytes, file: name)
    }
    return try root.flow(common: common)
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

extension Definition {
  /// The only ways of validating and of failing so far.
  private enum Validation: String, CaseIterable { case live }
  private enum Failure: String, CaseIterable { case inline }

  /// The flow that this defines.
  func flow(common: Texts?) throws(FlowFileError) -> Flow {
    try allowOnly([
      "flow", "start", "validation", "marking", "failure", "pending", "requestTimeoutMs", "screens", "defaultLocale",
      "strings",
    ])
    let id = try required("flow").name()
    _ = try optional("validation")?.choice(Validation.self)
    _ = try optional("failure")?.choice(Failure.self)
    let texts = try Texts(strings: required("strings"), defaultLocale: required("defaultLocale"))
    let (screens, indices) = try screens(texts)
    return Flow(
      id: id,
      start: try optional("start")?.index(of: indices) ?? 0,
      screens: screens,
      marking: try optional("marking")?.choice(Flow.Marking.self) ?? .touched,
      pending: try optional("pending")?.choice(Flow.PendingStyle.self) ?? .cancel,
      requestTimeout: UInt64(try optional("requestTimeoutMs")?.wholeNumber(in: 1...3_600_000) ?? 30_000),
      strings: texts.filled(with: common),
      defaultLocale: texts.defaultLocale)
  }

  /// All screens, and which of them has which id.
  private func screens(_ texts: Texts) throws(FlowFileError) -> ([Screen], [String: Int]) {
    let definitions = try required("screens").elements(1...FlowFile.maximumScreens)
    var taken = Set<String>()
    var indices: [String: Int] = [:]
    for (index, definition) in definitions.enumerated() {
      indices[try definition.required("id").name(notIn: &taken, of: "screen")] = index
    }
    let screens = try definitions.map { (definition) throws(FlowFileError) in
      try definition.screen(texts, indices)
    }
    return (screens, indices)
  }

  /// The index of the screen of this name.
  func index(of screens: [String: Int]) throws(FlowFileError) -> Int {
    guard let index = screens[try name()] else {
      throw error(expected: "the id of a screen")
    }
    return index
  }
}
