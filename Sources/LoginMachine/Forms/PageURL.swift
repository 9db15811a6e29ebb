/// The syntax of URLs in `link` items: web pages and email addresses, but nothing that a view would
/// execute.
///
/// A URL of RFC 3986 with the lower-case scheme `https`, `http` or `mailto`. A web URL has a host
/// and no user information, which could disguise the host.
public enum PageURL {
  /// The maximum length, in bytes.
  public static let maximumBytes = 2048

  /// Whether `text` is a valid URL for a `link` item.
  public static func isPageURL(_ text: some Collection<UInt8>) -> Bool {
    guard text.count <= maximumBytes else { return false }
    if let address = rest(of: text, after: "mailto:") { return !address.isEmpty && isWritten(address, also: ":@/?#") }
    guard let rest = rest(of: text, after: "https://") ?? rest(of: text, after: "http://") else { return false }
    let end = rest.firstIndex { isOne($0, of: "/?#") } ?? rest.endIndex
    return end > rest.startIndex && isWritten(rest[..<end], also: ":[]") && isWritten(rest[end...], also: ":@/?#")
  }

  private static func rest<Text: Collection<UInt8>>(of text: Text, after scheme: String) -> Text.SubSequence? {
    text.starts(with: scheme.utf8) ? text.dropFirst(scheme.utf8.count) : nil
  }

  /// Whether all characters of `part` are unreserved characters, sub-delimiters or the given
  /// delimiters, or belong to complete percent-encoded bytes.
  private static func isWritten(_ part: some Collection<UInt8>, also delimiters: StaticString) -> Bool {
    var digitsToCome = 0
    for byte in part {
      if digitsToCome > 0 {
        guard isHexadecimal(byte) else { return false }
        digitsToCome -= 1
      } else if byte == UInt8(ascii: "%") {
        digitsToCome = 2
      } else {
        guard isLetterOrDigit(byte) || isOne(byte, of: "-._~!$&'()*+,;=") || isOne(byte, of: delimiters) else {
          return false
        }
      }
    }
    return digitsToCome == 0
  }

  private static func isOne(_ byte: UInt8, of characters: StaticString) -> Bool {
    characters.withUTF8Buffer { $0.contains(byte) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }
}
