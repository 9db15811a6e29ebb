extension ByteBuffer {
  /// Appends a string with its quotes: `"` and `\` and control characters escaped, all else as it is.
  ///
  /// `utf8` must be valid UTF-8; everything that the parser let through is.
  @inlinable public mutating func appendJSONString(_ utf8: UnsafeRawBufferPointer) {
    guard let source = utf8.baseAddress, appendPlain(source, utf8.count) else {
      append(0x22)
      appendJSONEscaped(utf8)
      append(0x22)
      return
    }
  }

  /// Appends `count` bytes with quotes around them if all are plain ASCII text. They are looked at while they are copied, eight at a time: the last eight may
  /// overlap those before. Returns whether they are.
  @usableFromInline mutating func appendPlain(_ source: UnsafeRawPointer, _ count: Int) -> Bool {
    // A word more than is needed, for the shortest texts.
    reserve(count + 10)
    let place = UnsafeMutableRawPointer(base + end)
    let text = place + 1
    if count >= 8 {
      var found: UInt64 = 0
      var offset = 0
      while offset < count &- 8 {
        let word = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        found |= JSONString.special(word)
        text.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
        offset &+= 8
      }
      let word = source.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      guard found | JSONString.special(word) == 0 else { return false }
      text.storeBytes(of: word, toByteOffset: count &- 8, as: UInt64.self)
    } else if count > 0 {
      let word = JSONString.lastBytes(source, count, from: 0)
      // Behind the text stand zeros, which count as control characters.
      let blanks = 0x2020_2020_2020_2020 &<< UInt64(truncatingIfNeeded: count &* 8)
      guard JSONString.special(word | blanks) == 0 else { return false }
      text.storeBytes(of: word.littleEndian, as: UInt64.self)
    }
    place.storeBytes(of: 0x22, as: UInt8.self)
    text.storeBytes(of: 0x22, toByteOffset: count, as: UInt8.self)
    end += count + 2
    return true
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
