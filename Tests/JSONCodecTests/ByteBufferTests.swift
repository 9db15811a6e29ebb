import JSONCodec
import TestSupport
import Testing

@Suite("Byte buffers")
struct ByteBufferTests {
  @Test("after random appends and removals, a buffer has the same bytes as an array", arguments: seeds)
  func againstAnArray(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var buffer = ByteBuffer(capacity: 0)
    var model: [UInt8] = []
    for step in 0..<20_000 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: buffer.append(UInt8(truncatingIfNeeded: step)); model.append(UInt8(truncatingIfNeeded: step))
      case 1, 2:
        let bytes = (0..<Int.random(in: 0...100, using: &random)).map { UInt8(truncatingIfNeeded: $0 &+ step) }
        buffer.append(bytes)
        model += bytes
      case 3:
        buffer.append("static")
        model += Array("static".utf8)
      case 4:
        let text: String = "é\(step)"
        buffer.append(text)
        model += Array(text.utf8)
      case 5:
        let number = random.next() >> UInt64.random(in: 0..<64, using: &random)
        buffer.append(decimal: number)
        model += Array(String(number).utf8)
      case 6, 7, 8:
        let count = Int.random(in: -1...120, using: &random)
        buffer.consume(count)
        model.removeFirst(min(max(count, 0), model.count))
      case 9:
        let count = Int.random(in: -1...400, using: &random)
        buffer.consume(count)
        model.removeFirst(min(max(count, 0), model.count))
      case 10 where random.chance(20):
        buffer.removeAll()
        model = []
      case 11 where random.chance(20):
        buffer.wipe()
        model = []
      default: buffer.shrink(to: 64)
      }
      let (array, count, empty) = (buffer.array(), buffer.count, buffer.isEmpty)
      if array != model || count != model.count || empty != model.isEmpty {
        Issue.record("seed \(seed), step \(step)")
        return
      }
    }
  }

  @Test(
    "whole numbers are written in decimal",
    arguments: [
      0, 1, 9, 10, 11, 99, 100, 999_999, 1_000_000, 9_999_999_999_999_999_999, 10_000_000_000_000_000_000, .max - 1,
      .max,
    ] as [UInt64])
  func decimal(_ number: UInt64) {
    var buffer = ByteBuffer(capacity: 0)
    buffer.append(decimal: number)
    let written = buffer.array()
    #expect(written == Array(String(number).utf8))
  }

  @Test("removing more bytes than the buffer has removes all of them, and removing a negative number removes none")
  func extremes() {
    var buffer = ByteBuffer()
    buffer.append("abcdef")
    buffer.consume(2)
    buffer.consume(.min)
    let kept = buffer.array()
    #expect(kept == Array("cdef".utf8))
    buffer.consume(.max)
    let rest = buffer.count
    #expect(rest == 0)
  }

  @Test("wiping a buffer zeroes its whole memory, including bytes that were removed before")
  func wiping() {
    var buffer = ByteBuffer(capacity: 64)
    for _ in 0..<20 { buffer.append("secret") }
    buffer.consume(30)
    let before = UnsafeBufferPointer(start: buffer.base, count: 120).filter { $0 == 0x73 }.count
    #expect(before == 20)
    buffer.wipe()
    let (left, capacity) = (
      UnsafeBufferPointer(start: buffer.base, count: buffer.capacity).filter { $0 != 0 }.count, buffer.capacity
    )
    #expect(left == 0)
    #expect(capacity >= 120)
  }

  @Test("consumeWiping zeroes the removed bytes, and moving bytes to the front of the memory leaves no copy of them")
  func wipingTaken() {
    var buffer = ByteBuffer(capacity: 64)
    // Appends 60 bytes. The memory after these bytes is undefined.
    for _ in 0..<10 { buffer.append("secret") }
    buffer.consumeWiping(.min)
    buffer.consumeWiping(48)
    let taken = UnsafeBufferPointer(start: buffer.base, count: 48).filter { $0 != 0 }.count
    #expect(taken == 0)
    buffer.append("123456")
    let (array, old) = (
      buffer.array(), UnsafeBufferPointer(start: buffer.base + 48, count: 12).filter { $0 != 0 }.count
    )
    #expect(array == Array("secretsecret123456".utf8))
    #expect(old == 0)
    buffer.consumeWiping(.max)
    let left = UnsafeBufferPointer(start: buffer.base, count: 60).filter { $0 != 0 }.count
    #expect(left == 0)
  }

  @Test("bytes that are moved to the front of a buffer's memory stay the same")
  func moving() {
    var buffer = ByteBuffer(capacity: 64)
    buffer.append([UInt8](repeating: 1, count: 60))
    buffer.consume(50)
    let base = buffer.base
    buffer.append([UInt8](repeating: 2, count: 30))
    let (array, same) = (buffer.array(), buffer.base == base)
    #expect(array == [UInt8](repeating: 1, count: 10) + [UInt8](repeating: 2, count: 30))
    #expect(same)
  }

  @Test("shrink frees a buffer's memory only if the buffer is empty")
  func shrinking() {
    var buffer = ByteBuffer()
    buffer.append([UInt8](repeating: 1, count: 10_000))
    buffer.shrink(to: 100)
    let kept = buffer.count
    #expect(kept == 10_000)
    buffer.consume(10_000)
    buffer.shrink(to: 100)
    let capacity = buffer.capacity
    #expect(capacity == 100)
    buffer.append([UInt8](repeating: 2, count: 1000))
    let again = buffer.array()
    #expect(again == [UInt8](repeating: 2, count: 1000))
  }

  @Test("a buffer that is emptied as fast as it is filled does not grow")
  func steady() {
    var buffer = ByteBuffer(capacity: 256)
    for _ in 0..<10_000 {
      buffer.append([UInt8](repeating: 3, count: 100))
      buffer.consume(buffer.count > 100 ? 100 : 90)
    }
    let capacity = buffer.capacity
    #expect(capacity <= 1024)
  }
}
