package import SecretMemory

/// Typed codes, reduced to what the user meant: one-time codes, mailed codes and recovery codes.
///
/// Blanks, line ends, dashes of every script and invisible characters are ignored. Digits of every
/// script, and compatibility forms of letters and digits such as full-width ones, are converted to
/// ASCII.
package enum TypedCode {
  /// Returns the digits of a code in ASCII. Nil if the text cannot be a code with `count` digits.
  package static func digits(_ typed: UnsafeRawBufferPointer, count: Int) -> SecretBytes? {
    read(typed, count: count) { isDigit($0) ? $0 : nil }
  }

  /// Returns a code as `CodeAlphabet` generates them. Nil if the text cannot be a code of this
  /// length.
  package static func letters(_ typed: UnsafeRawBufferPointer, count: Int) -> SecretBytes? {
    read(typed, count: count, CodeAlphabet.letter)
  }

  private static func read(
    _ typed: UnsafeRawBufferPointer, count: Int, _ character: (UInt8) -> UInt8?
  ) -> SecretBytes? {
    var code = SecretBytes()
    var (decoder, bytes) = (UTF8(), typed.makeIterator())
    reading: while true {
      switch decoder.decode(&bytes) {
      case .error: return nil
      case .emptyInput: break reading
      case .scalarValue(let scalar):
        if isSeparator(scalar) { continue }
        guard code.count < count, let sign = ascii(scalar).flatMap(character) else { return nil }
        code.append(byte: sign)
      }
    }
    guard code.count == count else { return nil }
    return code
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar == "-" || TypedText.isBlank(scalar) }
    switch scalar {
    // The characters that Japanese keyboards type with the hyphen key, in both widths, and the
    // hyphen bullet.
    case "\u{30FC}", "\u{FF70}", "\u{2043}": return true
    default: break
    }
    return TypedText.isBlank(scalar) || TypedText.isInvisible(scalar) || scalar.properties.isDash
      || scalar.properties.generalCategory == .dashPunctuation
  }

  /// Returns the ASCII letter or digit that corresponds to the scalar.
  private static func ascii(_ scalar: Unicode.Scalar) -> UInt8? {
    if scalar.isASCII { return UInt8(ascii: scalar) }
    switch scalar.properties.numericType {
    case .decimal?, .digit?:
      guard let value = scalar.properties.numericValue, (0...9).contains(value) else { return nil }
      return UInt8(ascii: "0") + UInt8(value)
    default:
      let parts = TypedText.plain(scalar)
      return parts.count == 1 && parts[0].isASCII ? UInt8(ascii: parts[0]) : nil
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
