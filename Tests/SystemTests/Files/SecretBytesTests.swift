import Glibc
import SecretMemory
import TestSupport
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

  @Test("appending to, replacing and wiping secret bytes has the same results as with an array")
  func walk() {
    var generator = SeededRandom(seed: 7)
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

  @Test("a secret is one pointer, and allocates nothing if it is empty and little more than its bytes otherwise")
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

  /// The test runs in a separate process, where no signal of another test puts registers on the
  /// stack.
  ///
  /// Its first round only makes the dynamic linker resolve every function: at the first call of a
  /// function, the linker saves the vector registers on the stack, and they may contain copied
  /// secrets. Programs that must leave no secret are linked with `-z now`.
  @Test("no copy of a secret remains in memory after it has grown, was replaced and was released")
  func leavesNothing() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      _ = try Needle(seed: 1).occurrencesInLife()
      print("found", try Needle(seed: 2).occurrencesInLife(), "end")
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(output.contains("found [100, 50, 0] end"), "\(output)")
  }
}

extension Needle {
  /// How often memory contains the bytes: while two secrets have them 50 times each, after one
  /// secret was replaced, and after both were released.
  fileprivate func occurrencesInLife() throws -> [Int] {
    var found: [Int] = []
    do {
      var secret = SecretBytes()
      for _ in 0..<50 { withBytes { secret.append($0) } }
      let copied = secret.withBytes { SecretBytes(copying: $0) }
      found.append(try occurrences())
      withBytes { secret.replace(with: UnsafeRawBufferPointer(rebasing: $0[..<1])) }
      found.append(try occurrences())
      withExtendedLifetime(copied.count) {}
    }
    found.append(try occurrences())
    return found
  }
}
