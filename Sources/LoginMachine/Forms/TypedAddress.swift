/// A parser for email addresses that are typed with blanks or non-ASCII characters. It is used for
/// validation while the user types.
///
/// This parser is lenient: the authenticator gets the text as typed and decides which address is
/// meant. The account service decides with `EmailAddress` in the `Accounts` module.
struct TypedAddress {
  private enum Part { case local, label }

  private var part = Part.local
  /// The number of characters in the current local part or label, and whether the last one is a
  /// hyphen.
  private var (count, endsInHyphen) = (0, false)

  /// Whether `text` is an address. Surrounding blanks, line ends and invisible characters are
  /// ignored; labels may have letters, digits and symbols.
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

  /// The ASCII form of a scalar, such as a full-width letter. If the scalar is equivalent to the
  /// full stop between labels (RFC 5895), a full stop. Otherwise the scalar itself.
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

  /// Whether a scalar is known to be visible without a look-up in Unicode tables. ASCII and Latin
  /// letters are the most common scalars; of these, only the soft hyphen is invisible.
  private static func isCertainlyVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x21...0x7E, 0xA1...0xAC, 0xAE...0x24F: true
    default: false
    }
  }

  /// Whether a scalar is white space of any kind, or the empty Braille pattern.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar == "\u{2800}"
  }

  /// Whether a scalar ends a line, which a single-line field does not show.
  private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  /// Whether a scalar is invisible: zero width, byte order mark, soft hyphen, directional mark,
  /// joiner, variation selector, object replacement character and the like.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{FFFC}" || scalar.properties.isDefaultIgnorableCodePoint
      || scalar.properties.generalCategory == .format
  }
}
