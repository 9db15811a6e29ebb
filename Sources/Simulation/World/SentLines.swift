import JSONCodec
import ViewModel

/// The lines that the view has written and the core has not begun to handle, in order, and the ids
/// of requests that have no reply yet.
struct SentLines {
  private var waiting = Deque<[UInt8]>()
  /// The messages of the current batch that the core has not begun to handle; `nil` if no batch is
  /// being handled.
  private var batch: Deque<[UInt8]>?
  /// For the JSON text of each request id, how many replies the engine still has to write.
  private var owed: [[UInt8]: Int] = [:]

  /// The number of written lines that the core has not begun to handle.
  var count: Int { waiting.count }
  var isEmpty: Bool { waiting.isEmpty }
  var isInBatch: Bool { batch != nil }
  /// The JSON text of a request's id to which no reply was written yet; `nil` if all requests were
  /// answered.
  var missingReplyID: [UInt8]? { owed.first?.key }

  // MARK: Lines

  /// Records that the view has written this line, given without its newline. Ignores a blank line,
  /// because it contains no message.
  mutating func append(_ line: [UInt8]) {
    if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { waiting.append(line) }
  }

  /// Removes and returns the oldest waiting line; `nil` if none waits.
  mutating func popFirst() -> [UInt8]? { waiting.popFirst().map(SentLines.withoutReturn) }

  /// Removes the waiting line that contains a message, or the next message of the current batch.
  /// Returns whether the engine was allowed to handle that message now. It has to be the next one,
  /// except under lockstep, where the engine may handle any waiting line.
  mutating func take(_ message: UnsafeRawBufferPointer, isInBatch: Bool, isLockstep: Bool) -> Bool {
    if isInBatch { return batch?.popFirst() != nil }
    // Under lockstep, the engine handles answers to questions and clock messages ahead of other
    // lines.
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

  /// Takes the oldest waiting line as a batch. Returns `false` if no line waits.
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

  /// Ends the current batch. Returns how many of its messages the core had not begun to handle.
  mutating func endBatch() -> Int {
    defer { batch = nil }
    return batch?.count ?? 0
  }

  // MARK: Replies

  /// Records that the engine has to write a reply with this id.
  mutating func owe(_ id: [UInt8]) { owed[id, default: 0] += 1 }

  /// Records that the engine has written a reply with this id. Returns whether the engine had to
  /// write such a reply.
  mutating func settle(_ id: [UInt8]) -> Bool {
    guard let count = owed[id] else { return false }
    owed[id] = count == 1 ? nil : count - 1
    return true
  }
}
