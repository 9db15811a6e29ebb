public import SecretMemory

/// Base32 of RFC 4648, section 6, without padding: the form in which secrets of one-time codes are
/// shown to users and written in URIs.
public enum Base32 {
  private static let letters: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

  public static func encode(_ bytes: UnsafeRawBufferPointer) -> SecretBytes {
    var text = SecretBytes()
    letters.withUTF8Buffer { letters in
      var (bits, count) = (UInt32(0), 0)
      for byte in bytes {
        bits = bits << 8 | UInt32(byte)
        count += 8
        while count >= 5 {
          count -= 5
          text.append(byte: letters[Int(bits >> UInt32(count) & 31)])
        }
        bits &= 31
      }
      if count > 0 { text.append(byte: letters[Int(bits << UInt32(5 - count) & 31)]) }
    }
    return text
  }
}
