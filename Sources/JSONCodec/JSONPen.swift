/// Writes JSON without bounds checks into memory that was reserved beforehand; see
/// `ByteBuffer.append(atMost:_:)`.
public struct JSONPen {
  /// The address of the next byte to write.
  @usableFromInline var place: UnsafeMutableRawPointer

  @inlinable @inline(__always) init(at place: UnsafeMutableRawPointer) { self.place = place }

  /// The maximum size of a string of `count` bytes once it is written with quotes and escapes.
  @inlinable public static func room(forString count: Int) -> Int { count * 6 + JSONPen.slack }
  /// How many bytes after the end of a string may be overwritten while the string is written. The
  /// pen writes the next text over them.
  @usableFromInline static var slack: Int { 16 }

  @inlinable @inline(__always) public mutating func put(_ source: UnsafeRawPointer, _ count: Int) {
    place.copyMemory(from: source, byteCount: count)
    place += count
  }

  /// Removes the last `count` bytes that were written.
  @inlinable @inline(__always) public mutating func takeBack(_ count: Int) { place -= count }

  /// Writes a text known at compile time.
  @inlinable @inline(__always) public mutating func put(_ text: StaticString) {
    put(UnsafeRawPointer(text.utf8Start), text.utf8CodeUnitCount)
  }

  @inlinable @inline(__always) public mutating func put(_ byte: UInt8) {
    place.storeBytes(of: byte, as: UInt8.self)
    place += 1
  }

  /// Writes the first `count` bytes of two little-endian words. It always overwrites sixteen bytes
  /// of memory, even if `count` is smaller.
  @inlinable @inline(__always) public mutating func put(_ low: UInt64, _ high: UInt64, count: Int) {
    place.storeBytes(of: low.littleEndian, as: UInt64.self)
    place.storeBytes(of: high.littleEndian, toByteOffset: 8, as: UInt64.self)
    place += count
  }

  @inlinable @inline(__always) public mutating func put(_ value: Bool) {
    if value { put("true") } else { put("false") }
  }

  /// Writes a whole number in decimal.
  @inlinable @inline(__always) public mutating func put(decimal value: UInt64) {
    if value < 10 {
      put(0x30 | UInt8(truncatingIfNeeded: value))
    } else if value < 10_000 {
      putDigits(of: UInt32(truncatingIfNeeded: value), value < 100 ? 2 : value < 1000 ? 3 : 4)
    } else {
      putLong(value)
    }
  }

  @usableFromInline @inline(never) mutating func putLong(_ value: UInt64) {
    put(decimal: value / 10_000)
    putDigits(of: UInt32(truncatingIfNeeded: value % 10_000), 4)
  }

  /// Writes the last one to four digits of a number below 10,000.
  @inlinable @inline(__always) mutating func putDigits(of value: UInt32, _ count: Int) {
    let hundreds = value / 100
    let pairs = UnsafeRawPointer(JSONPen.pairs.utf8Start)
    @inline(__always) func pair(_ number: UInt32) -> UInt32 {
      UInt32(pairs.loadUnaligned(fromByteOffset: Int(truncatingIfNeeded: number &* 2), as: UInt16.self).littleEndian)
    }
    // The quotient and the remainder are both below 100.
    let digits = pair(hundreds) | pair(value &- hundreds &* 100) &<< 16
    place.storeBytes(of: (digits &>> UInt32(truncatingIfNeeded: 32 &- count &* 8)).littleEndian, as: UInt32.self)
    place += count
  }

  /// The numbers from 00 to 99, concatenated.
  @inlinable static var pairs: StaticString {
    """
    0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
    5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
    """
  }

  /// Writes a string with quotes and escapes. It must be valid UTF-8.
  @inlinable @inline(__always) public mutating func put(string utf8: UnsafeRawBufferPointer) {
    guard let source = utf8.baseAddress else { return put(#""""#) }
    if JSONPen.copyPlain(source, utf8.count, to: place + 1) {
      place.storeBytes(of: 0x22, as: UInt8.self)
      place += utf8.count + 1
      put(0x22)
    } else {
      putEscaped(utf8)
    }
  }

  /// Copies bytes if all of them are plain ASCII text. Returns whether they are.
  ///
  /// The bytes are checked and copied eight at a time. The last group of eight may overlap the
  /// group before it. For a text of less than eight bytes, up to eight bytes of memory are
  /// overwritten.
  @inlinable @inline(__always) static func copyPlain(
    _ source: UnsafeRawPointer, _ count: Int, to text: UnsafeMutableRawPointer
  ) -> Bool {
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
      // The word is padded with zeros, which would count as control characters.
      let blanks = 0x2020_2020_2020_2020 &<< UInt64(truncatingIfNeeded: count &* 8)
      guard JSONString.special(word | blanks) == 0 else { return false }
      text.storeBytes(of: word.littleEndian, as: UInt64.self)
    }
    return true
  }

  @usableFromInline @inline(never) mutating func putEscaped(_ utf8: UnsafeRawBufferPointer) {
    put(0x22)
    var start = 0
    while start < utf8.count {
      var end = JSONString.endOfPlainRun(utf8, from: start)
      while end < utf8.count, utf8[end] >= 0x80 { end = JSONString.endOfPlainRun(utf8, from: end + 1) }
      if let source = utf8.baseAddress { put(source + start, end - start) }
      if end < utf8.count { putEscape(utf8[end]) }
      start = end + 1
    }
    put(0x22)
  }

  mutating func putEscape(_ byte: UInt8) {
    put(0x5C)
    switch byte {
    case 0x08: put(0x62)
    case 0x09: put(0x74)
    case 0x0A: put(0x6E)
    case 0x0C: put(0x66)
    case 0x0D: put(0x72)
    case 0x22, 0x5C: put(byte)
    default:
      put("u00")
      for digit in [byte >> 4, byte & 15] { put(digit < 10 ? 0x30 + digit : 0x61 + digit - 10) }
    }
  }
}

extension ByteBuffer {
  /// Reserves memory for `count` bytes, calls `write` with a pen for that memory, and appends what
  /// the pen has written. `write` must not write more than `count` bytes.
  @inlinable @inline(__always) public mutating func append(atMost count: Int, _ write: (inout JSONPen) -> Void) {
    reserve(count)
    let start = UnsafeMutableRawPointer(base + end)
    var pen = JSONPen(at: start)
    write(&pen)
    let written = pen.place - start
    precondition(written >= 0 && written <= count)
    end += written
  }
}
