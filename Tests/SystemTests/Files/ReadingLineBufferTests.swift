import SecretMemory
import System
import Testing

@Suite("Lines of a descriptor")
struct ReadingLineBufferTests {
  static let inputs = [
    "", "\n", "\r\n", "a", "ab\ncd\n", "ab\r\ncd", "a\rb\n", "ab\r", "\n\n\nx", "abcde\nabcde\r\nabcdef\nx\n",
    "abcdefgh\r\nok\n", "abcde\r\r\nok\n", "abcdefghijklmnop", "abcdefghijklmnop\n", "abcde\r", "abcde\rf\nok",
    "abcdef\r\nok\r\n",
  ]

  @Test(
    "an input that arrives in three pieces has the same lines, at whichever positions it is split",
    arguments: inputs)
  func splits(input: String) throws {
    let bytes = Array(input.utf8)
    let expected = ReadLine.expected(in: bytes, limit: 5)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let lines = try ReadLine.read(chunks: [bytes[..<first], bytes[first..<second], bytes[second...]], limit: 5)
        #expect(lines == expected, "split at \(first) and \(second)")
      }
    }
  }

  @Test("an input that arrives byte by byte has the same lines as an input that arrives at once", arguments: inputs)
  func singleBytes(input: String) throws {
    let bytes = Array(input.utf8)
    let lines = try ReadLine.read(chunks: bytes.indices.map { bytes[$0...$0] }, limit: 5)
    #expect(lines == ReadLine.expected(in: bytes, limit: 5))
  }

  @Test(
    "lines about as long as the line buffer or as the maximum line length are read correctly",
    arguments: [65_536, 131_072, 100_000, 1_048_576, 65_530, 0], ["\n", "\r\n", ""])
  func boundaries(limit: Int, ending: String) throws {
    for length in (limit - 2)...(limit + 3) where length >= 0 {
      let long = [UInt8](repeating: UInt8(ascii: "x"), count: length) + Array(ending.utf8)
      let input = Array("before\n".utf8) + long + Array(ending.isEmpty ? "".utf8 : "after\n".utf8)
      let lines = try ReadLine.read(chunks: [input[...]], limit: limit)
      #expect(lines == ReadLine.expected(in: input, limit: limit), "length \(length)")
    }
  }

  @Test("a line that is too long is reported once, before its end, and the next line is read")
  func tellsEarly() throws {
    let pipe = try TestPipe()
    var buffer = LineBuffer(maximumLineBytes: 4)
    pipe.write("abcdef")
    #expect(buffer.fill(from: pipe.readEnd) == .bytes(6))
    #expect(buffer.next().map { ReadLine($0) } == .tooLong(Array("abcd".utf8)))
    #expect(buffer.next() == nil)
    for _ in 0..<100 {
      pipe.write(String(repeating: "y", count: 4_000))
      #expect(buffer.fill(from: pipe.readEnd) == .bytes(4_000))
      #expect(buffer.next() == nil)
    }
    #expect(buffer.withAllBytes { $0.count } == 65_536)
    pipe.write("y\nok\n")
    #expect(buffer.fill(from: pipe.readEnd) == .bytes(5))
    #expect(buffer.next().map { ReadLine($0) } == .whole(Array("ok".utf8)))
    #expect(buffer.fill(from: pipe.readEnd) == .wouldBlock)
  }

  @Test("a line that is too long and cut off by the end of input is reported once")
  func overLongAtEnd() throws {
    let lines = try ReadLine.read(chunks: [Array("abcdefgh".utf8)[...]], limit: 4)
    #expect(lines == [.tooLong(Array("abcd".utf8))])
  }

  @Test("a full line buffer reads nothing more, and keeps the lines that were not taken")
  func backpressure() throws {
    let pipe = try TestPipe()
    var buffer = LineBuffer(maximumLineBytes: 10)
    var count = 0
    for _ in 0..<20 {
      pipe.write(String(repeating: "1234567\n", count: 512))
      count += 512
      _ = buffer.fill(from: pipe.readEnd)
    }
    #expect(buffer.fill(from: pipe.readEnd) == .bytes(0))
    var taken = 0
    repeat {
      while let line = buffer.next() {
        #expect(ReadLine(line) == .whole(Array("1234567".utf8)))
        taken += 1
      }
    } while buffer.fill(from: pipe.readEnd) != .wouldBlock
    #expect(taken == count)
  }

  @Test("reading from a descriptor that cannot be read is an error that names the system call")
  func unreadable() throws {
    var buffer = LineBuffer(maximumLineBytes: 10)
    #expect(buffer.fill(from: -1) == .failed(SystemError(call: "read", number: 9)))
  }
}

private func == (line: LineBuffer.Line?, nothing: _OptionalNilComparisonType) -> Bool {
  if case .none = line { true } else { false }
}
