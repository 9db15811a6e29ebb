import JSONCodec
import Testing

@Suite("Escapes")
struct StringTests {
  @Test(
    "each escape in a string is read as the character that it stands for",
    arguments: [
      (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\b"#, "\u{8}"), (#"\f"#, "\u{C}"), (#"\n"#, "\n"),
      (#"\r"#, "\r"), (#"\t"#, "\t"),
      (#"\u0000"#, "\0"), (#"\u0041"#, "A"), (#"\u00e9"#, "é"), (#"\u00E9"#, "é"), (#"\u20AC"#, "€"),
      (#"\uD834\uDD1E"#, "𝄞"),
      (#"\ud800\udc00"#, "\u{10000}"), (#"\udbff\udfff"#, "\u{10FFFF}"), (#"\uffff"#, "\u{FFFF}"),
      (#"\u007f\u0080\u07ff\u0800"#, "\u{7F}\u{80}\u{7FF}\u{800}"),
      (#"a\u00e9b\\u0041\n"#, "aéb\\u0041\n"), (#"\\\\"#, "\\\\"), (#"\ud7ff\ue000"#, "\u{D7FF}\u{E000}"), ("", ""),
      ("plain", "plain"),
    ])
  func unescaping(_ spelt: String, _ value: String) throws {
    #expect(try JSONValue(parsing: "\"\(spelt)\"") == .string(value))
    let bytes = quoted(Array(spelt.utf8))
    try bytes.withUnsafeBytes { buffer in
      var document = JSONDocument()
      try document.parse(buffer)
      let outermost = document.root
      let root = try #require(outermost)
      var scratch = ByteBuffer()
      let read = document.withString(root, scratch: &scratch) { Array($0) }
      let (escaped, kept) = (document.hasEscapes(root), String(decoding: document.text(root), as: UTF8.self))
      let same = Array(value.utf8).withUnsafeBytes { document.equals(root, $0) }
      let other = Array((value + "x").utf8).withUnsafeBytes { document.equals(root, $0) }
      #expect(read == Array(value.utf8))
      #expect(escaped == spelt.contains("\\"))
      #expect(kept == spelt)
      #expect(same && !other)
    }
  }

  @Test(
    "a character is written in the shortest form that JSON allows",
    arguments: [
      ("\"", #"\""#), ("\\", #"\\"#), ("/", "/"), ("\u{8}\u{9}\u{A}\u{C}\u{D}", #"\b\t\n\f\r"#), ("\0", #"\u0000"#),
      ("\u{1F}", #"\u001f"#), ("\u{1B}", #"\u001b"#),
      ("\u{7F}", "\u{7F}"), ("é€😀", "é€😀"), ("aaaaaaa\"", #"aaaaaaa\""#), ("aaaaaaaa\\é\n", #"aaaaaaaa\\é\n"#),
      ("", ""),
    ])
  func escaping(_ value: String, _ written: String) {
    #expect(JSONValue.string(value).text == "\"\(written)\"")
  }

  @Test(
    "the escape of half a surrogate pair, which only an invalid text has, is unescaped to U+FFFD",
    arguments: [#"\ud800"#, #"\udfff"#, #"\ud800\u0041"#, #"\ud800\ud800"#])
  func halves(_ spelt: String) {
    let text = Array(spelt.utf8)
    var buffer = ByteBuffer()
    text.withUnsafeBytes { JSONString.unescape($0, into: &buffer) }
    let read = String(validating: buffer.array(), as: UTF8.self)
    #expect(read?.first == "\u{FFFD}")
  }

  @Test(
    "unescaping a text that was not parsed, with an incomplete escape, does not read beyond its end",
    arguments: ["\\", "\\u", "\\u1", "\\u123", "\\ud800\\", "\\ud800\\u", "\\ud800\\udc0", "a\\"])
  func unchecked(_ spelt: String) {
    let memory = GuardedMemory(capacity: 64)
    var buffer = ByteBuffer()
    memory.with(Array(spelt.utf8)) { JSONString.unescape($0, into: &buffer) }
    let count = buffer.count
    #expect(count <= spelt.utf8.count)
  }
}
