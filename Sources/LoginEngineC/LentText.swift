import SecretMemory

/// A queue of lines for the host, and the lines that were lent last. All of them may contain
/// secrets.
struct LentText: ~Copyable {
  private var waiting = SecretBytes()
  private var lent = SecretBytes()

  /// The size from which on nothing more should be appended. A line appended below it is stored
  /// whole, because lines are never cut.
  private static var limit: Int { 1 << 20 }

  init() {}

  var hasRoom: Bool { waiting.count < LentText.limit }
  var isEmpty: Bool { waiting.isEmpty }

  mutating func append(_ bytes: UnsafeRawBufferPointer) { waiting.append(bytes) }

  mutating func append(_ text: StaticString) {
    waiting.append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Lends all waiting bytes. They stay in place until `takeBack` or the next `lend`.
  mutating func lend() -> UnsafeRawBufferPointer {
    lent.wipe()
    swap(&lent, &waiting)
    return lent.withBytes { $0 }
  }

  /// Wipes the lent bytes.
  mutating func takeBack() { lent.wipe() }
}
