import SecretMemory

/// The alphabet of codes that users read in one place and type in another: Crockford's base32,
/// which has no letters that look like digits.
enum CodeAlphabet {
  private static let letters: StaticString = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
  /// The number of characters that are taken from one random number.
  private static let charactersPerDraw = 12

  /// Generates a code with five random bits per character, without separators, from the system's
  /// random number generator.
  static func fresh(length: Int) -> SecretBytes {
    var generator = SystemRandomNumberGenerator()
    var random: UInt64 = 0
    var code = SecretBytes()
    letters.withUTF8Buffer { letters in
      for index in 0..<length {
        if index % charactersPerDraw == 0 { random = generator.next() }
        code.append(byte: letters[Int(random & 31)])
        random >>= 5
      }
    }
    return code
  }

  /// Returns the letter of the alphabet for a typed one: lower case becomes upper case, O becomes
  /// 0, I and L become 1. Nil if it is not in the alphabet.
  static func letter(_ byte: UInt8) -> UInt8? {
    let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    let upper = isLower ? byte - 32 : byte
    switch upper {
    case UInt8(ascii: "O"): return UInt8(ascii: "0")
    case UInt8(ascii: "I"), UInt8(ascii: "L"): return UInt8(ascii: "1")
    default: return letters.withUTF8Buffer { $0.contains(upper) } ? upper : nil
    }
  }
}
