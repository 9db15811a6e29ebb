import JSONCodec
import Testing

@Suite("Partially parsed documents")
struct HalfReadDocumentTests {
  /// The id for an error reply, as written in the text.
  private func id(in text: some Collection<UInt8>) -> (error: JSONError?, id: String?) {
    GuardedMemory(capacity: text.count).with(text) { bytes in
      var document = JSONDocument()
      var error: JSONError?
      do throws(JSONError) { try document.parse(bytes) } catch let thrown { error = thrown }
      guard let root = document.root, let node = document.member("id", of: root) else { return (error, nil) }
      return (error, String(decoding: document.fullText(node), as: UTF8.self))
    }
  }

  static let softErrors: [(String, JSONError.Reason)] = [
    ("\"params\":\"\u{1}\"", .controlCharacter), (#""params":{"x":"\ud800"}"#, .loneSurrogate),
    (#""\udc00":[1]"#, .loneSurrogate),
    (#""a":1,"a":2"#, .duplicateKey), (#""params":{"a":1,"\u0061":2}"#, .duplicateKey),
    ("\"method\":\"a\tb\"", .controlCharacter),
    (#""x":[{"a":1,"a":2},{"b":{"c":1,"c":2}}]"#, .duplicateKey),
  ]

  @Test(
    "the id of a message is found whether it precedes or follows an error that does not stop the parser",
    arguments: softErrors)
  func softError(_ bad: String, _ reason: JSONError.Reason) {
    for id in ["7", "\"seven\"", "null", "-1.50e3"] {
      for text in ["{\"id\":\(id),\(bad)}", "{\(bad),\"id\":\(id)}", "{\(bad),\"\\u0069d\":\(id),\"z\":1}"] {
        let found = self.id(in: Array(text.utf8))
        #expect(found.error?.reason == reason)
        #expect(found.id == id)
      }
    }
  }

  @Test(
    "the id of a message is found whether it precedes or follows invalid UTF-8 in a value or a key",
    arguments: UTF8Tests.malformed)
  func invalidUTF8(_ sequence: [UInt8]) {
    let members = [Array("\"x\":".utf8) + quoted(sequence), quoted(sequence) + Array(":1".utf8)]
    for member in members {
      let before = self.id(in: Array("{\"id\":7,".utf8) + member + [0x7D])
      let after = self.id(in: [0x7B] + member + Array(",\"id\":7}".utf8))
      #expect(before.error?.reason == .invalidUTF8 && before.id == "7")
      #expect(after.error?.reason == .invalidUTF8 && after.id == "7")
    }
  }

  @Test("the id of a message with a duplicate key is found in an object with many keys too")
  func manyMembers() {
    let members = (0..<50).map { ",\"k\($0 % 49)\":0" }.joined()
    let found = id(in: Array("{\"id\":\"x\"\(members)}".utf8))
    #expect(found.error?.reason == .duplicateKey)
    #expect(found.id == "\"x\"")
  }

  @Test(
    "the id of a message is found if it precedes an error that stops the parser",
    arguments: [
      "", ",", ",\"a\"", ",\"a\":", ",\"a\":[", ",\"a\":[1", ",\"a\":[1,", ",\"a\":{", ",\"a\":{\"b\"",
      ",\"a\":{\"b\":", ",\"a\":{\"b\":[{", ",\"a\":nul",
      ",\"a\":\"x", ",\"a\":\"\\", ",\"a\":\"\\u12", ",\"a\":\"\\q\"}", ",\"a\":01}", ",\"a\":1.}", ",}", ",\"a\" 1}",
      "]", " x}", ",\"a\":[1}", "}x", "} {}",
      ",\"a\":" + String(repeating: "[", count: 100), ",\"\t\":\"\u{1}\",\"b\":tru}",
    ])
  func hardError(_ rest: String) {
    let found = id(in: Array("{\"jsonrpc\":\"2.0\",\"id\":\"a b\"\(rest)".utf8))
    #expect(found.error != nil)
    #expect(found.id == "\"a b\"")
  }

  @Test("a number at the end of an incomplete text is not an id, because it may be incomplete itself")
  func cutOffNumber() {
    #expect(id(in: Array("{\"id\":12".utf8)).id == nil)
    #expect(id(in: Array("{\"id\":-0.5".utf8)).id == nil)
    #expect(id(in: Array("{\"id\":12 ".utf8)).id == "12")
    #expect(id(in: Array("{\"id\":12,".utf8)).id == "12")
    #expect(id(in: Array("{\"id\":12x".utf8)).id == "12")
  }

  @Test(
    "an invalid message has no id if the parser stopped before the id was complete",
    arguments: [
      "", "{", "{\"id\"", "{\"id\":", "{\"id\":\"x", "{\"id\":tru", "{\"id\" 1}", "[", "[{\"id\":1}", "\"id\"",
      "{\"params\":{\"id\":1}", "7", "{\"a\":[\"id\",1",
    ])
  func none(_ text: String) {
    #expect(id(in: Array(text.utf8)).id == nil)
  }

  @Test("arrays and objects that are not closed have the elements and members that were parsed, and no others")
  func openValues() throws {
    let text = Array(#"{"a":[1,2,{"b":3,"c""#.utf8)
    try text.withUnsafeBytes { bytes in
      var document = JSONDocument()
      #expect(throws: JSONError(.truncated, at: bytes.count)) { try document.parse(bytes) }
      let outermost = document.root
      let root = try #require(outermost)
      let member = document.member("a", of: root)
      let array = try #require(member)
      let (members, elements, text) = (document.count(root), document.count(array), document.text(array).count)
      #expect(members == 1 && elements == 3 && text == 0)
      let last = JSONValue(document, root)
      #expect(last == .object([.init("a", .array([.number("1"), .number("2"), .object([.init("b", .number("3"))])]))]))
    }
  }

  @Test("a document that parses another text has no nodes of the previous text")
  func reuse() throws {
    var document = JSONDocument()
    try Array(#"{"id":1,"a":[1,2,3]}"#.utf8).withUnsafeBytes { try document.parse($0) }
    for text in ["", "nul", "\"", " "] {
      Array(text.utf8).withUnsafeBytes { bytes in
        _ = try? document.parse(bytes)
        let root = document.root
        #expect(root == nil)
      }
    }
  }
}
