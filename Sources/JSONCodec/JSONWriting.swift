extension ByteBuffer {
  /// Appends a string with quotes. Only `"`, `\` and control characters are escaped.
  ///
  /// `utf8` must be valid UTF-8, which the parser guarantees.
  @inlinable public mutating func appendJSONString(_ utf8: UnsafeRawBufferPointer) {
    guard appendPlain(utf8) else {
      append(0x22)
      appendJSONEscaped(utf8)
      append(0x22)
      return
    }
  }

  /// Appends a string with quotes if it is plain ASCII text. Otherwise appends nothing. Returns
  /// whether the string was appended.
  @usableFromInline mutating func appendPlain(_ utf8: UnsafeRawBufferPointer) -> Bool {
    guard let source = utf8.baseAddress else {
      append(#""""#)
      return true
    }
    // `copyPlain` overwrites a whole word even if the text is shorter.
    reserve(utf8.count + 10)
    let place = UnsafeMutableRawPointer(base + end)
    guard JSONPen.copyPlain(source, utf8.count, to: place + 1) else { return false }
    place.storeBytes(of: 0x22, as: UInt8.self)
    place.storeBytes(of: 0x22, toByteOffset: utf8.count + 1, as: UInt8.self)
    end += utf8.count + 2
    return true
  }

  public mutating func appendJSONString(_ text: String) {
    var text = text
    text.withUTF8 { appendJSONString(UnsafeRawBufferPointer($0)) }
  }

  /// Appends a string with escapes, without quotes.
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
    append(atMost: JSONPen.room(forString: 1)) { $0.putEscape(byte) }
  }
}
