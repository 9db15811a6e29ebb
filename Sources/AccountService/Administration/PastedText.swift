import SecretMemory

/// Removal of the marks of bracketed paste (xterm's control sequences), which a terminal sends if a
/// previous program left that mode on.
enum PastedText {
  /// Returns the line without the marks. A paste may span lines, so a mark may occur without its
  /// counterpart.
  static func withoutMarks(_ line: UnsafeRawBufferPointer) -> SecretBytes {
    var text = SecretBytes()
    var rest = line[...]
    while let byte = rest.first {
      if marks.contains(where: { rest.starts(with: $0) }) {
        rest = rest.dropFirst(6)
      } else {
        text.append(byte: byte)
        rest = rest.dropFirst()
      }
    }
    return text
  }

  /// ESC [ 2 0 0 ~ and ESC [ 2 0 1 ~.
  private static let marks: [[UInt8]] = [[0x1B, 0x5B, 0x32, 0x30, 0x30, 0x7E], [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]]
}
