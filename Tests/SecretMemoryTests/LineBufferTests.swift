import SecretMemory
import Testing

@Suite("Lines of bytes that are appended to a line buffer")
struct LineBufferTests {
  private static let inputs = [
    "", "\n", "\r\n", "a", "ab\ncd\n", "ab\r\ncd", "a\rb\n", "ab\r", "\n\n\nx", "abcde\nabcde\r\nabcdef\nx\n",
    "abcdefgh\r\nok\n", "abcde\r\r\nok\n", "abcdefghijklmnop", "abcde\rf\nok",
  ]

  private enum Read: Equatable {
    case whole([UInt8])
    case tooLong([UInt8])
    case unterminated([UInt8])

    init(_ line: LineBuffer.Line) {
      switch line {
      case .whole(let bytes): self = .whole(Array(bytes))
      case .tooLong(let prefix): self = .tooLong(Array(prefix))
      case .unterminated(let bytes): self = .unterminated(Array(bytes))
      }
    }
  }

  /// The lines of an input, found by splitting it at newlines: the expected result.
  private func expected(_ input: [UInt8], limit: Int) -> [Read] {
    var pieces = input.split(separator: 0x0A, omittingEmptySubsequences: false)
    let rest = Array(pieces.removeLast())
    let lines = pieces.map { piece -> Read in
      let content = Array(piece.last == 0x0D ? piece.dropLast() : piece)
      return content.count > limit ? .tooLong(Array(content.prefix(limit))) : .whole(content)
    }
    if rest.count > limit { return lines + [.tooLong(Array(rest.prefix(limit)))] }
    return rest.isEmpty ? lines : lines + [.unterminated(rest)]
  }

  /// The lines of an input that arrives in these chunks.
  private func read(_ chunks: [ArraySlice<UInt8>], limit: Int) -> [Read] {
    var buffer = LineBuffer(maximumLineBytes: limit)
    var lines: [Read] = []
    for chunk in chunks {
      var rest = chunk
      repeat {
        rest = rest.dropFirst(rest.withUnsafeBytes { buffer.append($0) })
        while let line = buffer.next() { lines.append(Read(line)) }
      } while !rest.isEmpty
    }
    while let line = buffer.nextAtEnd() { lines.append(Read(line)) }
    return lines
  }

  @Test("peeking at the bytes after the next line does not change the lines that are returned", arguments: inputs)
  func behindNext(input: String) {
    let bytes = Array(input.utf8)
    for split in 0...bytes.count {
      var buffer = LineBuffer(maximumLineBytes: 5)
      var (lines, rest) = ([Read](), [UInt8]())
      for chunk in [bytes[..<split], bytes[split...]] {
        _ = chunk.withUnsafeBytes { buffer.append($0) }
        rest += chunk
        while true {
          let next = rest.firstIndex(of: 0x0A)
          #expect(Array(buffer.peekBehindNext()) == next.map { Array(rest[($0 + 1)...]) } ?? [], "split at \(split)")
          let known = lines.count
          if let line = buffer.next() { lines.append(Read(line)) }
          rest.removeFirst(next.map { $0 + 1 } ?? 0)
          if next == nil, lines.count == known { break }
        }
      }
      while let line = buffer.nextAtEnd() { lines.append(Read(line)) }
      #expect(lines == expected(bytes, limit: 5), "split at \(split)")
    }
  }

