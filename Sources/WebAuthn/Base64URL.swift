/// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5), as WebAuthn's JSON
/// uses it for bytes.
public enum Base64URL {
  private static let letters: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

  public static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    letters.withUTF8Buffer { letters in
      var (bits, count) = (UInt32(0), UInt32(0))
      for byte in bytes {
        bits = (bits & 0x3F) << 8 | UInt32(byte)
        count += 8
        while count >= 6 {
          count -= 6
          text.append(letters[Int(bits >> count & 0x3F)])
        }
      }
      if count > 0 { text.append(letters[Int(bits << (6 - count) & 0x3F)]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes a text. Returns nil if `encode` would not produce it.
  public static func decode(_ text: String) -> [UInt8]? {
    guard text.utf8.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 3 / 4)
    var (bits, count) = (UInt32(0), UInt32(0))
    for letter in text.utf8 {
      guard let value = value(letter) else { return nil }
      bits = (bits & 0xFF) << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    // The encoding is unique: the unused bits of the last letter must be zero.
    return bits & ((1 << count) - 1) == 0 ? bytes : nil
  }

  private static func value(_ letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter) + 4
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
