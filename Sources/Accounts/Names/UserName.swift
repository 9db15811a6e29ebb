import CAccountLibraries

/// A user name as typed by a user.
package struct UserName: Equatable, Sendable {
  /// The name as typed, cleaned up by `TypedText`.
  package let text: String
  /// The key of the name, equal for all of its spellings.
  package let key: NameKey

  package init(_ typed: String) throws(ValueProblem) {
    let scalars = try TypedText.read(typed)
    text = TypedText.text(scalars)
    guard text.utf8.count <= AccountValues.maximumBytes else { throw .unusable }
    guard let folded = Folding.fold(text), let composed = Folding.composed(text),
      UserNameRules.allow(Array(composed.unicodeScalars))
    else { throw .invalid }
    guard folded.utf8.count <= AccountValues.maximumBytes else { throw .unusable }
    key = NameKey(text: folded)
  }
}

/// The characters allowed in a user name: the profile UsernameCaseMapped of RFC 8265, section 3.3,
/// without `@`, because a user name with `@` would look like an email address. The IdentifierClass
/// of RFC 8264, section 4.2, is extended by emoji. Words may be separated by spaces.
enum UserNameRules {
  /// - Parameter scalars: In NFC, without blanks at the ends.
  static func allow(_ scalars: [Unicode.Scalar]) -> Bool {
    guard let first = scalars.first, !isMark(first) else { return false }
    return scalars.indices.allSatisfy { allow(scalars, at: $0) } && BidiRule.allows(scalars)
  }

  private static func allow(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    let scalar = scalars[index]
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value < 0x7F && scalar != "@" }
    if ContextRules.hasRule(scalar) { return ContextRules.allows(scalars, at: index) }
    if scalar.properties.isEmoji { return true }
    return isLetterOrDigit(scalar) && ContextRules.allows(scalars, at: index)
  }

  /// Whether a character beyond ASCII is in the categories LetterDigits (RFC 8264, section 9.1) or
  /// Exceptions (9.6), and not in OldHangulJamo (9.9).
  static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{6FD}", "\u{6FE}", "\u{F0B}", "\u{3007}": return true
    case "\u{640}", "\u{7FA}", "\u{302E}", "\u{302F}", "\u{3031}"..."\u{3035}", "\u{303B}": return false
    case "\u{1100}"..."\u{11FF}", "\u{A960}"..."\u{A97C}", "\u{D7B0}"..."\u{D7FB}": return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .nonspacingMark,
      .spacingMark:
      return !TypedText.isInvisible(scalar)
    default: return false
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}

/// The rule for words that are written from right to left: their order on a screen must be
/// unambiguous (RFC 5893, section 2, rules 1 to 4). Words of digits alone are not checked.
private enum BidiRule {
  static func allows(_ scalars: [Unicode.Scalar]) -> Bool {
    scalars.split(separator: " ").allSatisfy { word in
      let classes = word.map(bidiClass)
      return !classes.contains(where: isRightToLeft) || allowsRightToLeft(classes)
    }
  }

  private static func allowsRightToLeft(_ classes: [utf8proc_bidi_class_t]) -> Bool {
    guard let first = classes.first, isRightToLeft(first),
      let last = classes.last(where: { $0 != UTF8PROC_BIDI_CLASS_NSM })
    else { return false }
    func has(_ one: utf8proc_bidi_class_t) -> Bool { classes.contains { $0 == one } }
    return classes.allSatisfy { isRightToLeft($0) || isNumber($0) || isNeutral($0) }
      && (isRightToLeft(last) || isNumber(last)) && !(has(UTF8PROC_BIDI_CLASS_EN) && has(UTF8PROC_BIDI_CLASS_AN))
  }

  private static func isRightToLeft(_ one: utf8proc_bidi_class_t) -> Bool {
    one == UTF8PROC_BIDI_CLASS_R || one == UTF8PROC_BIDI_CLASS_AL
  }

  private static func isNumber(_ one: utf8proc_bidi_class_t) -> Bool {
    one == UTF8PROC_BIDI_CLASS_EN || one == UTF8PROC_BIDI_CLASS_AN
  }

  private static func isNeutral(_ one: utf8proc_bidi_class_t) -> Bool {
    switch one {
    case UTF8PROC_BIDI_CLASS_ES, UTF8PROC_BIDI_CLASS_ET, UTF8PROC_BIDI_CLASS_CS, UTF8PROC_BIDI_CLASS_NSM,
      UTF8PROC_BIDI_CLASS_BN, UTF8PROC_BIDI_CLASS_ON:
      true
    default: false
    }
  }

  private static func bidiClass(_ scalar: Unicode.Scalar) -> utf8proc_bidi_class_t {
    let property = utf8proc_get_property(utf8proc_int32_t(bitPattern: scalar.value))
    return utf8proc_bidi_class_t(rawValue: UInt32(property?.pointee.bidi_class ?? 0))
  }
}
