/// Where a text that is not empty first stands in bytes; `nil` if nowhere.
///
/// - Parameter start: where the search begins, not negative.
public func firstOffset(of text: StaticString, in bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
  let wanted = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  guard let base = bytes.baseAddress, let first = wanted.first else { return nil }
  let last = bytes.count - wanted.count
  var index = start
  while index <= last {
    if base.load(fromByteOffset: index, as: UInt8.self) == first,
      sameBytes(UnsafeRawBufferPointer(start: base + index, count: wanted.count), wanted)
    {
      return index
    }
    index += 1
  }
  return nil
}
