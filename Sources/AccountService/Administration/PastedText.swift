import SecretMemory

/// What a terminal says of a text that was pasted, if the program before has left it in the mode of bracketed paste (xterm's control sequences).
enum PastedText {
  /// The line without the marks before and after what was pasted. A paste can be of several lines, so that each mark stands alone.
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
