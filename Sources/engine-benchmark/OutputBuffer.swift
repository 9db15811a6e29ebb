import Glibc

/// Memory for the output of a measured program. All pages are touched before the measurement, so
/// that no page fault is measured.
final class OutputBuffer {
  let base: UnsafeMutableRawPointer
  let capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 1)
    base = .allocate(byteCount: self.capacity, alignment: 4_096)
    // The memory is filled with ones, because the system might map one and the same page for zeros
    // many times.
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

  /// The offset of the first newline at or after `start`; `nil` if there is none.
  static func lineEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = bytes.baseAddress, start < bytes.count else { return nil }
    guard let found = memchr(base + start, 0x0A, bytes.count - start) else { return nil }
    return base.distance(to: UnsafeRawPointer(found))
  }

  /// The number of newlines in the output, counted from offset `start`.
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
