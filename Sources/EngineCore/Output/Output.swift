import JSONCodec
import LoginProtocol
import SecretMemory

/// The engine's output that was not written yet. Also records which part of it the observer has
/// seen.
struct Output: ~Copyable {
  /// The writer of updates. Its buffer is the output.
  var updates = UpdateWriter(capacity: Output.flushSize * 2)
  /// Whether the reader of the output accepted nothing at the last write.
  private var isBlocked = false
  /// Whether the output or unused memory of its buffer may contain secrets. They come from
  /// questions to the frontend, and from codes that views show.
  private var holdsSecrets = false
  /// The number of bytes above which the engine produces no more output.
  private var limit = Output.defaultLimit
  /// How many bytes of this output the observer has seen.
  private var told = 0
  /// The questions to the frontend that the observer has not seen yet: the offset of each in the
  /// output, and the session that asks it.
  private var unobservedQuestions: [(start: Int, asking: AskingSession)] = []

  /// The size at which the output is written before more is produced, in bytes.
  static var flushSize: Int { 64 << 10 }
  static var defaultLimit: Int { 1 << 20 }

  init() {}

  var count: Int { updates.output.count }
  var isEmpty: Bool { updates.output.isEmpty }
  var hasRoom: Bool { updates.output.count < limit }

  /// Whether there is output that the reader may accept at once.
  var hasUnofferedOutput: Bool { !isEmpty && !isBlocked }

  /// Whether so much output has gathered that it should be written before more is produced.
  var isDue: Bool { updates.output.count >= Output.flushSize && !isBlocked }

  /// Appends a line that may contain secrets. The line includes its terminator.
  ///
  /// - Parameter asking: the session that asks the question in the line; `nil` if the line is a
  ///   notice, or if there is no observer.
  mutating func append(_ line: SecretLine, asking: AskingSession? = nil) {
    holdsSecrets = true
    if let asking { unobservedQuestions.append((count, asking)) }
    line.withBytes { updates.output.append($0) }
  }

  /// Records that the appended output may contain secrets.
  mutating func noteSecrets() { holdsSecrets = true }

  /// Lends `body` the output that the observer has not seen, line by line, and marks it as seen.
  mutating func withUnobserved(_ body: (UnsafeRawBufferPointer, AskingSession?) -> Void) {
    let count = updates.output.count
    guard count > told else { return }
    var questions = unobservedQuestions[...]
    updates.output.withBytes { bytes in
      var start = told
      while start < count {
        let end = firstOffset(of: "\n", in: bytes, from: start) ?? count
        let asking = questions.first?.start == start ? questions.removeFirst().asking : nil
        if end > start { body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), asking) }
        start = end + 1
      }
    }
    markObserved()
  }

  /// Writes as much as the reader accepts. If the reader is gone, returns the reason.
  mutating func write(_ write: (UnsafeRawBufferPointer) -> WriteOutcome) -> String? {
    isBlocked = false
    defer { markObserved() }
    while !updates.output.isEmpty {
      switch updates.output.withBytes({ write($0).limited(to: $0.count) }) {
      case .wrote(let count):
        // The rest may stay in memory for long, so the written part is wiped now.
        if holdsSecrets { updates.output.consumeWiping(count) } else { updates.output.consume(count) }
      case .full:
        isBlocked = true
        return nil
      case .closed(let reason): return reason
      }
    }
    wipe()
    updates.output.shrink(to: Output.defaultLimit * 4)
    return nil
  }

  /// Discards all output that was not written.
  mutating func giveUp() {
    updates.output.removeAll()
    markObserved()
    wipe()
  }

  /// Records that the observer, if there is one, has seen all of the output.
  private mutating func markObserved() {
    told = updates.output.count
    if !unobservedQuestions.isEmpty { unobservedQuestions = [] }
  }

  /// Wipes the whole buffer if it contained secrets. Call once all output was written.
  private mutating func wipe() {
    guard holdsSecrets, updates.output.isEmpty else { return }
    updates.output.wipe()
    holdsSecrets = false
  }

  /// Removes the limit on the size of the output, so that interrupted work can be finished.
  mutating func liftLimit() { limit = .max }
  mutating func restoreLimit() { limit = Output.defaultLimit }
}
