import SecretMemory

/// Input lines that are stored until they can be processed. They may contain passwords.
struct HeldLines: ~Copyable {
  private var bytes = SecretBytes()
  private var lines: [(end: Int, isWhole: Bool)] = []

  var byteCount: Int { bytes.count }

  mutating func append(_ line: LineBuffer.Line) {
    switch line {
    case .whole(let text):
      bytes.append(text)
      lines.append((bytes.count, true))
    case .tooLong(let start), .unterminated(let start):
      bytes.append(start)
      lines.append((bytes.count, false))
    }
  }

  borrowing func forEach(_ body: (LineBuffer.Line) -> Void) {
    bytes.withBytes { all in
      var start = 0
      for line in lines {
        let text = UnsafeRawBufferPointer(rebasing: all[start..<line.end])
        body(line.isWhole ? .whole(text) : .tooLong(prefix: text))
        start = line.end
      }
    }
  }
}
