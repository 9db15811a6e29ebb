/// An outgoing line that may contain secrets. Its memory is wiped when it is released.
public final class SecretLine {
  private let memory: UnsafeMutableRawBufferPointer
  /// The ranges of secret strings, without their quotes.
  private let secrets: [Range<Int>]

  /// - Parameter secrets: the ranges of secret strings, without their quotes: in order, disjoint,
  ///   and within `bytes`.
  public init(copying bytes: UnsafeRawBufferPointer, secrets: [Range<Int>] = []) {
    memory = .allocate(byteCount: bytes.count, alignment: 1)
    memory.copyMemory(from: bytes)
    self.secrets = secrets.map { $0.clamped(to: 0..<bytes.count) }
  }

  deinit {
    wipeMemory(memory)
    memory.deallocate()
  }

  public var count: Int { memory.count }

  /// Lends the line. `body` has to wipe its copies.
  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R { body(UnsafeRawBufferPointer(memory)) }

  /// Wipes the first `sent` bytes, which were sent. In the bytes after them, replaces every
  /// character of a secret by `x`, so that the line stays valid JSON of the same length.
  public func blankSecrets(sent: Int) {
    for secret in secrets {
      var position = secret.lowerBound
      while position < secret.upperBound {
        let end = min(endOfCharacter(at: position), secret.upperBound)
        // The rest of a character that was sent in part has to follow.
        if position >= sent { for index in position..<end { memory[index] = UInt8(ascii: "x") } }
        position = end
      }
    }
    wipeMemory(UnsafeMutableRawBufferPointer(rebasing: memory[..<min(sent, count)]))
  }

  /// The position after the character or escape sequence that starts at `position`.
  private func endOfCharacter(at position: Int) -> Int {
    switch memory[position] {
    case UInt8(ascii: "\\"):
      position + 1 < count && memory[position + 1] == UInt8(ascii: "u") ? position + 6 : position + 2
    case 0xC0...0xDF: position + 2
    case 0xE0...0xEF: position + 3
    case 0xF0...0xFF: position + 4
    default: position + 1
    }
  }
}
