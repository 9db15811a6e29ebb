/// The syntax of JSON strings.
public enum JSONString {
  /// The offset of the first quote, backslash, control character or byte over 127 from `start` on,
  /// all of which end a run of plain ASCII text. The number of bytes if there is none.
  @inlinable public static func endOfPlainRun(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    return endOfPlainRun(base, bytes.count, from: start)
  }

  /// The offset of the first byte, from `start` on, that is not plain ASCII text; `count` if there
  /// is none. The text has `count` bytes at `base`.
  @inlinable @inline(__always) static func endOfPlainRun(_ base: UnsafeRawPointer, _ count: Int, from start: Int) -> Int
  {
    var index = start
    // The offsets cannot overflow, since they lie in one block of memory.
    while count &- index >= 16 {
      let found = special(words(base, at: index))
      if found.x | found.y != 0 { return index &+ firstByte(found) }
      index &+= 16
    }
    guard index < count else { return count }
    if count >= 16 {
      // Scan the last sixteen bytes. Bytes that were scanned already are replaced by blanks,
      // because a match among them would affect the following bytes.
      let seen = UInt64(truncatingIfNeeded: (16 &- (count &- index)) &* 8)
      let low: UInt64 = seen >= 64 ? 0 : ~0 &<< seen
      let high: UInt64 = seen >= 64 ? ~0 &<< (seen &- 64) : ~0
      let last = words(base, at: count &- 16)
      let blanks: UInt64 = 0x2020_2020_2020_2020
      let found = special(SIMD2(last.x & low | blanks & ~low, last.y & high | blanks & ~high))
      return found.x | found.y == 0 ? count : count &- 16 &+ firstByte(found)
    }
    if count &- index >= 8 {
      let found = special(UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
      if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
      index &+= 8
      guard index < count else { return count }
    }
    return index &+ special(lastBytes(base, count, from: index)).trailingZeroBitCount / 8
  }

  /// For sixteen bytes, sets the highest bit of the first byte that is not plain ASCII text, and
  /// possibly of later bytes. It uses additions and masks, because vector comparisons by byte would
  /// be compiled to loops.
  @inlinable @inline(__always) static func special(_ words: SIMD2<UInt64>) -> SIMD2<UInt64> {
    let quotes = words ^ SIMD2(repeating: 0x2222_2222_2222_2222)
    let backslashes = words ^ SIMD2(repeating: 0x5C5C_5C5C_5C5C_5C5C)
    let ones = SIMD2<UInt64>(repeating: 0x0101_0101_0101_0101)
    let controls = (words &- SIMD2(repeating: 0x2020_2020_2020_2020)) & ~words
    return ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | controls | words)
      & SIMD2(repeating: 0x8080_8080_8080_8080)
  }

  /// Sixteen bytes as two little-endian words.
  @inlinable @inline(__always) static func words(_ base: UnsafeRawPointer, at offset: Int) -> SIMD2<UInt64> {
    let words = base.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
    return SIMD2(UInt64(littleEndian: words.x), UInt64(littleEndian: words.y))
  }

  /// The index of the first of sixteen bytes that is not 0. There must be one.
  @inlinable @inline(__always) static func firstByte(_ words: SIMD2<UInt64>) -> Int {
    words.x != 0 ? words.x.trailingZeroBitCount / 8 : 8 &+ words.y.trailingZeroBitCount / 8
  }

