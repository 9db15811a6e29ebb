import JSONCodec
import LoginMachine

extension Definition {
  /// Reads a name: 1 to 64 ASCII letters, digits, `_`, `-` and `.`.
  func name() throws(FlowFileError) -> String {
    guard kind == .string, let name = name(at: node) else {
      throw error(expected: "a name: 1 to \(ASCIIName.maximumLength) letters, digits, _, - or .")
    }
    return name
  }

  /// Reads a name that is not in `taken`, and adds it to `taken`. If the name is in `taken`
  /// already, the error is reported at `user`, or at this value if `user` is `nil`.
  func name(
    notIn taken: inout NameList, of what: String, at user: Definition? = nil
  ) throws(FlowFileError) -> String {
    let name = try name()
    guard taken.append(name) else {
      throw (user ?? self).error(found: described, expected: "a name that no other \(what) has")
    }
    return name
  }

  func text() throws(FlowFileError) -> String {
    guard kind == .string else { throw error(expected: "a string") }
    return file.document.string(node)
  }

  /// Reads a string that can be the value of an item.
  func valueText() throws(FlowFileError) -> String {
    let text = try text()
    guard text.utf8.count <= Definition.longestText else {
      throw error(expected: "a string of at most \(Definition.longestText) bytes")
    }
    return text
  }

  /// This value if it is `true` or `false`; else `nil`.
  var flagValue: Bool? {
    switch kind {
    case .true: true
    case .false: false
    case .null, .number, .string, .array, .object: nil
    }
  }

  func flag() throws(FlowFileError) -> Bool {
    guard let flag = flagValue else { throw error(expected: "true or false") }
    return flag
  }

  /// Reads a whole number in `range`.
  func wholeNumber(in range: ClosedRange<Int>) throws(FlowFileError) -> Int {
    guard let number = file.document.wholeNumber(node).flatMap({ Int(exactly: $0) }), range.contains(number) else {
      throw error(expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Reads a string that is the raw value of a case of `Choice`.
  func choice<Choice>(_: Choice.Type) throws(FlowFileError) -> Choice
  where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
    guard kind == .string, let choice = Choice(rawValue: file.document.string(node)) else {
      throw error(expected: "one of \(list(Choice.allCases.map(\.rawValue)))")
    }
    return choice
  }

  /// The name in the string at `node`, which may be a key; `nil` if it is not a valid name.
  func name(at node: JSONDocument.Node) -> String? { isName(at: node) ? file.document.string(node) : nil }

  /// Whether the string at `node`, which may be a key, is a valid name.
  func isName(at node: JSONDocument.Node) -> Bool {
    // A string with escapes may be a valid name once they are decoded.
    file.document.hasEscapes(node)
      ? ASCIIName.isName(file.document.string(node).utf8) : ASCIIName.isName(file.document.text(node))
  }
}

/// A text in JSON notation for error messages, truncated if it is long.
func quoted(_ text: String) -> String {
  let limit = 60
  guard text.unicodeScalars.count > limit else { return JSONValue.string(text).text }
  return JSONValue.string(String(text.unicodeScalars.prefix(limit)) + "…").text
}

/// A list of words for error messages, each quoted, separated by commas.
func list(_ words: [String]) -> String { words.map(quoted).joined(separator: ", ") }
