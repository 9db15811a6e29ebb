/// The batch in progress, as it is recorded.
struct RecordedBatch {
  private var entries: [[UInt8]] = []
  /// Whether its entries have led to questions.
  var hasAsked = false

  mutating func append(_ entry: [UInt8]) { entries.append(entry) }

  /// Removes the latest entry, which will not be handled.
  mutating func removeLatest() { if !entries.isEmpty { entries.removeLast() } }

  /// The batch as the view wrote it.
  var line: [UInt8] { [0x5B] + Array(entries.joined(separator: [0x2C])) + [0x5D] }
}
