import JSONCodec
import LoginProtocol
import TestSupport
import Testing

/// How messages are classified: every example of the JSON-RPC 2.0 specification, and further cases.
struct IncomingMessageTests {
  /// How a message is classified, as a text that can be compared.
  private func judged(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> String {
    func text(_ node: JSONDocument.Node?) -> String {
      node.map { String(decoding: document.fullText($0), as: UTF8.self) } ?? "-"
    }
    switch IncomingMessage(document, node) {
    case .call(let call): return "call \(document.string(call.method)) \(text(call.params)) \(text(call.id))"
    case .response: return "response"
    case .invalid(let id, _): return "invalid \(text(id))"
    }
  }

  private func judged(_ line: String) -> [String] {
    withDocument(line) { document, error in
      guard error == nil, let root = document.root else { return ["parse error"] }
      guard document.kind(root) == .array else { return [judged(document, root)] }
      var results: [String] = []
      var child = document.firstChild(root)
      while let node = child {
        results.append(judged(document, node))
        child = document.sibling(after: node, in: root)
      }
      return results
    }
  }

  /// The examples of section 7 of the JSON-RPC 2.0 specification, in order.
  static let examples: [(String, [String])] = [
    (#"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#, ["call subtract [42, 23] 1"]),
    (#"{"jsonrpc": "2.0", "result": 19, "id": 1}"#, ["response"]),
    (#"{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}"#, ["call subtract [23, 42] 2"]),
    (#"{"jsonrpc": "2.0", "result": -19, "id": 2}"#, ["response"]),
    (
      #"{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}"#,
      [#"call subtract {"subtrahend": 23, "minuend": 42} 3"#]
    ),
    (
      #"{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}"#,
      [#"call subtract {"minuend": 42, "subtrahend": 23} 4"#]
    ),
    (#"{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}"#, ["call update [1,2,3,4,5] -"]),
    (#"{"jsonrpc": "2.0", "method": "foobar"}"#, ["call foobar - -"]),
    (#"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#, [#"call foobar - "1""#]),
    (
      #"{"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": "1"}"#, ["response"]
    ),
    (#"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#, ["parse error"]),
    (
      #"{"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}"#, ["response"]
    ),
    (#"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#, ["invalid -"]),
    (
      #"[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]"#,
      ["parse error"]
    ),
    ("[]", []),
    ("[1]", ["invalid -"]),
    ("[1,2,3]", ["invalid -", "invalid -", "invalid -"]),
    (
      #"[{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":"1"},{"jsonrpc":"2.0","method":"notify_hello","params":[7]},{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":"2"},{"foo":"boo"},{"jsonrpc":"2.0","method":"foo.get","params":{"name":"myself"},"id":"5"},{"jsonrpc":"2.0","method":"get_data","id":"9"}]"#,
      [
        #"call sum [1,2,4] "1""#, "call notify_hello [7] -", #"call subtract [42,23] "2""#, "invalid -",
        #"call foo.get {"name":"myself"} "5""#, #"call get_data - "9""#,
      ]
    ),
    (
      #"[{"jsonrpc":"2.0","method":"notify_sum","params":[1,2,4]},{"jsonrpc":"2.0","method":"notify_hello","params":[7]}]"#,
      ["call notify_sum [1,2,4] -", "call notify_hello [7] -"]
    ),
  ]

  @Test("the examples of the JSON-RPC 2.0 specification are classified as the specification says", arguments: examples)
  func specification(_ line: String, _ expected: [String]) { #expect(judged(line) == expected) }

  @Test(
    "messages that the examples of the JSON-RPC specification do not cover are classified by its rules",
    arguments: [
      // Ids of all kinds.
      (#"{"jsonrpc":"2.0","method":"m","id":null}"#, "call m - null"),
      (#"{"jsonrpc":"2.0","method":"m","id":""}"#, #"call m - """#),
      (#"{"jsonrpc":"2.0","method":"m","id":1.50}"#, "call m - 1.50"),
      (#"{"jsonrpc":"2.0","method":"m","id":-0}"#, "call m - -0"),
      (
        #"{"jsonrpc":"2.0","method":"m","id":123456789012345678901234567890}"#,
        "call m - 123456789012345678901234567890"
      ),
      (#"{"jsonrpc":"2.0","method":"m","id":"\u00e9"}"#, #"call m - "\u00e9""#),
      (#"{"jsonrpc":"2.0","method":"m","id":true}"#, "invalid -"),
      (#"{"jsonrpc":"2.0","method":"m","id":[1]}"#, "invalid -"),
      (#"{"jsonrpc":"2.0","method":"m","id":{}}"#, "invalid -"),
      // Versions.
      (#"{"method":"m","id":1}"#, "invalid 1"), (#"{"jsonrpc":"1.0","method":"m","id":1}"#, "invalid 1"),
      (#"{"jsonrpc":2.0,"method":"m","id":1}"#, "invalid 1"), (#"{"jsonrpc":"2.0 ","method":"m","id":1}"#, "invalid 1"),
      (#"{"jsonrpc":"\u0032.0","method":"m","id":1}"#, "call m - 1"),
      // Methods and params.
      (#"{"jsonrpc":"2.0","id":1}"#, "invalid 1"), (#"{"jsonrpc":"2.0","method":null,"id":1}"#, "invalid 1"),
      (#"{"jsonrpc":"2.0","method":["m"],"id":1}"#, "invalid 1"),
      (#"{"jsonrpc":"2.0","method":"","id":1}"#, "call  - 1"),
      (#"{"jsonrpc":"2.0","method":"m","params":null,"id":1}"#, "invalid 1"),
      (#"{"jsonrpc":"2.0","method":"m","params":"x","id":1}"#, "invalid 1"),
      (#"{"jsonrpc":"2.0","method":"m","params":7}"#, "invalid -"),
      (#"{"jsonrpc":"2.0","method":"m","params":{},"more":1}"#, "call m {} -"),
      (#"{"\u006dethod":"m","jsonrpc":"2.0"}"#, "call m - -"),
      // Responses, valid and invalid ones.
      (#"{"result":1}"#, "response"), (#"{"error":1}"#, "response"), (#"{"result":1,"error":2,"id":true}"#, "response"),
      (#"{"jsonrpc":"1.0","result":null,"id":{}}"#, "response"),
      // Not objects.
      ("null", "invalid -"), ("7", "invalid -"), (#""m""#, "invalid -"), ("{}", "invalid -"), ("true", "invalid -"),
    ])
  func between(_ line: String, _ expected: String) { #expect(judged(line) == [expected]) }

  @Test("classifying random JSON texts never traps", arguments: seeds) func random(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<Workload.amount(20_000) {
      let text = randomJSON(&random, keys: ["jsonrpc", "method", "params", "id", "result", "error", "x"])
      #expect(judged(text) != ["parse error"], "\(text)")
    }
  }
}

/// A small random JSON text. Its objects have keys from `keys`, each at most once.
func randomJSON(_ random: inout SeededRandom, keys: [String], depth: Int = 0) -> String {
  switch Int.random(in: 0..<(depth > 3 ? 7 : 12), using: &random) {
  case 0: return "null"
  case 1: return random.pick(["true", "false"])
  case 2, 3:
    return random.pick([
      "0", "-1", "1.5", "1e9", "9223372036854775807", "9223372036854775808", "18446744073709551616", "-0", "7",
    ])
  case 4, 5, 6:
    let texts = [
      "", "2.0", "accepted", "rejected", "throttled", "email", "a.b-c_d", "no name", "\\u00e9", "\\\"",
    ]
    return "\"\(random.pick(texts))\""
  case 7:
    let elements = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      randomJSON(&random, keys: keys, depth: depth + 1)
    }
    return "[\(elements.joined(separator: ","))]"
  default:
    let chosen = keys.filter { _ in random.chance(2) }.shuffled(using: &random)
    let members = chosen.map { "\"\($0)\":\(randomJSON(&random, keys: keys, depth: depth + 1))" }
    return "{\(members.joined(separator: ","))}"
  }
}
