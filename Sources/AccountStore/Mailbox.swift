/// Which addresses can be mailed to. No other is taken for an account: a code for a new password could never reach it.
public enum Mailbox {
  /// Whether an address can stand in a mail's header and among a command's words as it is, and means one mailbox there: before
  /// the last `@` only what browsers take for `input type=email`, or letters beyond ASCII, and not first what some
  /// programs take for a file or a command; after it a host's name. Whether mail arrives there is not looked at.
  public static func isUsable(_ address: String) -> Bool {
    let scalars = address.unicodeScalars
    guard let at = scalars.lastIndex(of: "@"), let first = scalars.first else { return false }
    let local = scalars[..<at]
    guard !local.isEmpty, first != "|", first != "/" else { return false }
    return local.allSatisfy { isWord($0) || ".!#$%&'*+/=?^_`{|}~".unicodeScalars.contains($0) }
      && isHost(scalars[scalars.index(after: at)...])
  }

  /// Labels of letters, digits and hyphens between dots; a hyphen neither first nor last.
  private static func isHost(_ host: Substring.UnicodeScalarView) -> Bool {
    host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      !label.isEmpty && label.first != "-" && label.last != "-" && label.allSatisfy { isWord($0) }
    }
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-": true
    default: scalar.value >= 0xA0 && !Folding.isInvisible(scalar)
    }
  }
}
