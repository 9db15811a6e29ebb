import Glibc

extension UnsafeRawBufferPointer {
  /// The offset of the first occurrence of `bytes` at or after `start`. The search is fast in debug
  /// builds as well, because the memory of a process has many millions of bytes.
  public func offset(of bytes: [UInt8], from start: Int = 0) -> Int? {
    guard let base = baseAddress, let first = bytes.first else { return nil }
    var from = start
    while from + bytes.count <= count, let hit = memchr(base + from, Int32(first), count - bytes.count + 1 - from) {
      let offset = UnsafeRawPointer(hit) - base
      if memcmp(hit, bytes, bytes.count) == 0 { return offset }
      from = offset + 1
    }
    return nil
  }
}
