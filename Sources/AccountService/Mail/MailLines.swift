/// The lines of a mail's text.
package enum MailLines {
  /// The longest line in bytes, without what placeholders stand for. RFC 5322 (2.1.1) allows 998.
  private static let longest = 900
  /// From how many bytes on a line ends at a space.
  private static let long = 800

  /// The text with its long lines broken, at spaces where there are any.
  package static func broken(_ text: String) -> String {
    var broken = String.UnicodeScalarView()
    var length = 0
    for scalar in text.unicodeScalars {
      let width = UTF8.width(scalar)
      if scalar == "\n" {
        length = 0
      } else if length > long && scalar == " " {
        broken.append("\n")
        length = 0
        continue
      } else if length + width > longest {
        broken.append("\n")
        length = width
      } else {
        length += width
      }
      broken.append(scalar)
    }
    return String(broken)
  }
}
