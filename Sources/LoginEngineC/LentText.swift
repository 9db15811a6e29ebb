import SecretMemory

/// A queue of lines for the host, and the lines that were lent to it last. Both may contain
/// secrets.
struct LentText: ~Copyable {
  private var waiting = SecretBytes()
  private var lent = SecretBytes()

  /// The size at which nothing more should be appended. A line that is appended below this size is
  /// stored completely, because lines are never cut.
  private static var limit: Int { 1 << 20 }

  init() {}

  var hasRoom: Bool { waiting.count < LentText.limit }
  var isEmpty: Bool { waiting.isEmpty }

  mutating func append(_ bytes: UnsafeRawBufferPointer) { waiting.append(bytes) }

  mutating func append(_ text: StaticString) {
    waiting.append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Lends all queued bytes. Their memory stays valid until `takeBack` or the next `lend`.
  mutating func lend() -> UnsafeRawBufferPointer {
    lent.wipe()
    swap(&lent, &waiting)
    return lent.withBytes { $0 }
  }

  /// Wipes the lent bytes.
  mutating func takeBack() { lent.wipe() }
}
