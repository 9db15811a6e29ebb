/// Texts whose script runs from right to left. Putting their letters in order is the terminal's task, which only some terminals do; the view keeps to the order
/// in which a text is read, and lays the rows out from the right.
enum Direction {
  /// A mark without width, next to which punctuation at the end of a text stays on the left of the text.
  private static let mark = "\u{200F}"
  /// With this at its beginning, a row stays as it was laid out in a terminal that works out the direction of each row.
  static let rowMark = "\u{200E}"

  /// The text with marks at its ends, if it has letters that run from right to left.
  static func marking(_ text: String) -> String {
    text.unicodeScalars.contains(where: isRightToLeft) ? mark + text + mark : text
  }

  /// Whether the first letter runs from right to left.
  static func beginsFromRight(_ text: String) -> Bool {
    text.unicodeScalars.first { $0.properties.isAlphabetic }.map(isRightToLeft) ?? false
  }

  /// The blocks of Hebrew, Arabic and the scripts beside them (classes R and AL of UAX 9).
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }
}