  @Test("an input that arrives in three pieces has the same lines, wherever it is split", arguments: inputs)
  func splits(input: String) {
    let bytes = Array(input.utf8)
    let expected = expected(bytes, limit: 5)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let lines = read([bytes[..<first], bytes[first..<second], bytes[second...]], limit: 5)
        #expect(lines == expected, "split at \(first) and \(second)")
      }
    }
  }

  @Test(
    "lines much longer than the initial buffer are returned whole, up to the line limit",
    arguments: [65_535, 65_536, 200_000])
  func longLines(limit: Int) {
    for length in [limit - 1, limit, limit + 1, limit * 2] {
      let input = Array("a\n".utf8) + [UInt8](repeating: 0x78, count: length) + Array("\r\nb\n".utf8)
      #expect(read([input[...]], limit: limit) == expected(input, limit: limit), "length \(length)")
    }
  }

  @Test("append copies only as many bytes as the line buffer has room for, and more once lines were taken")
  func room() {
    var buffer = LineBuffer(maximumLineBytes: 10)
    let input = Array(String(repeating: "1234567\n", count: 10_000).utf8)
    let taken = input.withUnsafeBytes { buffer.append($0) }
    #expect(taken == 65_536)
    let isFull = buffer.isFull
    #expect(isFull)
    let refused = input.withUnsafeBytes { buffer.append($0) }
    #expect(refused == 0)
    while buffer.next() != nil {}
    let more = input.withUnsafeBytes { buffer.append($0) }
    #expect(more == 65_536)
  }

  @Test("the bytes of a returned line are zeroed once the next line is requested")
  func wiping() {
    var buffer = LineBuffer(maximumLineBytes: 100)
    _ = Array("hunter2\nrest".utf8).withUnsafeBytes { buffer.append($0) }
    _ = buffer.next().map { Read($0) }
    _ = buffer.next().map { Read($0) }
    let isWiped = buffer.withAllBytes { $0[..<8].allSatisfy { $0 == 0 } }
    #expect(isWiped)
    _ = Array("\n".utf8).withUnsafeBytes { buffer.append($0) }
    let line = buffer.next().map { Read($0) }
    #expect(line == .whole(Array("rest".utf8)))
    _ = buffer.next().map { Read($0) }
    let holdsNothing = buffer.withAllBytes { $0.allSatisfy { $0 == 0 } }
    #expect(holdsNothing)
  }

  @Test(
    "if a writer claims an impossible number of bytes written into a line buffer, the nearest possible number is used")
  func lies() {
    var buffer = LineBuffer(maximumLineBytes: 10)
    buffer.append { _ in -5 }
    let hasLine = buffer.next() != nil
    #expect(!hasLine)
    buffer.append { $0.count + 1 }
    let isFull = buffer.isFull
    #expect(isFull)
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The first bytes of a stream, and those of them that belong to the first line.
  private static let beginnings: [(bytes: [UInt8], kept: [UInt8])] = [
    (mark, []), ([], []), (mark + mark, mark), ([0xEF], [0xEF]), ([0xEF, 0xBB], [0xEF, 0xBB]),
    ([0xEF, 0xBB, 0xBE], [0xEF, 0xBB, 0xBE]), ([0xBB, 0xBF], [0xBB, 0xBF]), ([0xFE, 0xFF], [0xFE, 0xFF]),
    ([0x20] + mark, [0x20] + mark), ([0x0A] + mark, [0x0A] + mark),
  ]

  @Test(
    "a byte order mark is dropped at the start of a stream, in however many pieces it arrives, and kept elsewhere")
  func byteOrderMark() {
    for beginning in Self.beginnings {
      for rest in ["", "\n", "ab\ncd\n", "ab"] {
        for middle in [[], Self.mark] {
          let tail = Array(rest.utf8) + (rest.isEmpty ? [] : middle) + Array("\nx".utf8)
          let input = beginning.bytes + tail
          for split in 0...input.count {
            for other in split...input.count {
              let chunks = [input[..<split], input[split..<other], input[other...]]
              #expect(
                read(chunks, limit: 16) == expected(beginning.kept + tail, limit: 16), "\(input) \(split) \(other)")
            }
          }
        }
      }
    }
    #expect(read([Self.mark[...]], limit: 16).isEmpty)
    // A byte order mark does not count towards the limit of a line.
    #expect(read([(Self.mark + Array("abcd\n".utf8))[...]], limit: 4) == [.whole(Array("abcd".utf8))])
    #expect(read([[0xEF], [0xBB], [0xBF], [0x61, 0x0A]], limit: 1) == [.whole([0x61])])
  }

  @Test(
    "each stream that is read through the same line buffer may begin with a byte order mark",
    arguments: [true, false])
  func secondStream(isRead: Bool) {
    let second = Self.mark + Array("cd\nef\n".utf8)
    for split in 0...second.count {
      var buffer = LineBuffer(maximumLineBytes: 16)
      var lines: [Read] = []
      _ = (Self.mark + Array("ab\nxy\n".utf8)).withUnsafeBytes { buffer.append($0) }
      if isRead { while let line = buffer.next() { lines.append(Read(line)) } }
      buffer.beginStream()
      for chunk in [second[..<split], second[split...]] {
        _ = chunk.withUnsafeBytes { buffer.append($0) }
        while let line = buffer.next() { lines.append(Read(line)) }
      }
      #expect(lines == ["ab", "xy", "cd", "ef"].map { .whole(Array($0.utf8)) }, "\(split)")
    }
  }
}
