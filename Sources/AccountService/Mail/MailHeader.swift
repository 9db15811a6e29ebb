/// The encoding of mail header fields.
package enum MailHeader {
  /// Encodes the text of a header field as in RFC 2047. Short printable ASCII stays as it is; any
  /// other text becomes encoded words, so that nothing in it can end the field.
  package static func text(_ text: String) -> String {
    let hasEncodedWord = zip(text.utf8, text.utf8.dropFirst()).contains { $0 == (0x3D, 0x3F) }
    let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !hasEncodedWord && text.utf8.count <= 900
    guard !isPlain else { return text }
    var words: [String] = []
    var word: [UInt8] = []
    for scalar in text.unicodeScalars {
      // Control characters have no use in a subject, so they become spaces.
      let bytes = Array(String(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar).utf8)
      // 45 bytes become 60 characters of base64. With the delimiters, these stay within the 75
      // characters that an encoded word may have.
      if word.count + bytes.count > 45 {
        words.append(encoded(word))
        word = []
      }
      word += bytes
    }
    words.append(encoded(word))
    return words.joined(separator: "\n ")
  }

  private static func encoded(_ bytes: [UInt8]) -> String { "=?UTF-8?B?" + base64(bytes) + "?=" }

  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.enumerated().reduce(0) { $0 | Int($1.element) << (16 - 8 * $1.offset) }
      for index in 0..<4 {
        text.append(index <= group.count ? digits[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
