/// The core's events since the last message that was not part of a batch, in order.
struct ObservedEvents {
  /// One event of the core that the checker has observed.
  enum Entry {
    case message(Message)
    /// A line of output, as its range in `bytes`.
    case line(Range<Int>)
    /// The view of the named session did not present an update within the presentation timeout.
    case presentationTimeout([UInt8])
  }

  private(set) var entries: [Entry] = []
  /// The output lines of all entries, one after the other, without newlines.
  private(set) var bytes: [UInt8] = []
  /// The hash of all lines observed so far. Removing entries does not change it.
  private(set) var hash = RunningHash()
  /// The number of all lines observed so far. Removing entries does not change it.
  private(set) var lines = 0

  var isEmpty: Bool { entries.isEmpty }

  mutating func append(_ entry: Entry) { entries.append(entry) }

  /// Appends a line of output, given without its newline.
  mutating func append(line: UnsafeRawBufferPointer) {
    lines += 1
    hash.append(line)
    hash.append(0x0A)
    let start = bytes.count
    bytes.append(contentsOf: line)
    entries.append(.line(start..<bytes.count))
  }

  /// Removes all entries and their lines, but keeps the hash and the number of lines.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }
}
