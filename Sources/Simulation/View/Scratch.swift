import JSONCodec

/// JSON documents that are reused for each parsed line, so that parsing does not allocate.
final class Scratch {
  @exclusivity(unchecked) var line = JSONDocument()
  @exclusivity(unchecked) var message = JSONDocument()
  @exclusivity(unchecked) var part = JSONDocument()
}

/// A hash of all bytes appended so far. It does not depend on the pieces in which they were
/// appended.
struct RunningHash: Equatable {
  private var value: UInt64 = 0xCBF2_9CE4_8422_2325
  /// The bytes after the last complete group of eight. Bytes are hashed in groups of eight.
  private var rest: UInt64 = 0
  private(set) var count = 0

  private mutating func mix(_ word: UInt64) {
    value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 32
  }

  mutating func append(_ byte: UInt8) {
    rest = rest << 8 | UInt64(byte)
    count += 1
    if count & 7 == 0 {
      mix(rest)
      rest = 0
    }
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    while index < bytes.count, count & 7 != 0 {
      append(bytes[index])
      index += 1
    }
    while index + 8 <= bytes.count {
      mix(UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
      index += 8
      count += 8
    }
    while index < bytes.count {
      append(bytes[index])
      index += 1
    }
  }
}
