import SecretMemory
import Testing

@testable import EngineCore

@Suite("The queue of input")
struct InputQueueTests {
  private static let inputs = [
    "", "\n", "ab\ncd\n", "ab\r\ncd", "a\rb\n\nx", "abcde\nabcdef\nx\n", "abcdefgh\r\nok", "abcdefgh",
  ]

  /// All lines that a queue returns if its input arrives in these chunks.
  private func lines(of chunks: [ArraySlice<UInt8>], limit: Int = 5) -> [ReadLine] {
    var queue = InputQueue(maximumLineBytes: limit)
    var read: [ReadLine] = []
    for chunk in chunks {
      let count = chunk.withUnsafeBytes { queue.append($0) }
      #expect(count == chunk.count)
      while let next = queue.nextLine() { read.append(ReadLine(next.line)) }
    }
    queue.end()
    while let next = queue.nextLine() { read.append(ReadLine(next.line)) }
    return read
  }

  @Test("an input split at any two places has the same lines", arguments: inputs)
  func splits(input: String) {
    let bytes = Array(input.utf8)
    let expected = lines(of: [bytes[...]])
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let split = lines(of: [bytes[..<first], bytes[first..<second], bytes[second...]])
        #expect(split == expected, "split at \(first) and \(second)")
      }
    }
  }

  @Test("a line of input is complete, too long, or unterminated at the end of input")
  func kinds() {
    let read = lines(of: [Array("ab\r\nabcdef\n\nrest".utf8)[...]])
    #expect(read == [.whole("ab"), .tooLong("abcde"), .whole(""), .unterminated("rest")])
  }

  @Test("bytes after the last newline become a line only at the end of input")
  func unterminated() {
    var queue = InputQueue(maximumLineBytes: 100)
    _ = withBytes(of: "half") { queue.append($0) }
    #expect(queue.nextLine().map { ReadLine($0.line) } == nil)
    queue.end()
    #expect(queue.nextLine().map { ReadLine($0.line) } == .unterminated("half"))
    #expect(queue.nextLine().map { ReadLine($0.line) } == nil)
  }

  @Test("lines that were held back are returned before all others, in their order")
  func heldBack() {
    var queue = InputQueue(maximumLineBytes: 100)
    _ = withBytes(of: "a\nb\nc\nd\n") { queue.append($0) }
    for _ in 0..<2 { if let line = queue.nextUnheld() { queue.hold(line) } }
    #expect(queue.nextUnheld().map { ReadLine($0) } == .whole("c"))
    var read: [ReadLine] = []
    while let next = queue.nextLine() { withExtendedLifetime(next.owner) { read.append(ReadLine(next.line)) } }
    #expect(read == [.whole("a"), .whole("b"), .whole("d")])
  }

  @Test("the next line can be peeked at only if it is complete and no line is held back")
  func peeking() {
    var queue = InputQueue(maximumLineBytes: 100)
    _ = withBytes(of: "a\nb") { queue.append($0) }
    #expect(queue.peek().map { text($0) } == "a")
    #expect(queue.peek().map { text($0) } == "a")
    if let line = queue.nextUnheld() { queue.hold(line) }
    #expect(queue.peek().map { text($0) } == nil)
    #expect(queue.nextLine().map { ReadLine($0.line) } == .whole("a"))
    #expect(queue.peek().map { text($0) } == nil)
    _ = withBytes(of: "\n") { queue.append($0) }
    #expect(queue.peek().map { text($0) } == "b")
  }

  @Test("the queue of input accepts bytes only while it has memory for them, and again after lines were returned")
  func full() {
    var queue = InputQueue(maximumLineBytes: 10)
    let lines = String(repeating: "1234567\n", count: 10_000)
    let taken = withBytes(of: lines) { queue.append($0) }
    #expect(taken == 64 * 1024)
    let refused = withBytes(of: "x") { queue.append($0) }
    #expect(refused == 0)
    let isFull = queue.isFull
    #expect(isFull)
    var count = 0
    while queue.nextLine() != nil { count += 1 }
    #expect(count == taken / 8)
    let more = withBytes(of: "x") { queue.append($0) }
    #expect(more == 1)
  }

  @Test("the input passes through its stages in order, and never returns to an earlier stage")
  func stages() {
    var queue = InputQueue(maximumLineBytes: 10)
    queue.drain()
    #expect(queue.stage == .open)
    queue.end()
    #expect(queue.stage == .ended)
    queue.drain()
    #expect(queue.stage == .draining)
    queue.end()
    #expect(queue.stage == .draining)
    var isSettling = queue.isSettlingEnd
    #expect(isSettling)
    queue.settleEnd()
    isSettling = queue.isSettlingEnd
    #expect(!isSettling)
    queue.close()
    #expect(queue.stage == .closing)
  }

  @Test("the queue of input is stalled while lines have to wait, and no longer when the engine begins to handle them")
  func stalling() {
    var queue = InputQueue(maximumLineBytes: 10)
    queue.stall()
    #expect(queue.isStalled == true)
    queue.beginHandling()
    #expect(queue.isStalled == false)
  }
}

extension InputQueue {
  /// Removes and returns the next line in the order of arrival. The line is valid as long as
  /// `owner` is alive.
  fileprivate mutating func nextLine() -> (line: LineBuffer.Line, owner: SecretLine?)? {
    if let held = nextHeld() { return (held.line, held.owner) }
    return nextUnheld().map { ($0, nil) }
  }
}
