/// A line on its way out that is wiped when it is given up, because it may hold secrets.
public final class SecretLine {
  private let memory: UnsafeMutableRawBufferPointer
  /// Where strings stand that are secret, without their quotes.
  private let secrets: [Range<Int>]

  /// - Parameter secrets: where strings stand that are secret, without their quotes: in order, apart, and within `bytes`.
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

  /// Lends the line. Whatever `body` copies, it has to wipe.
  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R { body(UnsafeRawBufferPointer(memory)) }

  /// Wipes what was sent, and puts `x` in place of every secret character that was not. The line stays JSON, and as long as it was.
  public func blankSecrets(sent: Int) {
    for secret in secrets {
      var position = secret.lowerBound
      while position < secret.upperBound {
        let end = min(endOfCharacter(at: position), secret.upperBound)
        // Of a character that was sent in part the rest has to follow.
        if position >= sent { for index in position..<end { memory[index] = UInt8(ascii: "x") } }
        position = end
      }
    }
    wipeMemory(UnsafeMutableRawBufferPointer(rebasing: memory[..<min(sent, count)]))
  }

  /// Behind the character, or the escape sequence, that begins there.
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
