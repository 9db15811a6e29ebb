import Glibc
import SecretMemory
import System

/// A copy of a line that was read, for comparison.
enum ReadLine: Equatable {
  case whole([UInt8])
  case tooLong([UInt8])
  case unterminated([UInt8])

  init(_ line: borrowing LineBuffer.Line) {
    switch copy line {
    case .whole(let bytes): self = .whole(Array(bytes))
    case .tooLong(let prefix): self = .tooLong(Array(prefix))
    case .unterminated(let bytes): self = .unterminated(Array(bytes))
    }
  }

  /// The lines of an input, found by splitting it at newlines: the expected result.
  static func expected(in input: [UInt8], limit: Int) -> [ReadLine] {
    var pieces = input.split(separator: 0x0A, omittingEmptySubsequences: false)
    let rest = Array(pieces.removeLast())
    var lines = pieces.map { piece -> ReadLine in
      let content = Array(piece.last == 0x0D ? piece.dropLast() : piece)
      return content.count > limit ? .tooLong(Array(content.prefix(limit))) : .whole(content)
    }
    if rest.count > limit {
      lines.append(.tooLong(Array(rest.prefix(limit))))
    } else if !rest.isEmpty {
      lines.append(.unterminated(rest))
    }
    return lines
  }

  /// The lines that a `LineBuffer` returns when an input arrives in these chunks.
  static func read(chunks: [ArraySlice<UInt8>], limit: Int) throws -> [ReadLine] {
    let pipe = try TestPipe()
    var buffer = LineBuffer(maximumLineBytes: limit)
    var lines: [ReadLine] = []
    for chunk in chunks {
      // Chunks are written in pieces, since a pipe cannot hold a long chunk at once.
      for start in stride(from: chunk.startIndex, to: chunk.endIndex, by: 4_096) {
        pipe.write(chunk[start..<min(start + 4_096, chunk.endIndex)])
        while case .bytes = buffer.fill(from: pipe.readEnd) {
          while let line = buffer.next() { lines.append(ReadLine(line)) }
        }
      }
    }
    pipe.closeWriteEnd()
    // A child that another test is just starting may hold the other end for a moment, until it
    // executes its program.
    while buffer.fill(from: pipe.readEnd) == .wouldBlock { usleep(100) }
    while let line = buffer.next() { lines.append(ReadLine(line)) }
    while let line = buffer.nextAtEnd() { lines.append(ReadLine(line)) }
    return lines
  }
}
