import SecretMemory

/// A copy of a line that was read, for comparison.
enum ReadLine: Equatable {
  case whole(String)
  case tooLong(String)
  case unterminated(String)

  init(_ line: LineBuffer.Line) {
    switch line {
    case .whole(let bytes): self = .whole(text(bytes))
    case .tooLong(let bytes): self = .tooLong(text(bytes))
    case .unterminated(let bytes): self = .unterminated(text(bytes))
    }
  }
}

/// Decodes bytes as UTF-8.
func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

/// The text of a line.
func text(_ line: SecretLine) -> String { line.withBytes { text($0) } }

/// Lends the bytes of a text.
func withBytes<R>(of text: String, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
  try Array(text.utf8).withUnsafeBytes(body)
}

/// A line with this text and a terminator. `secret` is the range of a secret in it.
func line(_ text: String, secret: Range<Int>? = nil) -> SecretLine {
  withBytes(of: text + "\n") { SecretLine(copying: $0, secrets: secret.map { [$0] } ?? []) }
}
