/// The batch in progress, as it is recorded.
struct RecordedBatch {
  private var entries: [[UInt8]] = []
  /// Whether an entry of the batch has led to a question to an authenticator.
  var hasAsked = false

  mutating func append(_ entry: [UInt8]) { entries.append(entry) }

  /// Removes the latest entry of the batch, because the engine will not handle it.
  mutating func removeLatest() { if !entries.isEmpty { entries.removeLast() } }

  /// The batch as one line: a JSON array of its entries.
  var line: [UInt8] { [0x5B] + Array(entries.joined(separator: [0x2C])) + [0x5D] }
}
