import Glibc
import SecretMemory
import System

/// Reads the codes that a user types: from a terminal, which displays them, or from the lines of
/// standard input.
struct CodePrompt: ~Copyable {
  private static let maximumBytes = 256
  private var lines = LineBuffer(maximumLineBytes: CodePrompt.maximumBytes)

  /// Returns the next code as typed. Nil if there is no further line, or the line is too long.
  mutating func read() -> SecretBytes? {
    if isatty(0) == 1 { Console.ask("The app's code: ") }
    while true {
      if let line = lines.next() { return secret(line) }
      switch lines.fill(from: 0) {
      case .bytes, .wouldBlock: continue
      case .endOfFile, .failed: return lines.nextAtEnd().flatMap { secret($0) }
      }
    }
  }

  private mutating func secret(_ line: LineBuffer.Line) -> SecretBytes? {
    switch line {
    case .whole(let bytes), .unterminated(let bytes):
      let secret = isatty(0) == 1 ? PastedText.withoutMarks(bytes) : SecretBytes(copying: bytes)
      lines.wipeConsumed()
      return secret
    case .tooLong: return nil
    }
  }
}
