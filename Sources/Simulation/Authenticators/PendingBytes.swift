/// What was written and not read: a queue of bytes.
struct PendingBytes {
  private var bytes: [UInt8] = []
  /// How many of them were read.
  private var read = 0

  var isEmpty: Bool { read == bytes.count }

  mutating func append(_ more: [UInt8]) { bytes += more }

  /// Lends what was not read.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[read...])) }
  }

  /// Takes as many as there are, at most so many.
  mutating func removeFirst(_ count: Int) {
    read = min(read + count, bytes.count)
    guard isEmpty else { return }
    self = PendingBytes()
  }
}
