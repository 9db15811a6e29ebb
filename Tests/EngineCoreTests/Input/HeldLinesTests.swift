import SecretMemory
import Testing

@testable import EngineCore

@Suite("Lines that are held back")
struct HeldLinesTests {
  @Test("lines that are held back are returned unchanged, with their kinds, and in order")
  func order() {
    var held = HeldLines()
    withBytes(of: "whole") { held.append(.whole($0)) }
    withBytes(of: "long") { held.append(.tooLong(prefix: $0)) }
    withBytes(of: "") { held.append(.whole($0)) }
    withBytes(of: "half") { held.append(.unterminated($0)) }
    var read: [ReadLine] = []
    while let (line, owner) = held.removeFirst() { withExtendedLifetime(owner) { read.append(ReadLine(line)) } }
    #expect(read == [.whole("whole"), .tooLong("long"), .whole(""), .unterminated("half")])
    #expect(held.isEmpty)
  }

  @Test("a line that is held back is a copy, which stays valid when the memory into which it was read is reused")
  func copies() {
    var held = HeldLines()
    var memory = Array("secret".utf8)
    memory.withUnsafeMutableBytes { bytes in
      held.append(.whole(UnsafeRawBufferPointer(bytes)))
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }
    let first = held.removeFirst()
    #expect(withExtendedLifetime(first?.owner) { first.map { ReadLine($0.line) } } == .whole("secret"))
  }

  @Test("when the lines that are held back reach the limit, no further line is held back until one is returned")
  func limit() {
    var held = HeldLines()
    let half = String(repeating: "x", count: HeldLines.limit / 2)
    withBytes(of: half) { held.append(.whole($0)) }
    #expect(!held.isFull)
    withBytes(of: half) { held.append(.whole($0)) }
    #expect(held.isFull)
    _ = held.removeFirst()
    #expect(!held.isFull)
    _ = held.removeFirst()
    #expect(held.isEmpty)
    #expect(held.removeFirst() == nil)
  }
}
