/// An address with more than ASCII in it, or with blanks, as it is judged while somebody types.
///
/// This only tolerates. An authenticator gets what was typed, and decides which address that is; the accounts read it as `EmailAddress` does there.
struct TypedAddress {
  private enum Part { case local, label }

  private var part = Part.local
  /// How many characters the local part or the label has so far, and whether the last one is a hyphen.
  private var (count, endsInHyphen) = (0, false)

  /// Whether blanks at the ends, ends of lines and what nothing is shown for stand around and in an address whose labels have letters, digits and symbols.
  static func isAddress(_ text: Span<UInt8>) -> Bool {
    var (address, index) = (TypedAddress(), 0)
    var (hasBegun, hasEnded) = (false, false)
    while index < text.count {
      guard let scalar = scalar(of: text, at: &index) else { return false }
      if !isCertainlyVisible(scalar) {
        if isLineEnd(scalar) || isInvisible(scalar) { continue }
        if isBlank(scalar) {
          hasEnded = hasBegun
          continue
        }
      }
      guard !hasEnded, address.take(ascii(scalar)) else { return false }
      hasBegun = true
    }
    return address.isWhole
  }

  private var isWhole: Bool { part == .label && isWholeLabel }
  private var isWholeLabel: Bool { count > 0 && !endsInHyphen }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    switch (part, scalar) {
    case (.local, "@"):
      guard count > 0 else { return false }
      (part, count) = (.label, 0)
    case (.local, _):
      guard scalar.isASCII, isLocalPartByte(UInt8(truncatingIfNeeded: scalar.value)) else { return false }
      count += 1
    case (.label, "."):
      guard isWholeLabel else { return false }
      count = 0
    case (.label, _):
      guard scalar != "-" || count > 0, Self.isInLabel(scalar), count < 63 else { return false }
      count += 1
      endsInHyphen = scalar == "-"
    }
    return true
  }

  private static func isInLabel(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-": return true
    // Signs between letters of Catalan, Greek, Hebrew and Japanese (RFC 5892, appendix A).
    case "\u{B7}", "\u{375}", "\u{5F3}", "\u{5F4}", "\u{30FB}", "\u{FF65}": return true
    case "\0"..."\u{7F}": return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .decimalNumber, .letterNumber, .otherNumber, .otherSymbol:
      return true
    case .modifierSymbol: return scalar.properties.isEmojiModifier
    default: return false
    }
  }

  /// The character of ASCII of which the scalar is another form, such as the wide one or that of phones, and a full stop for what stands for one between labels
  /// (RFC 5895); else the scalar itself.
  private static func ascii(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "\u{FF01}"..."\u{FF5E}": Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value &- 0xFEE0))
    case "\u{FE6B}": "@"
    case "\u{3002}", "\u{FF61}", "\u{2024}", "\u{FE52}": "."
    case "\u{2010}", "\u{2011}", "\u{FE63}": "-"
    case "\u{2019}": "'"
    default: scalar
    }
  }

  /// ASCII and the Latin letters, which are typed most, need none of Unicode's tables: among them only the soft hyphen is invisible.
  private static func isCertainlyVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x21...0x7E, 0xA1...0xAC, 0xAE...0x24F: true
    default: false
    }
  }

  /// Room without a sign: white space of any kind, or the Braille pattern without dots.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar == "\u{2800}"
  }

  /// A field of one line shows no end of a line.
  private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  /// Zero width, byte order mark, soft hyphen, marks of direction, joiners, variation selectors, what stands for an object that was pasted, and the like.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{FFFC}" || scalar.properties.isDefaultIgnorableCodePoint
      || scalar.properties.generalCategory == .format
  }
}
