import JSONCodec
import Testing

@Suite("Refused JSON texts")
struct RefusalTests {
  static let structure: [Case] = [
    refused("", .empty, 0), refused(" ", .empty, 0), refused("\t\r\n", .empty, 0), refused("\0", .unexpectedByte, 0),
    refused("\u{FEFF}", .unexpectedByte, 0), refused("\u{FEFF}{}", .unexpectedByte, 0),
    refused("\u{A0}1", .unexpectedByte, 0),
    refused("\u{B}1", .unexpectedByte, 0), refused("\u{C}1", .unexpectedByte, 0), refused("1\0", .trailingBytes, 1),
    refused("{}\0", .trailingBytes, 2), refused("[\0]", .unexpectedByte, 1), refused("[1\0]", .unexpectedByte, 2),
    refused("{\0}", .unexpectedByte, 1), refused("{\"a\"\0:1}", .unexpectedByte, 4),
    refused("{\"a\":\0}", .unexpectedByte, 5),
    refused("nul", .truncated, 3), refused("nulL", .unexpectedByte, 3), refused("NULL", .unexpectedByte, 0),
    refused("nullx", .trailingBytes, 4),
    refused("True", .unexpectedByte, 0), refused("tru e", .unexpectedByte, 3), refused("falsy", .unexpectedByte, 4),
    refused("nil", .unexpectedByte, 1), refused("undefined", .unexpectedByte, 0), refused("NaN", .unexpectedByte, 0),
    refused("Infinity", .unexpectedByte, 0), refused("-Infinity", .badNumber, 1), refused("-NaN", .badNumber, 1),
    refused("a", .unexpectedByte, 0),
    refused("'a'", .unexpectedByte, 0), refused("`a`", .unexpectedByte, 0), refused("1 2", .trailingBytes, 2),
    refused("{} {}", .trailingBytes, 3),
    refused("[][]", .trailingBytes, 2), refused("{}}", .trailingBytes, 2), refused("[]]", .trailingBytes, 2),
    refused("\"a\"b", .trailingBytes, 3),
    refused("\"\"\"", .trailingBytes, 2), refused("1,", .trailingBytes, 1), refused(",", .unexpectedByte, 0),
    refused(":", .unexpectedByte, 0),
    refused("]", .unexpectedByte, 0), refused("}", .unexpectedByte, 0), refused("// c\n1", .unexpectedByte, 0),
    refused("1 // c", .trailingBytes, 2),
    refused("/**/1", .unexpectedByte, 0), refused("#1", .unexpectedByte, 0), refused("[", .truncated, 1),
    refused("[1", .truncated, 2),
    refused("[1,", .truncated, 3), refused("[1,]", .unexpectedByte, 3), refused("[,1]", .unexpectedByte, 1),
    refused("[,]", .unexpectedByte, 1),
    refused("[1,,2]", .unexpectedByte, 3), refused("[1 2]", .unexpectedByte, 3), refused("[1:2]", .unexpectedByte, 2),
    refused("[1}", .unexpectedByte, 2), refused("[\"a\":1]", .unexpectedByte, 4), refused("[[]", .truncated, 3),
    refused("[/**/]", .unexpectedByte, 1),
    refused("{", .truncated, 1), refused("{\"a\"", .truncated, 4), refused("{\"a\":", .truncated, 5),
    refused("{\"a\":1", .truncated, 6),
    refused("{\"a\":1,", .truncated, 7), refused("{\"a\":1,}", .unexpectedByte, 7), refused("{,}", .unexpectedByte, 1),
    refused("{\"a\"}", .unexpectedByte, 4), refused("{\"a\":}", .unexpectedByte, 5),
    refused("{\"a\" 1}", .unexpectedByte, 5),
    refused("{\"a\"=1}", .unexpectedByte, 4), refused("{\"a\"::1}", .unexpectedByte, 5),
    refused("{a:1}", .unexpectedByte, 1),
    refused("{'a':1}", .unexpectedByte, 1), refused("{1:1}", .unexpectedByte, 1),
    refused("{null:1}", .unexpectedByte, 1),
    refused("{[]:1}", .unexpectedByte, 1), refused("{:1}", .unexpectedByte, 1),
    refused("{\"a\":1]", .unexpectedByte, 6),
    refused("{\"a\":1 \"b\":2}", .unexpectedByte, 7), refused("{\"a\":1,,\"b\":2}", .unexpectedByte, 7),
    refused("{\"a\":1;\"b\":2}", .unexpectedByte, 6), refused("{\"a\",\"b\"}", .unexpectedByte, 4),
    refused("{\"a\":1,\"b\"}", .unexpectedByte, 10),
    refused("[1\u{A0}]", .unexpectedByte, 2), refused("[\u{B}]", .unexpectedByte, 1),
    refused("<json/>", .unexpectedByte, 0),
    refused([0x7B, 0xFF, 0x7D], .unexpectedByte, 1), refused([0xFF, 0xFE, 0x31, 0x00], .unexpectedByte, 0),
    refused([0x31, 0x00], .trailingBytes, 1),
  ]

