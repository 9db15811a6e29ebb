import Glibc
import SecretMemory
import Testing

@Suite("Secrets in memory")
struct SecretBytesTests {
  private func contents(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withBytes { Array($0) }
  }

  private func secret(_ bytes: [UInt8]) -> SecretBytes {
    var secret = SecretBytes()
    bytes.withUnsafeBytes { secret.append($0) }
    return secret
  }

  @Test("appending, replacing and wiping give what an array gives")
  func walk() {
    var generator = SeededGenerator(seed: 7)
    var secret = SecretBytes()
    var model: [UInt8] = []
    for step in 0..<5_000 {
      let bytes = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      switch Int.random(in: 0..<20, using: &generator) {
      case 0:
        secret.wipe()
        model = []
      case 1..<5:
        bytes.withUnsafeBytes { secret.replace(with: $0) }
        model = bytes
      case 5..<10:
        secret.append(byte: UInt8(truncatingIfNeeded: step))
        model.append(UInt8(truncatingIfNeeded: step))
      default:
        bytes.withUnsafeBytes { secret.append($0) }
        model += bytes
      }
      #expect(contents(secret) == model)
      let (count, isEmpty) = (secret.count, secret.isEmpty)
      #expect(count == model.count && isEmpty == model.isEmpty)
    }
  }

  @Test("a secret is one pointer, owns nothing when empty, and little more than it holds")
  func size() {
    #expect(MemoryLayout<SecretBytes>.size == 8)
    let empty = secret([])
    let none = empty.capacity
    #expect(none == 0)
    for count in 1...200 {
      let held = secret([UInt8](repeating: 1, count: count))
      let capacity = held.capacity
      #expect(capacity < count + 16)
    }
  }

  @Test("a copy is independent")
  func copies() {
    var first = secret([1, 2, 3])
    let second = first.copy()
    first.wipe()
    #expect(contents(first) == [])
    #expect(contents(second) == [1, 2, 3])
  }

  @Test("nothing is found in the process's memory after a secret grew, was replaced and went")
  func leavesNothing() throws {
    let needle = Needle(seed: UInt64(getpid()))
    do {
      var secret = SecretBytes()
      for _ in 0..<50 { needle.withBytes { secret.append($0) } }
      let copied = secret.copy()
      #expect(try needle.occurrences() >= 100)
      needle.withBytes { secret.replace(with: UnsafeRawBufferPointer(rebasing: $0[..<1])) }
      let left50 = try needle.occurrences()
      #expect(left50 == 50)
      let count = copied.count
      #expect(count == 50 * Needle.count)
    }
    let left0 = try needle.occurrences()
      #expect(left0 == 0)
  }
}
