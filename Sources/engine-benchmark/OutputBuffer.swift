import Glibc

/// Memory for a program's output. Its pages are present before the measurement, so that no page
/// fault is measured.
final class OutputBuffer {
  let base: UnsafeMutableRawPointer
  let capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 1)
    base = .allocate(byteCount: self.capacity, alignment: 4_096)
    // Not zeros, because the system might map one zero page many times.
    base.initializeMemory(as: UInt8.self, repeating: 1, count: self.capacity)
  }

  deinit { base.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }
  var room: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count)
  }

  func removeAll() { count = 0 }
  func added(_ bytes: Int) { count = min(capacity, count + max(bytes, 0)) }

  /// Calls `body` with each complete line, without its newline.
  func forEachLine(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
    var start = 0
    let all = bytes
    while start < all.count, let end = Self.lineEnd(all, from: start) {
      try body(UnsafeRawBufferPointer(rebasing: all[start..<end]))
      start = end + 1
    }
  }

  /// The offset of the next newline.
  static func lineEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = bytes.baseAddress, start < bytes.count else { return nil }
    guard let found = memchr(base + start, 0x0A, bytes.count - start) else { return nil }
    return base.distance(to: UnsafeRawPointer(found))
  }

  /// The number of newlines from `start` on.
  func lineEnds(from start: Int) -> Int {
    var count = 0
    var position = start
    while let end = Self.lineEnd(bytes, from: position) {
      count += 1
      position = end + 1
    }
    return count
  }
}