  static let numbers: [Case] = [
    refused("-", .truncated, 1), refused("+1", .unexpectedByte, 0), refused("--1", .badNumber, 1),
    refused("-a", .badNumber, 1),
    refused("01", .badNumber, 1), refused("-01", .badNumber, 2), refused("00", .badNumber, 1),
    refused("[012]", .badNumber, 2),
    refused(".5", .unexpectedByte, 0), refused("-.5", .badNumber, 1), refused("1.", .truncated, 2),
    refused("[1.]", .badNumber, 3),
    refused("1.e1", .badNumber, 2), refused("1..2", .badNumber, 2), refused("1.2.3", .trailingBytes, 3),
    refused("1e", .truncated, 2),
    refused("1e+", .truncated, 3), refused("[1e]", .badNumber, 3), refused("[1e-]", .badNumber, 4),
    refused("1e1.5", .trailingBytes, 3),
    refused("1e1e1", .trailingBytes, 3), refused("1e++1", .badNumber, 3), refused("0x10", .trailingBytes, 1),
    refused("[0x1]", .unexpectedByte, 2),
    refused("1_000", .trailingBytes, 1), refused("1,000", .trailingBytes, 1), refused("1f", .trailingBytes, 1),
    refused("0e", .truncated, 2),
    refused("- 1", .badNumber, 1), refused("1 e1", .trailingBytes, 2), refused("[1-2]", .unexpectedByte, 2),
    refused("１", .unexpectedByte, 0),
    refused("[-]", .badNumber, 2), refused("[1+2]", .unexpectedByte, 2), refused("0.", .truncated, 2),
    refused("[1\0]", .unexpectedByte, 2),
  ]

