import JSONCodec
import LoginProtocol
import TestSupport
import Testing

/// The id in an error reply to an unreadable line.
struct RecoveredIDTests {
  struct Line: Sendable, CustomTestStringConvertible {
    var bytes: [UInt8]
    var id: String?
    var testDescription: String { String(decoding: bytes, as: UTF8.self).debugDescription }

    init(_ text: String, _ id: String?) { (bytes, self.id) = (Array(text.utf8), id) }
    init(_ bytes: [UInt8], _ id: String?) { (self.bytes, self.id) = (bytes, id) }
  }

  static let lines = [
    // Lines in which the error follows the id.
    Line(#"{"id":7,"method":x}"#, "7"), Line(#"{"id":"a","method""#, #""a""#), Line(#"{"id":"a""#, #""a""#),
    Line(#"{"id":null,"a":}"#, "null"), Line(#"{"id":-1.50E+2,"a":tru}"#, "-1.50E+2"),
    Line(#"{"id":"\u00e9\n\ud83d\ude00","a":]"#, #""\u00e9\n\ud83d\ude00""#), Line(#"{"\u0069d":7,"a":}"#, "7"),
    Line(#"{"a":{"id":1},"id":2,"b":}"#, "2"), Line(#"{"id":7}x"#, "7"), Line(#"{"id":7} {}"#, "7"),
    Line(#"{"a":1,"a":2,"id":7}"#, "7"), Line([0x7B] + Array(#""a":""#.utf8) + [0xFF] + Array(#"","id":7}"#.utf8), "7"),
    Line(#"{"a":"\ud800","id":7}"#, "7"), Line("{\"a\":\"\u{1}\",\"id\":\"x\"}", #""x""#),
    // Lines without a certain id.
    Line("", nil), Line("   ", nil), Line("x", nil), Line("{", nil), Line(#"{"id""#, nil), Line(#"{"id":"#, nil),
    Line(#"{"id":7"#, nil), Line(#"{"id":7 "#, nil), Line(#"{"id":1x,"a":2}"#, nil), Line(#"{"id":1.2.3}"#, nil),
    Line(#"{"id":01}"#, nil), Line(#"{"id":-"#, nil), Line(#"{"id":"abc"#, nil), Line(#"{"id":nul"#, nil),
    Line(#"{"id":true,"a":}"#, nil), Line(#"{"id":[1],"a":}"#, nil), Line(#"{"id":{"id":1},"a":}"#, nil),
    Line(#"{"a":{"id":1"#, nil), Line(#"{"a":{"id":1},"b":}"#, nil), Line(#"[{"id":1},"#, nil), Line(#"7x"#, nil),
    Line(#"{"method":"foobar, "params": "bar", "baz]"#, nil),
    // Lines with two ids.
    Line(#"{"id":1,"id":2}"#, nil), Line(#"{"id":1,"id":1}"#, nil), Line(#"{"id":1,"\u0069d":2}"#, nil),
    Line(#"{"id":1,"id":2,"a":}"#, nil), Line(#"{"id":1,"id":"#, nil), Line(#"{"id":1,"id""#, nil),
    Line(#"{"id":1,"a":3,"id":[}"#, nil),
    // Lines whose id is malformed.
    Line(#"{"id":"\ud800"}"#, nil), Line(#"{"id":"\udc00","a":1}"#, nil), Line("{\"id\":\"\u{1}\"}", nil),
    Line("{\"id\":\"a\tb\",\"a\":1}", nil), Line(Array(#"{"id":""#.utf8) + [0xFF] + Array(#""}"#.utf8), nil),
    Line(Array(#"{"id":""#.utf8) + [0xC0, 0x80] + Array(#"","a":1}"#.utf8), nil),
    Line(Array(#"{"id":""#.utf8) + [0xED, 0xA0, 0x80] + Array(#""}"#.utf8), nil),
  ]

  private func recovered(_ bytes: [UInt8]) -> String? {
    withDocument(bytes) { document, _ in
      let id = IncomingMessage.recoveredID(document)
      return id.isEmpty ? nil : String(decoding: id, as: UTF8.self)
    }
  }

  @Test(
    "the error reply to an unreadable line has the line's id only if the id is complete, well formed and unique",
    arguments: lines) func table(_ line: Line)
  {
    #expect(withDocument(line.bytes) { $1 } != nil, "this line is JSON")
    #expect(recovered(line.bytes) == line.id)
  }

  @Test("the error reply to an unreadable line is valid JSON, however the line is damaged", arguments: seeds)
  func mutated(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let alphabet: [UInt8] = Array(#"{}[]":,\ud8id07-.ex"#.utf8) + [0, 9, 0x1F, 0x80, 0xC3, 0xED, 0xA0, 0xFF]
    var named = 0
    let rounds = Workload.amount(20_000)
    for _ in 0..<rounds {
      let id = random.pick(["7", #""a""#, #""\ud83d\ude00""#, "null", "-0.5e1", "{}", "[1]", "true"])
      var line = Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"m","params":{"a":"b"}}"#.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<line.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: line[index] = random.pick(alphabet)
        case 1: line.insert(random.pick(alphabet), at: index)
        case 2: line.remove(at: index)
        default: line = Array(line.prefix(max(index, 4)))
        }
      }
      let reply: [UInt8]? = withDocument(line) { document, error in
        guard let error else { return nil }
        return bytes { $0.appendErrorReply(.parseError(error), id: IncomingMessage.recoveredID(document)) }
      }
      guard let reply else { continue }
      let value = try JSONValue(parsing: reply)
      if value["id"]?.isNull == false { named += 1 }
    }
    #expect(named > rounds / 200)
  }
}
