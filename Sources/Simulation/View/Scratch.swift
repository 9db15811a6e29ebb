import Glibc
import JSONCodec

/// What lines are taken apart with; kept, so that no line allocates.
final class Scratch {
  @exclusivity(unchecked) var line = JSONDocument()
  @exclusivity(unchecked) var message = JSONDocument()
  @exclusivity(unchecked) var part = JSONDocument()
}

/// Whether bytes are the same.
func same(_ left: [UInt8], _ right: UnsafeRawBufferPointer) -> Bool {
  guard left.count == right.count else { return false }
  guard let other = right.baseAddress else { return true }
  return left.withUnsafeBytes { bytes in bytes.baseAddress.map { memcmp($0, other, bytes.count) == 0 } ?? true }
}

/// Where `needle` first stands in bytes; `nil` if nowhere.
func find(_ needle: StaticString, in bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
  let count = needle.utf8CodeUnitCount
  guard let base = bytes.baseAddress, let first = UnsafeBufferPointer(start: needle.utf8Start, count: count).first
  else { return nil }
  var index = start
  while index + count <= bytes.count, let found = memchr(base + index, Int32(first), bytes.count - index - count + 1) {
    if memcmp(found, needle.utf8Start, count) == 0 { return UnsafeRawPointer(found) - base }
    index = UnsafeRawPointer(found) - base + 1
  }
  return nil
}

func starts(_ bytes: UnsafeRawBufferPointer, with prefix: StaticString) -> Bool {
  guard let base = bytes.baseAddress, bytes.count >= prefix.utf8CodeUnitCount else { return false }
  return memcmp(base, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0
}

func string(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }
func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// A hash of everything that was appended (FNV-1a over eight bytes at a time would depend on the pieces, so byte by byte).
struct RunningHash: Equatable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325
  private(set) var count = 0

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    var hash = value
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    value = hash
    count += bytes.count
  }

  mutating func append(_ byte: UInt8) { withUnsafeBytes(of: byte) { append($0) } }
}
