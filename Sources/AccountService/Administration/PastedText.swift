import SecretMemory

/// Removes the control sequences with which a terminal in the bracketed paste mode of xterm marks
/// pasted text. The terminal may be in this mode because an earlier program left it on.
enum PastedText {
  /// Returns the line without the control sequences that mark the start and the end of a paste. A
  /// paste may span several lines, so a line may contain only one of the two.
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

  /// The control sequences at the start of a paste (ESC [ 2 0 0 ~) and at its end (ESC [ 2 0 1 ~).
  private static let marks: [[UInt8]] = [[0x1B, 0x5B, 0x32, 0x30, 0x30, 0x7E], [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]]
}
