import JSONCodec
import Testing

@Suite("UTF-8 in strings")
struct UTF8Tests {
  static let malformed: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
    [0xF0, 0x80, 0x80, 0x80],
    [0xF0, 0x8F, 0xBF, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xAF, 0xBF], [0xED, 0xB0, 0x80], [0xED, 0xBF, 0xBF],
    [0xED, 0xA0, 0xB4, 0xED, 0xB4, 0x9E], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF7, 0xBF, 0xBF, 0xBF],
    [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xC3], [0xE2], [0xE2, 0x82],
    [0xF0], [0xF0, 0x9F],
    [0xF0, 0x9F, 0x98], [0xC3, 0x28], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xF0, 0x28, 0x8C, 0xBC],
    [0xF0, 0x90, 0x28, 0xBC],
    [0xF0, 0x90, 0x8C, 0x28], [0xC3, 0xC3, 0xA9], [0xE9], [0xC3, 0xA9, 0xA9],
  ]

  @Test(
    "overlong forms, surrogates, stray or missing bytes and values over U+10FFFF are refused", arguments: malformed)
  func malformedIsRefused(_ sequence: [UInt8]) {
    let offset = sequence == [0xC3, 0xA9, 0xA9] ? 3 : 1
    #expect(refusal(of: quoted(sequence)) == JSONError(.invalidUTF8, at: offset))
    #expect(refusal(of: quoted(sequence + Array("plain text".utf8))) == JSONError(.invalidUTF8, at: offset))
    #expect(refusal(of: [0x7B] + quoted(sequence) + Array(":1}".utf8)) == JSONError(.invalidUTF8, at: offset + 1))
  }

  @Test(
    "the first and the last character of each length of UTF-8 sequences are accepted",
    arguments: [
      0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xCFFF, 0xD000, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x3FFFF, 0x40000, 0xFFFFF,
      0x100000, 0x10FFFF,
    ])
  func boundaries(_ scalar: UInt32) throws {
    let text = String(try #require(UnicodeScalar(scalar)))
    #expect(try JSONValue(parsing: "\"\(text)\"") == .string(text))
  }

  @Test(
    "a text that ends within a character is refused as truncated, wherever in the character it ends",
    arguments: ["é", "ࠀ", "€", "퟿", "😀", "\u{10FFFF}"])
  func cutOff(_ text: String) {
    let bytes = [0x22] + Array(text.utf8)
    for length in 1...bytes.count { #expect(refusal(of: bytes.prefix(length)) == JSONError(.truncated, at: length)) }
  }

  @Test(
    "if no bytes could complete the sequence at the end of a text, the text is refused as invalid, not as truncated",
    arguments: [
      [0xE0, 0x9F], [0xED, 0xA0], [0xF0, 0x8F], [0xF4, 0x90], [0xC0], [0xF5], [0x80], [0xE2, 0x28], [0xF0, 0x9F, 0x28],
    ] as [[UInt8]])
  func hopeless(_ sequence: [UInt8]) {
    #expect(refusal(of: [0x22] + sequence) == JSONError(.invalidUTF8, at: 1))
  }

  @Test("all pairs of a first byte and a second byte of a UTF-8 sequence are judged as by the standard library")
  func agreesWithTheStandardLibrary() {
    let memory = GuardedMemory(capacity: 16)
    for first in UInt8(0x80)...0xFF {
      for second in UInt8(0)...0xFF where second != 0x22 && second != 0x5C && second >= 0x20 {
        for tail in [[], [0x80], [0xBF], [0x80, 0x80], [0xBF, 0x7F]] as [[UInt8]] {
          let sequence = [first, second] + tail
          let valid = String(validating: sequence, as: UTF8.self) != nil
          let error = refusal(of: quoted(sequence), in: memory)
          #expect((error == nil) == valid, "\(sequence)")
          if !valid { #expect(error?.reason == .invalidUTF8, "\(sequence)") }
        }
      }
    }
  }
}
