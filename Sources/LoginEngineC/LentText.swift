import SecretMemory

/// Lines that wait until the host takes them, and those that it was lent last. All of them may hold secrets.
struct LentText: ~Copyable {
  private var waiting = SecretBytes()
  private var lent = SecretBytes()

  /// From how many bytes on nothing more is to be appended. What is appended below that is taken whole, because lines are never cut.
  private static var limit: Int { 1 << 20 }

  init() {}

  var hasRoom: Bool { waiting.count < LentText.limit }
  var isEmpty: Bool { waiting.isEmpty }

  mutating func append(_ bytes: UnsafeRawBufferPointer) { waiting.append(bytes) }

  mutating func append(_ text: StaticString) {
    waiting.append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Lends all that waits. The bytes stay where they are until `takeBack` or the next `lend`.
  mutating func lend() -> UnsafeRawBufferPointer {
    lent.wipe()
    swap(&lent, &waiting)
    return lent.withBytes { $0 }
  }

  /// Wipes what was lent.
  mutating func takeBack() { lent.wipe() }
}
