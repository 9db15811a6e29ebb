/// The offset of the first occurrence of a non-empty text; `nil` if there is none.
///
/// - Parameter start: the offset at which the search starts, not negative.
public func firstOffset(of text: StaticString, in bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
  let wanted = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  guard let base = bytes.baseAddress, let first = wanted.first else { return nil }
  let last = bytes.count - wanted.count
  let ones: UInt64 = 0x0101_0101_0101_0101
  let firsts = UInt64(first) &* ones
  var index = start
  while index <= last {
    // Eight bytes at a time: a byte that equals the first of the text becomes 0, and the lowest
    // such byte is found exactly.
    if bytes.count &- index >= 8 {
      let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self)) ^ firsts
      let zeros = (word &- ones) & ~word & 0x8080_8080_8080_8080
      guard zeros != 0 else {
        index &+= 8
        continue
      }
      index &+= zeros.trailingZeroBitCount / 8
      guard index <= last else { return nil }
    }
    if base.load(fromByteOffset: index, as: UInt8.self) == first,
      sameBytes(UnsafeRawBufferPointer(start: base + index, count: wanted.count), wanted)
    {
      return index
    }
    index &+= 1
  }
  return nil
}
