/// The part of an address after the `@`, in the form used by the DNS and mail servers.
enum DomainName {
  /// The maximum number of octets (RFC 1035, section 2.3.4, without the length octets of the wire
  /// format).
  private static let maximumCount = 253
  private static let maximumLabelCount = 63

  /// Returns the domain with A-labels in lower case, or nil if it is not a host name.
  /// `bücher.example` and `xn--bcher-kva.example` both give `xn--bcher-kva.example`.
  ///
  /// Letters are mapped as in UTS #46 with non-transitional processing, so that `ß`, `ς` and
  /// joiners stay, as in IDNA2008 (RFC 5891). Besides letters and digits, emoji are accepted,
  /// because some registries still offer such names. A-labels are accepted as they are, without
  /// decoding them.
  static func ascii(_ scalars: some Collection<Unicode.Scalar>) -> String? {
    var labels: [String] = []
    for label in scalars.split(omittingEmptySubsequences: false, whereSeparator: isDot) {
      guard let label = aLabel(Array(label)) else { return nil }
      labels.append(label)
    }
    let name = labels.joined(separator: ".")
    return name.utf8.count <= maximumCount ? name : nil
  }

  /// The full stops between labels (RFC 5895, section 2). Full-width and half-width forms have
  /// already been replaced by their compatibility mappings.
  static func isDot(_ scalar: Unicode.Scalar) -> Bool { scalar == "." || scalar == "\u{3002}" }

  private static func aLabel(_ typed: [Unicode.Scalar]) -> String? {
    guard let scalars = mapped(typed), let first = scalars.first, let last = scalars.last, first != "-", last != "-"
    else { return nil }
    guard !scalars.allSatisfy(\.isASCII) else {
      let isHost = scalars.allSatisfy { isLetterOrDigit($0) || $0 == "-" }
      return isHost && scalars.count <= maximumLabelCount ? TypedText.text(scalars) : nil
    }
    guard !isMark(first), !scalars.dropFirst(2).starts(with: ["-", "-"]),
      scalars.indices.allSatisfy({ allows(scalars, at: $0) }), let code = Punycode.encode(scalars)
    else { return nil }
    return code.utf8.count + 4 <= maximumLabelCount ? "xn--" + code : nil
  }

  /// The label in lower case and composed.
  private static func mapped(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar]? {
    var mapped = String.UnicodeScalarView()
    for scalar in scalars {
      switch scalar {
      case "\u{DF}", "\u{3C2}", "\u{200C}", "\u{200D}": mapped.append(scalar)
      case "\u{1E9E}": mapped.append("\u{DF}")
      default:
        guard let folded = Folding.fold(String(scalar)) else { return nil }
        for part in folded.unicodeScalars { mapped += TypedText.plain(part) }
      }
    }
    return Folding.composed(String(mapped)).map { Array($0.unicodeScalars) }
  }

  private static func allows(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    let scalar = scalars[index]
    if scalar.isASCII { return isLetterOrDigit(scalar) || scalar == "-" }
    if ContextRules.hasRule(scalar) { return ContextRules.allows(scalars, at: index) }
    switch scalar.properties.generalCategory {
    case .otherSymbol: return scalar.properties.isEmoji
    case .modifierSymbol: return scalar.properties.isEmojiModifier
    default: return UserNameRules.isLetterOrDigit(scalar) && ContextRules.allows(scalars, at: index)
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "0"..."9": true
    default: false
    }
  }
}
