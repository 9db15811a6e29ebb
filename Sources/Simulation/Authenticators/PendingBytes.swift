/// A queue of bytes that one side of a pipe has written and the other side has not read.
struct PendingBytes {
  private var bytes: [UInt8] = []
  /// How many bytes at the start of `bytes` have already been read.
  private var read = 0

  var isEmpty: Bool { read == bytes.count }

  mutating func append(_ more: [UInt8]) { bytes += more }

  /// Calls `body` with the unread bytes.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[read...])) }
  }

  /// Marks the next `count` bytes as read, or all of them if fewer are unread.
  mutating func removeFirst(_ count: Int) {
    read = min(read + count, bytes.count)
    guard isEmpty else { return }
    self = PendingBytes()
  }
}
