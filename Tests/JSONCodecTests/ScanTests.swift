import JSONCodec
import TestSupport
import Testing

@Suite("Scanning eight bytes at a time")
struct ScanTests {
  private func naive(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index] >= 0x20, bytes[index] < 0x80, bytes[index] != 0x22, bytes[index] != 0x5C {
      index += 1
    }
    return index
  }

  @Test("the end of plain text is found for each byte, whatever the length of the text and the position in it")
  func eachByte() {
    let memory = GuardedMemory(capacity: 64)
    for length in 1...18 {
      for place in 0..<length {
        for byte in UInt8.min...UInt8.max {
          var text = [UInt8](repeating: 0x61, count: length)
          text[place] = byte
          for atEnd in [true, false] {
            let (found, expected) = memory.with(text, atEnd: atEnd) {
              (JSONString.endOfPlainRun($0, from: 0), naive($0, 0))
            }
            if found != expected { Issue.record("\(text): \(found), not \(expected)") }
          }
        }
      }
    }
  }

  @Test("in random texts, the end of plain text is found from every start", arguments: seeds)
  func random(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let memory = GuardedMemory(capacity: 64)
    let bytes: [UInt8] = [
      0, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x7F, 0x80, 0xA2, 0xDC, 0xFF, 0x61, 0x61, 0x61, 0x61, 0x61,
      0x61,
    ]
    for _ in 0..<Workload.amount(20_000) {
      let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in bytes.randomElement(using: &random) ?? 0 }
      memory.with(text) { buffer in
        for start in 0...text.count where JSONString.endOfPlainRun(buffer, from: start) != naive(buffer, start) {
          Issue.record("seed \(seed): \(text) from \(start)")
        }
      }
    }
  }

  @Test("the first occurrence of a text is found wherever the search starts")
  func firstPlace() {
    let memory = GuardedMemory(capacity: 64)
    // These bytes, which surround the text, differ from its first byte by one bit or by 1.
    let others: [UInt8] = [0x61, 0x70, 0x72, 0xF1, 0xF0, 0x00, 0x71]
    for length in 0...26 {
      for place in 0...length {
        for other in others {
          var text = [UInt8](repeating: other, count: length)
          text.replaceSubrange(place..<min(length, place + 3), with: Array("qZ7".utf8.prefix(min(3, length - place))))
          for start in 0...length {
            let expected = start <= place && place + 3 <= length ? place : nil
            for atEnd in [true, false] {
              let found = memory.with(text, atEnd: atEnd) { firstOffset(of: "qZ7", in: $0, from: start) }
              if found != expected { Issue.record("\(text) from \(start): \(found ?? -1), not \(expected ?? -1)") }
            }
          }
        }
      }
    }
  }

  @Test("the end of plain text in an empty buffer without an address is 0")
  func empty() {
    #expect(JSONString.endOfPlainRun(UnsafeRawBufferPointer(start: nil, count: 0), from: 0) == 0)
    var document = JSONDocument()
    #expect(throws: JSONError(.empty, at: 0)) { try document.parse(UnsafeRawBufferPointer(start: nil, count: 0)) }
  }
}
