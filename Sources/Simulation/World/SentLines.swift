import JSONCodec
import ViewModel

/// What the view has written: the lines that the core has not begun to handle, in order, and the requests among the others that have no
/// reply yet.
struct SentLines {
  private var waiting = Deque<[UInt8]>()
  /// The entries of a batch that were not begun; `nil` outside of a batch.
  private var batch: Deque<[UInt8]>?
  /// How often a reply is still to come, by the texts of the ids.
  private var owed: [[UInt8]: Int] = [:]

  /// How many lines were not begun.
  var count: Int { waiting.count }
  var isEmpty: Bool { waiting.isEmpty }
  var isInBatch: Bool { batch != nil }
  /// The text of an id that has no reply; `nil` if there is none.
  var owedID: [UInt8]? { owed.first?.key }

  // MARK: Lines

  /// Notes that the view has written a line, without its end. An empty one is no message.
  mutating func append(_ line: [UInt8]) {
    if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { waiting.append(line) }
  }

  /// Takes the next line; `nil` if none was sent.
  mutating func popFirst() -> [UInt8]? { waiting.popFirst().map(SentLines.withoutReturn) }

  /// Takes the line that a message is, or in a batch its entry. Returns whether that is the one to come, or of lines in lockstep one that waits.
  mutating func take(_ message: UnsafeRawBufferPointer, isInBatch: Bool, isLockstep: Bool) -> Bool {
    if isInBatch { return batch?.popFirst() != nil }
    // What answers a question, or moves the clock, goes before others.
    if isLockstep { return waiting.removeFirst { same(SentLines.withoutReturn($0), message) } != nil }
    guard let line = popFirst() else { return false }
    return same(line, message) || SentLines.trimmed(line) == SentLines.trimmed(Array(message))
  }

  private static func withoutReturn(_ line: [UInt8]) -> [UInt8] { line.last == 0x0D ? line.dropLast() : line }

  private static func trimmed(_ line: [UInt8]) -> ArraySlice<UInt8> {
    var line = line[...]
    while let last = line.last, last == 0x20 || last == 0x09 || last == 0x0D { line.removeLast() }
    while let first = line.first, first == 0x20 || first == 0x09 || first == 0x0D { line.removeFirst() }
    return line
  }

  // MARK: Batches

  /// The next line is a batch. Returns whether there is one.
  mutating func beginBatch(_ scratch: Scratch) -> Bool {
    guard let line = popFirst() else { return false }
    var entries = Deque<[UInt8]>()
    line.withUnsafeBytes { bytes in
      guard (try? scratch.message.parse(bytes)) != nil, let root = scratch.message.root else { return }
      var child = scratch.message.firstChild(root)
      while let entry = child {
        entries.append(Array(scratch.message.fullText(entry)))
        child = scratch.message.sibling(after: entry, in: root)
      }
    }
    batch = entries
    return true
  }

  /// Returns how many entries of the batch were not begun.
  mutating func endBatch() -> Int {
    defer { batch = nil }
    return batch?.count ?? 0
  }

  // MARK: Replies

  /// A reply with this id has to come.
  mutating func owe(_ id: [UInt8]) { owed[id, default: 0] += 1 }

  /// A reply with this id has come. Returns whether one had to.
  mutating func settle(_ id: [UInt8]) -> Bool {
    guard let count = owed[id] else { return false }
    owed[id] = count == 1 ? nil : count - 1
    return true
  }
}
