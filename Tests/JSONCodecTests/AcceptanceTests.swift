import JSONCodec
import Testing

@Suite("Accepted JSON texts (RFC 8259)")
struct AcceptanceTests {
  static let texts: [String] = [
    "null", "true", "false", " null ", "\t\n\r true\r\n\t", "0", "-0", "1", "-1", "9", "10",
    "123456789012345678901234567890",
    "0.0", "-0.0", "0.5", "1.25", "100.001", "1e1", "1E1", "1e+1", "1e-1", "1E+01", "0e0", "0E-0", "-1.5e-10", "1e400",
    "-1e-400",
    "18446744073709551616", "0.1000000000000000055511151231257827", #""""#, #""a""#, #"" ""#, #""/""#, #""\/""#,
    #""\"""#, #""\\""#,
    #""\b\f\n\r\t""#, #""\u0000""#, #""\u001f""#, #""\u0041""#, #""\uABCD\uabcd""#, #""\uD834\uDD1E""#,
    #""\ud834\udd1e""#,
    #""\uDBFF\uDFFF""#, #""\uD800\uDC00""#, #""\uFFFF""#, #""\uFFFE""#, #""\uFDD0""#, #""\\u0000""#, #""\\\"""#,
    "\"\u{7F}\"", "\"é\"",
    "\"€\"", "\"😀\"", "\"\u{10FFFF}\"", "\"\u{FEFF}\"", "\"\u{2028}\u{2029}\"", "\"e\u{301}\"", "\"\u{FFFF}\"",
    #""// no comment""#, "[]",
    "[ ]", "[\n]", "[1]", "[ 1 ]", "[1,2]", "[1 , 2]", "[null,true,false]", #"["a","b"]"#, "[[]]", "[[],[]]",
    "[[[[1]]]]", "[{}]", "{}",
    "{ }", "{\t}", #"{"a":1}"#, #"{ "a" : 1 }"#, #"{"a":1,"b":2}"#, #"{"":0}"#, #"{"a":{}}"#, #"{"a":[]}"#,
    #"{"a":{"a":1}}"#,
    #"[{"a":1},{"a":1}]"#, #"{"a":1,"A":2}"#, #"{"\u0061":1,"\u0062":2}"#, "{\"é\":1,\"e\u{301}\":2}",
    #"{"a":"a","b":"a"}"#,
    #"{"a":null,"b":true,"c":false,"d":0,"e":"","f":[],"g":{}}"#, #"  {"a" :[ 1 , {"b": null} ] }  "#,
    "-9223372036854775808",
    "1.0E+2", "[1.5e3,-2]",
  ]

  @Test("a valid text is accepted", arguments: texts)
  func accepted(_ text: String) {
    #expect(refusal(of: Array(text.utf8)) == nil)
  }

  @Test(
    "a number keeps the digits and the notation of its text",
    arguments: texts.filter { $0.first?.isNumber == true || $0.first == "-" })
  func numbersKeepTheirText(_ text: String) throws {
    #expect(try JSONValue(parsing: " [ \(text) ] ").text == "[\(text)]")
  }

  @Test(
    "a whole number is in 0 to 2^63-1 and has no fractional part, in any notation",
    arguments: [
      ("0", 0), ("7", 7), ("10", 10), ("9223372036854775807", 9_223_372_036_854_775_807), ("9223372036854775808", nil),
      ("18446744073709551616", nil), ("99999999999999999999999", nil), ("-1", nil), ("-0", 0), ("-0.0e9", 0),
      ("1.0", 1), ("10.000", 10), ("1e2", 100), ("1E+2", 100), ("1.25e2", 125), ("1.25e1", nil), ("2500e-2", 25),
      ("2501e-2", nil), ("0.1", nil), ("0.5e1", 5), ("1.5", nil), ("-1.0", nil), ("0e99999999999999999999", 0),
      ("1e18", 1_000_000_000_000_000_000), ("1e19", nil), ("1e99999999999999999999", nil),
      ("1e-99999999999999999999", nil),
      ("9223372036854775807.0", 9_223_372_036_854_775_807), ("9223372036854775808.0", nil), ("0.00001e5", 1),
      ("922337203685477580.7e1", 9_223_372_036_854_775_807),
      ("\"1\"", nil), ("null", nil),
    ] as [(String, UInt64?)])
  func wholeNumbers(_ text: String, _ expected: UInt64?) throws {
    let bytes = Array(text.utf8)
    let number = try bytes.withUnsafeBytes { buffer in
      var document = JSONDocument()
      try document.parse(buffer)
      let root = document.root
      return document.wholeNumber(try #require(root))
    }
    #expect(number == expected)
  }

  @Test(
    "64 nested arrays or objects are accepted, and the 65th is refused at its opening bracket",
    arguments: [("[", "]"), ("{\"a\":", "}")])
  func depth(_ open: String, _ close: String) {
    func nested(_ depth: Int) -> [UInt8] {
      let innermost = open == "[" ? "" : "1"
      return Array((String(repeating: open, count: depth) + innermost + String(repeating: close, count: depth)).utf8)
    }
    #expect(refusal(of: nested(1)) == nil)
    #expect(refusal(of: nested(64)) == nil)
    #expect(refusal(of: nested(65)) == JSONError(.tooDeep, at: 64 * open.utf8.count))
    #expect(refusal(of: nested(100_000)) == JSONError(.tooDeep, at: 64 * open.utf8.count))
    #expect(refusal(of: nested(3), maximumDepth: 3) == nil)
    #expect(refusal(of: nested(4), maximumDepth: 3)?.reason == .tooDeep)
  }

  @Test("brackets in strings do not count as nesting, and neither do values next to each other")
  func breadthIsNotDepth() {
    let siblings = "[" + Array(repeating: "[[]]", count: 1000).joined(separator: ",") + "]"
    #expect(refusal(of: Array(siblings.utf8), maximumDepth: 3) == nil)
    #expect(refusal(of: quoted(Array(repeating: 0x5B, count: 1000))) == nil)
  }
}
