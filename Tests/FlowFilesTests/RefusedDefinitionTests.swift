import FlowFiles
import Testing

/// A case of an invalid definition: an edit of the standard definition, and the error that it
/// causes.
struct Refusal: Sendable, CustomTestStringConvertible {
  var edits: [Edit]
  var pointer: String
  var found: String
  var expected: String

  /// Creates a case with several edits.
  init(_ edits: [Edit], at place: String, found: String, expected: String) {
    (self.edits, pointer) = (edits, place)
    (self.found, self.expected) = (found, expected)
  }

  /// Creates a case with one edit. The error is expected where the edit is, unless `place` is
  /// given.
  init(_ pointer: String, _ json: String?, at place: String? = nil, found: String, expected: String) {
    edits = [Edit(pointer, json)]
    self.pointer = place ?? pointer
    self.found = found
    self.expected = expected
  }

  var testDescription: String {
    edits.map { "\($0.pointer) = \($0.json?.prefix(60) ?? "nothing")" }.joined(separator: ", ")
  }
}

@Suite("Refused definitions")
struct RefusedDefinitionTests {
  @Test("an invalid definition is refused with the position, what was found and what was expected", arguments: refusals)
  func refused(_ refusal: Refusal) throws {
    let bytes = try definition(refusal.edits)
    let error = try #require(throws: FlowFileError.self) { try FlowFile.read(bytes, name: "wrong.json") }
    #expect(error.file == "wrong.json")
    #expect(error.pointer == refusal.pointer)
    #expect(error.found.contains(refusal.found), "\(error)")
    #expect(error.expected.contains(refusal.expected), "\(error)")
  }

  @Test("an error is one line with the file, the position, what was found and what was expected")
  func description() throws {
    let bytes = try definition(Edit("/screens/0/sections/0/items/1/rules/0/rule", #""minimum\n""#))
    let error = try #require(throws: FlowFileError.self) { try FlowFile.read(bytes, name: "dir/my flow.json") }
    #expect(
      error.description == """
        dir/my flow.json: at /screens/0/sections/0/items/1/rules/0/rule: found "minimum\\n", \
        expected one of "required", "minLength", "maxLength", "email", "equalTo", "oneOf", "pattern", \
        "date", "minAge", "maxAge", "before", "after"
        """)
  }

  @Test(
    "a file that is not JSON is refused with line and column",
    arguments: [
      ("", 1, 1, "no value"), ("{\n  \"flow\": x}", 2, 11, "cannot stand here"), ("{} {}", 1, 4, "more after"),
      ("{\"flow\":\n\"a", 2, 3, "ends inside"), ("{\"a\":1,\n \"a\":2}", 2, 3, "same key twice"),
      ("{\"é\": \"ü\", ?}", 1, 12, "cannot stand here"),
    ])
  func notJSON(text: String, line: Int, column: Int, reason: String) throws {
    let error = try #require(throws: FlowFileError.self) { try FlowFile.read(Array(text.utf8), name: "x.json") }
    #expect(error.place == .line(line, column: column))
    #expect(error.pointer == nil)
    #expect(error.found.contains(reason), "\(error)")
    #expect(error.description.hasPrefix("x.json: line \(line), column \(column): found "))
  }

  @Test("every truncated definition is refused without a trap")
  func truncated() throws {
    let bytes = try definition()
    // Each of the first 500 cuts is tested, and some of the rest. All of them are within the root
    // object.
    for count in bytes.indices where count < 500 || count % 37 == 0 {
      #expect(throws: FlowFileError.self) { try FlowFile.read(Array(bytes[..<count]), name: "cut.json") }
    }
  }
}
