extension ByteBuffer {
  /// Appends a string with its quotes: `"` and `\` and control characters escaped, all else as it is.
  ///
  /// `utf8` must be valid UTF-8; everything that the parser let through is.
  @inlinable public mutating func appendJSONString(_ utf8: UnsafeRawBufferPointer) {
    let count = utf8.count
    guard let source = utf8.baseAddress, JSONString.endOfPlainRun(source, count, from: 0) == count else {
      append(0x22)
      appendJSONEscaped(utf8)
      append(0x22)
      return
    }
    reserve(count + 2)
    base[end] = 0x22
    UnsafeMutableRawPointer(base + end + 1).copyMemory(from: source, byteCount: count)
    base[end + 1 + count] = 0x22
    end += count + 2
  }

  /// Appends a string with its quotes.
  public mutating func appendJSONString(_ text: String) {
    var text = text
    text.withUTF8 { appendJSONString(UnsafeRawBufferPointer($0)) }
  }

  /// Appends what stands between the quotes.
  @inlinable public mutating func appendJSONEscaped(_ utf8: UnsafeRawBufferPointer) {
    guard let source = utf8.baseAddress else { return }
    var start = 0
    while start < utf8.count {
      var end = JSONString.endOfPlainRun(utf8, from: start)
      while end < utf8.count, utf8[end] >= 0x80 { end = JSONString.endOfPlainRun(utf8, from: end + 1) }
      append(source + start, end - start)
      guard end < utf8.count else { return }
      appendEscape(utf8[end])
      start = end + 1
    }
  }

  @usableFromInline @inline(never) mutating func appendEscape(_ byte: UInt8) {
    append(0x5C)
    switch byte {
    case 0x08: append(0x62)
    case 0x09: append(0x74)
    case 0x0A: append(0x6E)
    case 0x0C: append(0x66)
    case 0x0D: append(0x72)
    case 0x22, 0x5C: append(byte)
    default:
      append("u00")
      for digit in [byte >> 4, byte & 15] { append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10) }
    }
  }
}
