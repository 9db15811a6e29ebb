/// A queue of bytes that are written but not read.
struct PendingBytes {
  private var bytes: [UInt8] = []
  /// The number of bytes of `bytes` that are read.
  private var read = 0

  var isEmpty: Bool { read == bytes.count }

  mutating func append(_ more: [UInt8]) { bytes += more }

  /// Calls `body` with the unread bytes.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[read...])) }
  }

  /// Marks at most `count` bytes as read.
  mutating func removeFirst(_ count: Int) {
    read = min(read + count, bytes.count)
    guard isEmpty else { return }
    self = PendingBytes()
  }
}