  static let strings: [Case] = [
    refused("\"", .truncated, 1), refused("\"a", .truncated, 2), refused("\"\\", .truncated, 2),
    refused("\"\\\"", .truncated, 3),
    refused("\"a\0\"", .controlCharacter, 2), refused("\"\u{1}\"", .controlCharacter, 1),
    refused("\"\n\"", .controlCharacter, 1),
    refused("\"\t\"", .controlCharacter, 1), refused("\"\r\"", .controlCharacter, 1),
    refused("\"12345678\u{1F}\"", .controlCharacter, 9),
    refused(#""\a""#, .badEscape, 2), refused(#""\'""#, .badEscape, 2), refused(#""\0""#, .badEscape, 2),
    refused(#""\x41""#, .badEscape, 2),
    refused(#""\U0041""#, .badEscape, 2), refused(#""\N""#, .badEscape, 2), refused(#""\v""#, .badEscape, 2),
    refused("\"\\\n\"", .badEscape, 2),
    refused("\"\\\0\"", .badEscape, 2), refused("\"\\é\"", .badEscape, 2), refused(#""\ ""#, .badEscape, 2),
    refused(#""\u""#, .badEscape, 3),
    refused(#""\u1""#, .badEscape, 4), refused(#""\u12""#, .badEscape, 5), refused(#""\u123""#, .badEscape, 6),
    refused(#""\u123g""#, .badEscape, 6),
    refused(#""\u+123""#, .badEscape, 3), refused(#""\u 123""#, .badEscape, 3), refused(#""\u{41}""#, .badEscape, 3),
    refused(#""\u00:0""#, .badEscape, 5),
    refused(#""\u00@0""#, .badEscape, 5), refused(#""\u00`0""#, .badEscape, 5), refused("\"\\u12", .truncated, 5),
    refused("\"\\u", .truncated, 3),
    refused(#""\uD800""#, .loneSurrogate, 1), refused(#""\uDBFF""#, .loneSurrogate, 1),
    refused(#""\uDC00""#, .loneSurrogate, 1),
    refused(#""\uDFFF""#, .loneSurrogate, 1), refused(#""a\ud834b""#, .loneSurrogate, 2),
    refused(#""\uDD1E\uD834""#, .loneSurrogate, 1),
    refused(#""\uD834\uD834""#, .loneSurrogate, 1), refused(#""\uD834\uD834\uDD1E""#, .loneSurrogate, 1),
    refused(#""\uD834\u0041""#, .loneSurrogate, 1), refused(#""\uD834\n""#, .loneSurrogate, 1),
    refused(#""\uD834 \uDD1E""#, .loneSurrogate, 1),
    refused(#""\uD834\uDBFF""#, .loneSurrogate, 1), refused(#""\uD834\uE000""#, .loneSurrogate, 1),
    refused(#""\uD834\\uDD1E""#, .loneSurrogate, 1),
    refused(#""\uD834\uDD1E\uDD1E""#, .loneSurrogate, 13), refused(#""\uD834\u""#, .loneSurrogate, 1),
    refused(#"{"\uD834":1}"#, .loneSurrogate, 2),
    refused("\"\\ud834", .truncated, 7), refused("\"\\ud834\\", .truncated, 8),
    refused("\"\\ud834\\udc", .truncated, 11),
  ]

  @Test(
    "an invalid text is refused with the reason, and the position of the error",
    arguments: structure + numbers + strings)
  func refusedFor(_ row: Case) {
    let error = refusal(of: row.bytes)
    #expect(error?.reason == row.reason)
    #expect(error?.offset == row.offset)
  }

  @Test("if a text has several errors, the first is reported")
  func firstErrorWins() {
    #expect(refusal(of: Array("[\"\t\",\"\\ud800\"]".utf8)) == JSONError(.controlCharacter, at: 2))
    #expect(refusal(of: Array("[\"\\ud800\",\"\t\",01]".utf8)) == JSONError(.loneSurrogate, at: 2))
    #expect(refusal(of: Array("\"\t\" x".utf8)) == JSONError(.controlCharacter, at: 1))
  }

  @Test(
    "every unescaped control character is refused, and every other ASCII character accepted", arguments: UInt8(0)..<128)
  func ascii(_ byte: UInt8) {
    let error = refusal(of: quoted([0x61, byte, 0x61]))
    switch byte {
    case 0..<0x20: #expect(error == JSONError(.controlCharacter, at: 2))
    case 0x22: #expect(error == JSONError(.trailingBytes, at: 3))
    case 0x5C: #expect(error == JSONError(.badEscape, at: 3))
    default: #expect(error == nil)
    }
  }

  @Test("a backslash is accepted only before the eight short escapes and u", arguments: UInt8.min...UInt8.max)
  func escapes(_ byte: UInt8) {
    let error = refusal(of: quoted([0x5C, byte, 0x30, 0x30, 0x34, 0x31]))
    if #""\/bfnrtu"#.utf8.contains(byte) {
      #expect(error == nil)
    } else {
      #expect(error == JSONError(.badEscape, at: 2))
    }
  }
}
