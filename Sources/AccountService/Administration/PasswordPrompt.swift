import Glibc
import SecretMemory
import System

/// Reads a password from a terminal or a pipe.
enum PasswordPrompt {
  enum Problem: Error {
    case noInput, tooLong, different
  }

  private static let maximumBytes = 4_096

  /// Reads the password from the terminal, twice and without echo. If standard input is not a
  /// terminal, reads the password from its first line.
  static func read() throws(Problem) -> SecretBytes {
    var lines = LineBuffer(maximumLineBytes: maximumBytes)
    guard isatty(0) == 1 else { return try line(&lines) }
    Echo.off()
    defer { Echo.restore() }
    let first = try ask("Password: ", &lines)
    let second = try ask("The same again: ", &lines)
    let isSame = first.withBytes { one in second.withBytes { other in one.elementsEqual(other) } }
    guard isSame else { throw .different }
    return first
  }

  private static func ask(_ question: String, _ lines: inout LineBuffer) throws(Problem) -> SecretBytes {
    Console.ask(question)
    defer { Console.ask("\n") }
    return try line(&lines)
  }

  private static func line(_ lines: inout LineBuffer) throws(Problem) -> SecretBytes {
    while true {
      if let line = lines.next() { return try secret(line, &lines) }
      switch lines.fill(from: 0) {
      case .bytes, .wouldBlock: continue
      case .endOfFile, .failed:
        guard let line = lines.nextAtEnd() else { throw .noInput }
        return try secret(line, &lines)
      }
    }
  }

  private static func secret(_ line: LineBuffer.Line, _ lines: inout LineBuffer) throws(Problem) -> SecretBytes {
    switch line {
    case .whole(let bytes), .unterminated(let bytes):
      let secret = isatty(0) == 1 ? PastedText.withoutMarks(bytes) : SecretBytes(copying: bytes)
      lines.wipeConsumed()
      return secret
    case .tooLong: throw .tooLong
    }
  }
}
