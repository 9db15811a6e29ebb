import JSONCodec

/// The replayer's own requests to advance the clock of an engine. Their responses are not part of a
/// transcript.
struct ReplayAdvances {
  private var count = 0
  private var id: String?
  /// The fault in a response.
  private(set) var problem: String?

  /// Whether the last request is unanswered.
  var isPending: Bool { id != nil }

  /// The line of the next request.
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

  /// Whether a line of the engine's output is the response. If it is, the request is no longer
  /// pending.
  mutating func takes(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let id, let message = try? JSONValue(parsing: line), message["id"]?.string == id else { return false }
    self.id = nil
    if message["result"] == nil { problem = "the engine has not moved its clock: \(message.text)" }
    return true
  }
}
