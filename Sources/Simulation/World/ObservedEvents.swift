/// The observed events since the last message outside a batch, in order.
struct ObservedEvents {
  /// An observed event.
  enum Entry {
    case message(Message)
    /// A line of output, as its range in `bytes`.
    case line(Range<Int>)
    /// The view of this session exceeded the presentation timeout.
    case presentationTimeout([UInt8])
  }

  private(set) var entries: [Entry] = []
  /// The concatenated lines.
  private(set) var bytes: [UInt8] = []
  /// The hash and the number of all lines observed so far.
  private(set) var hash = RunningHash()
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

  /// Removes the entries.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }
}
