import SecretMemory

/// Lines of the view that are held back while later lines are handled first. The later lines
/// contain responses of the frontend.
struct HeldLines {
  /// How a line ended.
  private enum Kind {
    case whole, tooLong, unterminated
  }

  /// The number of bytes at which no further lines are held. Further lines stay in the buffer into
  /// which they were read.
  static var limit: Int { 1 << 20 }

  private var lines: ArraySlice<(kind: Kind, bytes: SecretLine)> = []
  private var bytes = 0

  var isEmpty: Bool { lines.isEmpty }
  var isFull: Bool { bytes >= HeldLines.limit }

  mutating func append(_ line: LineBuffer.Line) {
    let (kind, text): (Kind, UnsafeRawBufferPointer) =
      switch line {
      case .whole(let bytes): (.whole, bytes)
      case .tooLong(let prefix): (.tooLong, prefix)
      case .unterminated(let bytes): (.unterminated, bytes)
      }
    bytes += text.count
    lines.append((kind, SecretLine(copying: text)))
  }

  /// Takes the first line, which is valid as long as its owner is alive.
  mutating func removeFirst() -> (line: LineBuffer.Line, owner: SecretLine)? {
    guard let first = lines.popFirst() else { return nil }
    bytes -= first.bytes.count
    if lines.isEmpty { lines = [] }
    let line: LineBuffer.Line = first.bytes.withBytes { bytes in
      switch first.kind {
      case .whole: .whole(bytes)
      case .tooLong: .tooLong(prefix: bytes)
      case .unterminated: .unterminated(bytes)
      }
    }
    return (line, first.bytes)
  }
}
