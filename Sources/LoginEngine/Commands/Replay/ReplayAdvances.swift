import JSONCodec

/// The replayer's own requests to advance the clock of an engine. Their responses are not part of a
/// transcript.
struct ReplayAdvances {
  private var count = 0
  private var id: String?
  /// What was wrong with a response; `nil` if nothing was.
  private(set) var problem: String?

  /// Whether the last request to advance the clock has no response yet.
  var isPending: Bool { id != nil }

  /// Makes the line of the next request to advance the clock.
  mutating func begin(_ milliseconds: UInt64) -> [UInt8] {
    count += 1
    let id = "replay advances the clock, \(count)"
    self.id = id
    let request = JSONValue.object([
      .init("jsonrpc", .string("2.0")), .init("id", .string(id)), .init("method", .string("clock/advance")),
      .init("params", .object([.init("milliseconds", .number(String(milliseconds)))])),
    ])
    return Array((request.text + "\n").utf8)
  }

  /// Whether a line of the engine's output is the response to the pending request. If it is, the
  /// request is no longer pending.
  mutating func takes(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let id, let message = try? JSONValue(parsing: line), message["id"]?.string == id else { return false }
    self.id = nil
    if message["result"] == nil { problem = "the engine has not moved its clock: \(message.text)" }
    return true
  }
}
