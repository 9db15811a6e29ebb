internal import JSONCodec

extension Definition {
  /// The most bytes that a name can have.
  static let longestName = 64

  /// A name: 1 to 64 letters, digits, `_`, `-` and `.` of ASCII.
  func name() throws(FlowFileError) -> String {
    guard let text = value.string, isName(text) else {
      throw error(expected: "a name: 1 to \(Definition.longestName) letters, digits, _, - or .")
    }
    return text
  }

  /// A name that is not in `taken` yet.
  func name(notIn taken: inout Set<String>, of what: String) throws(FlowFileError) -> String {
    let name = try name()
    guard taken.insert(name).inserted else { throw error(expected: "a name that no other \(what) has") }
    return name
  }

  func text() throws(FlowFileError) -> String {
    guard let text = value.string else { throw error(expected: "a string") }
    return text
  }

  func flag() throws(FlowFileError) -> Bool {
    guard let flag = value.bool else { throw error(expected: "true or false") }
    return flag
  }

  /// A whole number in `range`.
  func wholeNumber(in range: ClosedRange<Int>) throws(FlowFileError) -> Int {
    guard let number = value.integer, range.contains(number) else {
      throw error(expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// One of the words that stand for the cases of `Choice`.
  func choice<Choice>(_: Choice.Type) throws(FlowFileError) -> Choice
  where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
    guard let choice = value.string.flatMap(Choice.init(rawValue:)) else {
      throw error(expected: "one of \(list(Choice.allCases.map(\.rawValue)))")
    }
    return choice
  }
}

/// Whether `text` can name something.
func isName(_ text: String) -> Bool {
  let bytes = text.utf8
  return !bytes.isEmpty && bytes.count <= Definition.longestName
    && bytes.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x2E: true
      default: false
      }
    }
}

/// `text` as it would stand in JSON, cut where it is long.
func quoted(_ text: String) -> String {
  let limit = 60
  guard text.unicodeScalars.count > limit else { return JSONValue.string(text).text }
  return JSONValue.string(String(text.unicodeScalars.prefix(limit)) + "…").text
}

/// `words` quoted, with commas between them.
func list(_ words: [String]) -> String { words.map(quoted).joined(separator: ", ") }
