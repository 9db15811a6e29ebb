import JSONCodec
import LoginProtocol
import SecretMemory

/// What was said and not written yet.
struct Output: ~Copyable {
  /// Writes updates; its buffer is the output.
  var updates = UpdateWriter(capacity: Output.flushSize * 2)
  /// Whether the reader had no room at the last try.
  private var isBlocked = false
  /// Whether there may be secrets in the output, or in its memory: questions to the frontend, and codes that are shown.
  private var holdsSecrets = false
  /// While there is more output than this, nothing happens that makes more.
  private var limit = Output.defaultLimit
  /// How much of the output the observer was told.
  private var told = 0
  /// Where questions to the frontend begin that the observer was not told, and the sessions that they ask for.
  private var untoldQuestions: [(start: Int, asking: AskingSession)] = []

  /// Output is worth writing once there is this much of it.
  static var flushSize: Int { 64 << 10 }
  static var defaultLimit: Int { 1 << 20 }

  init() {}

  var count: Int { updates.output.count }
  var isEmpty: Bool { updates.output.isEmpty }
  var hasRoom: Bool { updates.output.count < limit }

  /// Whether there is output that its reader was not asked to take.
  var isUntried: Bool { !isEmpty && !isBlocked }

  /// Whether so much has gathered that it should be written before there is more.
  var isDue: Bool { updates.output.count >= Output.flushSize && !isBlocked }

  /// Appends a line that may hold secrets, with its end.
  ///
  /// - Parameter asking: the session that it asks for; `nil` if it is a notice, or nobody is told.
  mutating func append(_ line: SecretLine, asking: AskingSession? = nil) {
    holdsSecrets = true
    if let asking { untoldQuestions.append((count, asking)) }
    line.withBytes { updates.output.append($0) }
  }

  /// Notes that there may be secrets in what is appended.
  mutating func noteSecrets() { holdsSecrets = true }

  /// Takes as much as the observer has not been told, and lends it line by line.
  mutating func withUntold(_ body: (UnsafeRawBufferPointer, AskingSession?) -> Void) {
    let count = updates.output.count
    guard count > told else { return }
    var questions = untoldQuestions[...]
    updates.output.withBytes { bytes in
      var start = told
      while start < count {
        let end = firstOffset(of: "\n", in: bytes, from: start) ?? count
        let asking = questions.first?.start == start ? questions.removeFirst().asking : nil
        if end > start { body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), asking) }
        start = end + 1
      }
    }
    noteTold()
  }

  /// Writes as much as the reader takes. Returns the reason if it takes nothing any more.
  mutating func write(_ write: (UnsafeRawBufferPointer) -> WriteOutcome) -> String? {
    isBlocked = false
    defer { noteTold() }
    while !updates.output.isEmpty {
      switch updates.output.withBytes({ write($0).limited(to: $0.count) }) {
      case .wrote(let count):
        // Its reader may never catch up with the rest.
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

  /// Gives up what was not written.
  mutating func giveUp() {
    updates.output.removeAll()
    noteTold()
    wipe()
  }

  /// Notes that the observer, if there is one, was told all of the output.
  private mutating func noteTold() {
    told = updates.output.count
    if !untoldQuestions.isEmpty { untoldQuestions = [] }
  }

  /// Wipes all of the memory if there were secrets in it, once all of it was written.
  private mutating func wipe() {
    guard holdsSecrets, updates.output.isEmpty else { return }
    updates.output.wipe()
    holdsSecrets = false
  }

  /// What has begun is brought to its end, room or not.
  mutating func liftLimit() { limit = .max }
  mutating func restoreLimit() { limit = Output.defaultLimit }
}
