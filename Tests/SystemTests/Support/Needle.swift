import Foundation
import SecretMemory
import System
import TestSupport

/// Bytes to find in this process's own memory. They are stored inverted, so that the search does
/// not find its own copy.
struct Needle {
  static let count = 40
  private let turned: [UInt8]

  init(seed: UInt64) {
    var generator = SeededRandom(seed: seed)
    turned = (0..<Self.count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    let plain = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.count, alignment: 8)
    for (index, byte) in turned.enumerated() { plain[index] = ~byte }
    body(UnsafeRawBufferPointer(plain))
    wipeMemory(plain)
    plain.deallocate()
  }

  /// The number of occurrences of the bytes in writable memory.
  func occurrences() throws -> Int {
    let memory = open("/proc/self/mem", O_RDONLY)
    guard memory >= 0 else { throw SystemError(call: "open", number: errno) }
    defer { close(memory) }
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { chunk.deallocate() }
    let ownStart = UInt64(UInt(bitPattern: chunk.baseAddress))
    let own = ownStart..<ownStart + UInt64(chunk.count)
    var found = 0
    for line in try systemFile("/proc/self/maps").split(separator: "\n") {
      let words = line.split(separator: " ")
      let bounds = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      guard words[1].hasPrefix("rw"), bounds.count == 2, bounds[1] < 1 << 47 else { continue }
      var position = bounds[0]
      while position < bounds[1] {
        // Each chunk overlaps the next, so that no occurrence is cut in two.
        let wanted = min(chunk.count, Int(bounds[1] - position))
        let count = pread(memory, chunk.baseAddress, wanted, off_t(position))
        let bytes = UnsafeRawBufferPointer(rebasing: chunk[..<max(0, count)])
        // Occurrences in this function's own buffer are copies of others, and are not counted.
        found += offsets(in: bytes).filter { !own.contains(position + UInt64($0)) }.count
        wipeMemory(chunk)
        position += UInt64(wanted == chunk.count ? wanted - Self.count + 1 : wanted)
      }
    }
    return found
  }

  private func offsets(in bytes: UnsafeRawBufferPointer) -> [Int] {
    guard let base = bytes.baseAddress, let first = turned.first else { return [] }
    var found: [Int] = []
    var offset = 0
    while offset + Self.count <= bytes.count, let hit = memchr(base + offset, Int32(~first), bytes.count - offset) {
      let candidate = UnsafeRawPointer(hit) - base
      guard candidate + Self.count <= bytes.count else { break }
      if turned.indices.allSatisfy({ bytes[candidate + $0] == ~turned[$0] }) { found.append(candidate) }
      offset = candidate + 1
    }
    return found
  }
}
