import JSONCodec
import Testing

@Suite("Duplicate keys")
struct DuplicateKeyTests {
  static let rows: [Case] = [
    refused(#"{"a":1,"a":1}"#, .duplicateKey, 8), refused(#"{"a":1,"b":2,"a":3}"#, .duplicateKey, 14),
    refused(#"{"":1,"":2}"#, .duplicateKey, 7),
    refused(#"{"a":1,"\u0061":2}"#, .duplicateKey, 8), refused(#"{"\u0061":1,"a":2}"#, .duplicateKey, 13),
    refused(#"{"\u0061":1,"\u0061":2}"#, .duplicateKey, 13), refused(#"{"/":1,"\/":2}"#, .duplicateKey, 8),
    refused(#"{"\u002f":1,"\/":2}"#, .duplicateKey, 13), refused(#"{"\n":1,"\u000A":2}"#, .duplicateKey, 9),
    refused(#"{"😀":1,"\ud83d\ude00":2}"#, .duplicateKey, 11),
    refused(#"{"\uD83D\uDE00":1,"\ud83d\ude00":2}"#, .duplicateKey, 19),
    refused(#"{"\u0000":1,"\u0000":2}"#, .duplicateKey, 13), refused(#"[{"a":1,"a":1}]"#, .duplicateKey, 9),
    refused(#"{"x":{"a":1,"a":1}}"#, .duplicateKey, 13), refused(#"{"a":{"a":1},"a":{"a":1}}"#, .duplicateKey, 14),
    refused(#"{"a":[{},[1,2]],"b":0,"a":0}"#, .duplicateKey, 23),
    refused(#"{"a":1,"b":2,"b":3,"a":4}"#, .duplicateKey, 14),
  ]

  @Test("a duplicate key is refused, even if its escapes differ from those of the first", arguments: rows)
  func duplicates(_ row: Case) throws {
    #expect(refusal(of: row.bytes) == JSONError(.duplicateKey, at: try #require(row.offset)))
  }

  @Test(
    "similar but different keys in one object are accepted",
    arguments: [
      #"{"a":1,"A":2}"#, "{\"é\":1,\"e\u{301}\":2}", #"{"a":1,"a ":2}"#, #"{"a":1,"a\u0000":2}"#,
      #"{"a":1,"\\u0061":2}"#, #"{"a":"b","b":"a"}"#,
      "{\"Å\":1,\"\u{212B}\":2}", #"{"ab":1,"\u0061":2}"#,
    ])
  func lookalikes(_ text: String) {
    #expect(refusal(of: Array(text.utf8)) == nil)
  }

  @Test(
    "two equal keys are found at any positions, in small objects and in large ones",
    arguments: [2, 3, 11, 12, 13, 14, 40])
  func everyPair(_ members: Int) {
    for first in 0..<members {
      for second in first + 1..<members {
        for spelling in ["k\(first)", "\\u006b\(first)"] {
          var keys = (0..<members).map { "k\($0)" }
          keys[second] = spelling
          let before = "{" + keys[..<second].map { "\"\($0)\":[0]," }.joined()
          let text = before + keys[second...].map { "\"\($0)\":[0]" }.joined(separator: ",") + "}"
          #expect(refusal(of: Array(text.utf8)) == JSONError(.duplicateKey, at: before.utf8.count + 1))
        }
      }
    }
  }

  @Test("the first duplicate key is reported, in small objects and in large ones", arguments: [0, 30])
  func earliest(_ more: Int) {
    let rest = (0..<more).map { ",\"k\($0)\":0" }.joined()
    for pairs in [#"{"b":1,"a":2,"a":3,"b":4"#, #"{"a":1,"b":2,"b":3,"a":4"#] {
      #expect(refusal(of: Array((pairs + rest + "}").utf8)) == JSONError(.duplicateKey, at: 14))
    }
  }

  @Test(
    "duplicates among a hundred thousand keys with the same length and prefix are sought in less than quadratic time",
    arguments: ["", "\\u0061"])
  func hostile(_ prefix: String) {
    let keys = (0..<100_000).map { "\"\(prefix)\(100_000 + $0)\":0" }
    #expect(refusal(of: Array(("{" + keys.joined(separator: ",") + "}").utf8)) == nil)
    let repeated = "{" + keys.joined(separator: ",") + ","
    let last = prefix.isEmpty ? "\\u0031\("00000")" : "a100000"
    #expect(
      refusal(of: Array((repeated + "\"\(last)\":0}").utf8)) == JSONError(.duplicateKey, at: repeated.utf8.count + 1))
  }
}
