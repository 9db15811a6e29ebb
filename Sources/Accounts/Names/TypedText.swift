import CAccountLibraries

/// What a person types as a name or an address, read as the person means it.
///
/// What keyboards, clipboards and other programs add without showing it does not count: blanks at the ends, line ends, and signs that nothing shows. Compatibility
/// forms, such as letters of double width, are the letters that they stand for, and so are the apostrophe and the hyphens that phones write. Secrets are read by `TypedCode` and `PasswordText`.
package enum TypedText {
  /// The longest text that is read, in bytes. What is longer still is too long once it is read.
  static let maximumBytes = 8 * AccountValues.maximumBytes

  /// The scalars that are meant, of a text that is not empty and can be stored.
  static func read(_ typed: String) throws(ValueProblem) -> [Unicode.Scalar] {
    guard typed.utf8.count <= maximumBytes, !typed.utf8.contains(0) else { throw .unusable }
    let scalars = scalars(typed)
    guard !scalars.isEmpty else { throw .missing }
    return scalars
  }

  /// The scalars that are meant. Those that Unicode 15 calls default-ignorable and those of the category Cf are left out, but for joiners where RFC 5892 allows
  /// them; each other is its compatibility decomposition (NFKC), unless that shows a blank where there is none. Blanks inside are U+0020. Nothing is composed.
  package static func scalars(_ typed: String) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    for scalar in typed.unicodeScalars {
      if scalar.isASCII, scalar.value > 0x20, scalar.value < 0x7F {
        scalars.append(scalar)
      } else if isBlank(scalar) {
        // A field of one line has no line ends, so that no view shows one inside of a text.
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

  /// Whether nothing but room is shown: white space of any kind, or the Braille pattern without dots.
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

  /// Whether nothing is shown for the scalar: zero width, byte order mark, soft hyphen, marks of direction, variation selectors, fillers, what
  /// stands for an object that was pasted, and the like. Control characters are more than that: a paste at a terminal may bring them with other text.
  static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .format: !isNumberSign(scalar)
    default: scalar == "\u{FFFC}" || scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether the scalar is of the category Cf and shown all the same: a sign around the number that follows (Unicode's Prepended_Concatenation_Mark).
  private static func isNumberSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  /// The apostrophe and the hyphen of keyboards that write others for them.
  private static func ofKeyboard(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "\u{2019}": "'"
    case "\u{2010}", "\u{2011}": "-"
    default: scalar
    }
  }

  /// The compatibility decomposition, whose parts are not composed; the scalar itself if that begins with a blank, as that of a spacing accent does.
  static func plain(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    let property = utf8proc_get_property(utf8proc_int32_t(bitPattern: scalar.value))
    // Canonical decompositions, whose type is 0, are left to the comparable form.
    guard let property, property.pointee.decomp_type != 0 else { return [scalar] }
    return withUnsafeTemporaryAllocation(of: utf8proc_int32_t.self, capacity: 32) { parts in
      let options = utf8proc_option_t(rawValue: UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue)
      let count = utf8proc_decompose_char(
        utf8proc_int32_t(bitPattern: scalar.value), parts.baseAddress, parts.count, options, nil)
      guard count > 0, count <= parts.count, parts[0] != 0x20 else { return [scalar] }
      return parts[..<count].compactMap { Unicode.Scalar(UInt32(bitPattern: $0)) }
    }
  }

  /// Joiners stand only where they change what is shown (RFC 5892, appendices A.1 and A.2), and one is as good as several.
  private static func withoutIdleJoiners(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard scalars.contains(where: isJoiner) else { return scalars }
    var single: [Unicode.Scalar] = []
    for scalar in scalars where !isJoiner(scalar) || !(single.last.map(isJoiner) ?? true) { single.append(scalar) }
    return single.indices.filter { !isJoiner(single[$0]) || ContextRules.allows(single, at: $0) }.map { single[$0] }
  }
}
