/// Line breaking for a mail's text.
package enum MailLines {
  /// The maximum length of a line in bytes, before placeholders are replaced. RFC 5322 (2.1.1)
  /// allows 998.
  private static let longest = 900
  /// The length in bytes after which a line is broken at the next space.
  private static let long = 800

  /// Returns the text with its long lines broken, at spaces where possible.
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
