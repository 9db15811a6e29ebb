import CAccountLibraries

/// Typed names and addresses, reduced to what the user meant.
///
/// Characters that keyboards, clipboards and other programs add invisibly are removed: blanks at
/// the ends, line ends and invisible characters. Compatibility forms, such as full-width letters,
/// are replaced by the letters they stand for, and so are the apostrophe and the hyphens that
/// phones type. Secrets are read by `TypedCode` and `PasswordText` instead.
package enum TypedText {
  /// The maximum length of a typed text in bytes. Even after the clean-up, a longer text would be
  /// too long.
  static let maximumBytes = 8 * AccountValues.maximumBytes

  /// Returns the cleaned-up scalars of a text, which must not be empty afterwards.
  static func read(_ typed: String) throws(ValueProblem) -> [Unicode.Scalar] {
    guard typed.utf8.count <= maximumBytes, !typed.utf8.contains(0) else { throw .unusable }
    let scalars = scalars(typed)
    guard !scalars.isEmpty else { throw .missing }
    return scalars
  }

  /// Returns the cleaned-up scalars of a text.
  ///
  /// Removes the scalars that Unicode 15 calls default-ignorable and those of category Cf, except
  /// joiners where RFC 5892 allows them. Replaces every other scalar by its compatibility
  /// decomposition (NFKC), unless that adds a visible blank. Blanks inside become U+0020. Nothing
  /// is composed.
  package static func scalars(_ typed: String) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    for scalar in typed.unicodeScalars {
      if scalar.isASCII, scalar.value > 0x20, scalar.value < 0x7F {
        scalars.append(scalar)
      } else if isBlank(scalar) {
        // Line ends are removed, because a one-line field has none in any view.
        if !isLineEnd(scalar) { scalars.append(" ") }
      } else if isJoiner(scalar) {
        scalars.append(scalar)
      } else if !isInvisible(scalar) {
        scalars += plain(ofKeyboard(scalar))
      }
    }
    let meant = withoutIdleJoiners(scalars)
    guard let start = meant.firstIndex(where: { $0 != " " }), let end = meant.lastIndex(where: { $0 != " " }) else {
      return []
    }
    return Array(meant[start...end])
  }

  package static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  /// Whether the scalar is displayed as blank space: white space of any kind, or the Braille
  /// pattern without dots.
  static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar == "\u{2800}"
  }

  private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  /// ZERO WIDTH NON-JOINER and ZERO WIDTH JOINER, which some scripts need.
  static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{200C}" || scalar == "\u{200D}" }

  /// Whether the scalar is invisible: zero width, byte order mark, soft hyphen, direction marks,
  /// variation selectors, fillers, the placeholder of a pasted object and so on.
  ///
  /// Control characters do not count as invisible: a paste at a terminal may bring them together
  /// with other text.
  static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .format: !isNumberSign(scalar)
    default: scalar == "\u{FFFC}" || scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether the scalar is of category Cf but visible: a sign around the number that follows
  /// (Unicode's Prepended_Concatenation_Mark).
  private static func isNumberSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  /// Replaces the typographic apostrophe and hyphens that some keyboards type.
  private static func ofKeyboard(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "\u{2019}": "'"
    case "\u{2010}", "\u{2011}": "-"
    default: scalar
    }
  }

  /// Returns the compatibility decomposition of a scalar, not composed. Returns the scalar itself
  /// if the decomposition begins with a blank. For example, the decomposition of a spacing accent
  /// does.
  static func plain(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    let property = utf8proc_get_property(utf8proc_int32_t(bitPattern: scalar.value))
    // Canonical decompositions, whose type is 0, are left to `Folding`.
    guard let property, property.pointee.decomp_type != 0 else { return [scalar] }
    return withUnsafeTemporaryAllocation(of: utf8proc_int32_t.self, capacity: 32) { parts in
      let options = utf8proc_option_t(rawValue: UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue)
      let count = utf8proc_decompose_char(
        utf8proc_int32_t(bitPattern: scalar.value), parts.baseAddress, parts.count, options, nil)
      guard count > 0, count <= parts.count, parts[0] != 0x20 else { return [scalar] }
      return parts[..<count].compactMap { Unicode.Scalar(UInt32(bitPattern: $0)) }
    }
  }

  /// Removes joiners (RFC 5892, appendices A.1 and A.2) that do not change what is displayed. Of
  /// several joiners in a row, at most one is kept.
  private static func withoutIdleJoiners(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard scalars.contains(where: isJoiner) else { return scalars }
    var single: [Unicode.Scalar] = []
    for scalar in scalars where !isJoiner(scalar) || !(single.last.map(isJoiner) ?? true) { single.append(scalar) }
    return single.indices.filter { !isJoiner(single[$0]) || ContextRules.allows(single, at: $0) }.map { single[$0] }
  }
}
