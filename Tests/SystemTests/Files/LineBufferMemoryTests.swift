import SecretMemory
import System
import Testing

@Suite("The memory of a line buffer")
struct LineBufferMemoryTests {
  private func remains(_ buffer: borrowing LineBuffer) -> [UInt8] {
    buffer.withAllBytes { $0.filter { $0 != 0 } }
  }

  /// Reads once from the pipe into the buffer, and takes all complete lines.
  private func takeLines(from pipe: TestPipe, _ buffer: inout LineBuffer) {
    _ = buffer.fill(from: pipe.readEnd)
    while let line = buffer.next() { _ = line }
  }

  @Test("no bytes of returned lines remain in the line buffer when there is no further line")
  func wiped() throws {
    let pipe = try TestPipe()
    var buffer = LineBuffer(maximumLineBytes: 1_000)
    pipe.write("one password\nanother\r\nthe beginning of a th")
    takeLines(from: pipe, &buffer)
    #expect(remains(buffer) == Array("the beginning of a th".utf8))
    pipe.write("ird\nx")
    _ = buffer.fill(from: pipe.readEnd)
    #expect(buffer.next().map { ReadLine($0) } == .whole(Array("the beginning of a third".utf8)))
    #expect(remains(buffer) == Array("the beginning of a third\nx".utf8))
    buffer.wipeConsumed()
    #expect(remains(buffer) == Array("x".utf8))
  }

  @Test(
    "a line that is moved to the front of the line buffer leaves no second copy, whatever its length",
    arguments: [1, 5, 60, 200])
  func moved(length: Int) throws {
    let pipe = try TestPipe()
    var buffer = LineBuffer(maximumLineBytes: 1_000)
    let rest = [UInt8](repeating: UInt8(ascii: "s"), count: length)
    pipe.write(Array("a first line of fifty bytes .......................\n".utf8) + rest)
    takeLines(from: pipe, &buffer)
    #expect(buffer.fill(from: pipe.readEnd) == .wouldBlock)
    #expect(remains(buffer) == rest)
  }

  @Test("the line buffer wipes the rest of a line that is too long as it arrives")
  func discarded() throws {
    let pipe = try TestPipe()
    var buffer = LineBuffer(maximumLineBytes: 4)
    pipe.write("password")
    takeLines(from: pipe, &buffer)
    #expect(remains(buffer) == [])
    pipe.write("password")
    takeLines(from: pipe, &buffer)
    #expect(remains(buffer) == [])
  }

  @Test("an unterminated line is wiped in the line buffer after it was returned")
  func atEnd() throws {
    let pipe = try TestPipe()
    var buffer = LineBuffer(maximumLineBytes: 100)
    pipe.write("password")
    pipe.closeWriteEnd()
    takeLines(from: pipe, &buffer)
    #expect(buffer.nextAtEnd().map { ReadLine($0) } == .unterminated(Array("password".utf8)))
    while let line = buffer.nextAtEnd() { _ = line }
    #expect(remains(buffer) == [])
  }

  @Test("the line buffer grows for a long line and shrinks afterwards")
  func shrinks() throws {
    let pipe = try TestPipe()
    var buffer = LineBuffer(maximumLineBytes: 300_000)
    for _ in 0..<50 {
      pipe.write([UInt8](repeating: UInt8(ascii: "x"), count: 4_096))
      takeLines(from: pipe, &buffer)
    }
    #expect(buffer.withAllBytes { $0.count } == 262_144)
    pipe.write("\n")
    takeLines(from: pipe, &buffer)
    #expect(buffer.fill(from: pipe.readEnd) == .wouldBlock)
    #expect(buffer.withAllBytes { $0.count } == 65_536)
  }
}
