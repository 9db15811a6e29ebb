/// Support for right-to-left scripts. The terminal, not the view, reorders letters, and only some
/// terminals do; the view writes text in reading order and lays rows out from the right.
enum Direction {
  /// RIGHT-TO-LEFT MARK. Next to it, punctuation at the end of a text stays on the left of the
  /// text.
  private static let mark = "\u{200F}"
  /// LEFT-TO-RIGHT MARK. At the beginning of a row, it keeps the row's layout in terminals that
  /// determine the direction of each row.
  static let rowMark = "\u{200E}"

  /// The text between two right-to-left marks if it has right-to-left letters; otherwise the
  /// unchanged text.
  static func marking(_ text: String) -> String {
    text.unicodeScalars.contains(where: isRightToLeft) ? mark + text + mark : text
  }

  /// Whether the first letter of the text belongs to a right-to-left script.
  static func beginsFromRight(_ text: String) -> Bool {
    text.unicodeScalars.first { $0.properties.isAlphabetic }.map(isRightToLeft) ?? false
  }

  /// Whether the character is in the blocks of Hebrew, Arabic and related scripts (classes R and AL
  /// of UAX 9).
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }
}
