/// The rules for addresses that can receive mail. The store accepts no other addresses, because a
/// code for a new password could never reach them.
public enum Mailbox {
  /// Whether an address can be used in a mail header and as an argument of a command, and means
  /// exactly one mailbox in both.
  ///
  /// The part before the last `@` may contain the characters that browsers accept for `input
  /// type=email`, and also letters and emoji beyond ASCII. It must not begin with `|` or `/`, which
  /// some programs take for a pipe or a file. The part after it is a host name. Whether mail is
  /// delivered there is not checked.
  public static func isUsable(_ address: String) -> Bool {
    let scalars = address.unicodeScalars
    guard let at = scalars.lastIndex(of: "@"), let first = scalars.first else { return false }
    let local = scalars[..<at]
    guard !local.isEmpty, first != "|", first != "/" else { return false }
    return local.allSatisfy { isWord($0) || ".!#$%&'*+/=?^_`{|}~".unicodeScalars.contains($0) }
      && isHost(scalars[scalars.index(after: at)...])
  }

  /// Labels of letters, digits and hyphens between dots. A hyphen is neither first nor last in a
  /// label.
  private static func isHost(_ host: Substring.UnicodeScalarView) -> Bool {
    host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      !label.isEmpty && label.first != "-" && label.last != "-" && label.allSatisfy { isWord($0) }
    }
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-": true
    default: !scalar.isASCII && isLetter(scalar)
    }
  }

  /// A letter, mark or digit beyond ASCII, an emoji, or a joiner between those.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isEmoji || TypedText.isJoiner(scalar) { return true }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .decimalNumber:
      !TypedText.isInvisible(scalar)
    default: false
    }
  }
}