  /// The bytes from `start` to the end of the `count` bytes at `base`, as a word. They must be one
  /// to seven bytes. The word is padded with zeros, which `special` finds as control characters.
  @inlinable @inline(__always) static func lastBytes(_ base: UnsafeRawPointer, _ count: Int, from start: Int) -> UInt64
  {
    @inline(__always) func load<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type, _ offset: Int) -> UInt64 {
      UInt64(truncatingIfNeeded: Word(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: type)))
    }
    if count >= 8 { return load(UInt64.self, count - 8) &>> UInt64(truncatingIfNeeded: 64 - (count - start) * 8) }
    let skipped = UInt64(truncatingIfNeeded: start * 8)
    // Two overlapping words, or three bytes that may coincide, cover all lengths.
    if count >= 4 {
      let high = load(UInt32.self, count - 4) &<< UInt64(truncatingIfNeeded: (count - 4) * 8)
      return (load(UInt32.self, 0) | high) &>> skipped
    }
    let middle = load(UInt8.self, count / 2) &<< UInt64(truncatingIfNeeded: count / 2 * 8)
    let last = load(UInt8.self, count - 1) &<< UInt64(truncatingIfNeeded: (count - 1) * 8)
    return (load(UInt8.self, 0) | middle | last) &>> skipped
  }

  /// Up to eight bytes as a little-endian number, padded with zeros.
  @inlinable @inline(__always) public static func firstBytes(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return 0 }
    if bytes.count >= 8 { return UInt64(littleEndian: base.loadUnaligned(as: UInt64.self)) }
    return lastBytes(base, bytes.count, from: 0)
  }

  /// For eight bytes, sets the highest bit of the first byte that is not plain ASCII text, and
  /// possibly of later bytes.
  @inlinable @inline(__always) static func special(_ word: UInt64) -> UInt64 {
    let quotes = word ^ 0x2222_2222_2222_2222
    let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
    return
      ((quotes &- 0x0101_0101_0101_0101) & ~quotes | (backslashes &- 0x0101_0101_0101_0101) & ~backslashes
      | (word &- 0x2020_2020_2020_2020) & ~word | word) & 0x8080_8080_8080_8080
  }

  /// The length of the well-formed UTF-8 sequence of two to four bytes at `start`, by table 3-7 of
  /// the Unicode Standard.
  static func lengthOfUTF8Sequence(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Int? {
    let first = bytes[start]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0:
      length = 3
      second = 0xA0...0xBF
    case 0xE1...0xEC, 0xEE, 0xEF: length = 3
    case 0xED:
      length = 3
      second = 0x80...0x9F
    case 0xF0:
      length = 4
      second = 0x90...0xBF
    case 0xF1...0xF3: length = 4
    case 0xF4:
      length = 4
      second = 0x80...0x8F
    default: return nil
    }
    guard start + length <= bytes.count, second.contains(bytes[start + 1]) else { return nil }
    for index in start + 2..<start + length where bytes[index] & 0xC0 != 0x80 { return nil }
    return length
  }

  /// Whether the bytes from `start` to the end are a well-formed UTF-8 sequence that is cut off by
  /// the end.
  @inline(never) static func isCutOffUTF8Sequence(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
    guard bytes.count - start < 4 else { return false }
    // The sequence is cut off if continuation bytes can complete it. Whether they can depends on
    // the second byte; if that is missing too, every first byte allows 0x80 or 0xBF.
    for filler: UInt8 in [0x80, 0xBF] {
      var padded: [UInt8] = [filler, filler, filler, filler]
      for index in start..<bytes.count { padded[index - start] = bytes[index] }
      let length = padded.withUnsafeBytes { lengthOfUTF8Sequence($0, at: 0) }
      if let length, length > bytes.count - start { return true }
    }
    return false
  }

  /// Whether the bytes from `start` to the end are an escape of a low surrogate that is cut off by
  /// the end.
  @inline(never) static func isCutOffLowSurrogate(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
    guard bytes.count - start < 6 else { return false }
    for index in start..<bytes.count {
      let byte = bytes[index]
      let fits =
        switch index - start {
        case 0: byte == 0x5C
        case 1: byte == 0x75
        case 2: byte | 0x20 == 0x64
        case 3: byte | 0x20 >= 0x63 && byte | 0x20 <= 0x66
        default: isHexadecimalDigit(byte)
        }
      guard fits else { return false }
    }
    return true
  }

  /// Whether the byte is one of 0-9, a-f and A-F.
  static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }

  /// The value of the four hexadecimal digits at `start`; `nil` if they are not four digits.
  static func hexadecimal(_ bytes: UnsafeRawBufferPointer, at start: Int) -> UInt32? {
    guard start + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for index in start..<start + 4 {
      let byte = bytes[index]
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x41...0x46: digit = byte - 0x41 + 10
      case 0x61...0x66: digit = byte - 0x61 + 10
      default: return nil
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// Appends the unescaped value of a well-formed string. Half a surrogate pair, which only an
  /// invalid message can contain, becomes U+FFFD.
  public static func unescape(_ text: UnsafeRawBufferPointer, into buffer: inout ByteBuffer) {
    var index = 0
    while index < text.count {
      let byte = text[index]
      guard byte == 0x5C, index + 1 < text.count else {
        buffer.append(byte)
        index += 1
        continue
      }
      index += 2
      switch text[index - 1] {
      case 0x62: buffer.append(0x08)
      case 0x66: buffer.append(0x0C)
      case 0x6E: buffer.append(0x0A)
      case 0x72: buffer.append(0x0D)
      case 0x74: buffer.append(0x09)
      case 0x75:
        guard let unit = hexadecimal(text, at: index) else { continue }
        index += 4
        var scalar = unit
        if unit >= 0xD800, unit <= 0xDFFF {
          scalar = 0xFFFD
          if unit < 0xDC00, index + 6 <= text.count, text[index] == 0x5C, text[index + 1] == 0x75,
            let low = hexadecimal(text, at: index + 2), low >= 0xDC00, low <= 0xDFFF
          {
            scalar = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            index += 6
          }
        }
        appendUTF8(scalar, to: &buffer)
      case let same: buffer.append(same)
      }
    }
  }

  private static func appendUTF8(_ scalar: UInt32, to buffer: inout ByteBuffer) {
    func continuation(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | scalar >> shift & 0x3F) }
    switch scalar {
    case 0..<0x80: buffer.append(UInt8(truncatingIfNeeded: scalar))
    case 0x80..<0x800:
      buffer.append(UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
      buffer.append(continuation(0))
    case 0x800..<0x10000:
      buffer.append(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
      buffer.append(continuation(6))
      buffer.append(continuation(0))
    default:
      buffer.append(UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18))
      buffer.append(continuation(12))
      buffer.append(continuation(6))
      buffer.append(continuation(0))
    }
  }

  /// Whether the value of a string is `expected`. `text` is the string with its escapes.
  @usableFromInline @inline(never) static func unescapedEquals(
    _ text: UnsafeRawBufferPointer, _ expected: UnsafeRawBufferPointer
  ) -> Bool {
    // Compare the lengths first. An escape is at most six times as long as its value.
    guard expected.count <= text.count, text.count / 6 <= expected.count else { return false }
    var scratch = ByteBuffer(capacity: text.count)
    unescape(text, into: &scratch)
    return scratch.withBytes { sameBytes($0, expected) }
  }
}
