import Glibc

extension UnsafeRawBufferPointer {
  /// The first offset of these bytes, from an offset on. Fast in debug builds as well: a process's
  /// memory has many millions of bytes.
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
