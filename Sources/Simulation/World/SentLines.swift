import JSONCodec
import ViewModel

/// The lines that the view has written and the core has not begun to handle, in order, and the
/// requests that have no reply yet.
struct SentLines {
  private var waiting = Deque<[UInt8]>()
  /// The batch entries that the core has not begun to handle; `nil` outside a batch.
  private var batch: Deque<[UInt8]>?
  /// The number of replies that are still due, by the text of the id.
  private var owed: [[UInt8]: Int] = [:]

  /// The number of lines that the core has not begun to handle.
  var count: Int { waiting.count }
  var isEmpty: Bool { waiting.isEmpty }
  var isInBatch: Bool { batch != nil }
  /// The text of an id whose reply is due; `nil` if there is none.
  var missingReplyID: [UInt8]? { owed.first?.key }

  // MARK: Lines

  /// Records that the view has written a line, given without its newline. A blank line is no
  /// message.
  mutating func append(_ line: [UInt8]) {
    if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { waiting.append(line) }
  }

  /// Removes the next line; `nil` if there is none.
  mutating func popFirst() -> [UInt8]? { waiting.popFirst().map(SentLines.withoutReturn) }

  /// Removes the line of a message, or its entry in a batch. Returns whether it was the next one
  /// or, under lockstep, any waiting one.
  mutating func take(_ message: UnsafeRawBufferPointer, isInBatch: Bool, isLockstep: Bool) -> Bool {
    if isInBatch { return batch?.popFirst() != nil }
    // Under lockstep, answers to questions and clock messages overtake others.
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

  /// Begins a batch with the next line. Returns whether there is one.
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

  /// Ends the batch. Returns how many entries were not begun.
  mutating func endBatch() -> Int {
    defer { batch = nil }
    return batch?.count ?? 0
  }

  // MARK: Replies

  /// Records that a reply with this id is due.
  mutating func owe(_ id: [UInt8]) { owed[id, default: 0] += 1 }

  /// Records a reply with this id. Returns whether one was due.
  mutating func settle(_ id: [UInt8]) -> Bool {
    guard let count = owed[id] else { return false }
    owed[id] = count == 1 ? nil : count - 1
    return true
  }
}
