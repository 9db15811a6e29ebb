/// What a witness was told since the last message that is not in a batch, in order.
struct ToldEvents {
  /// Something that was told.
  enum Entry {
    case message(Message)
    /// A line of output: where it stands in `bytes`.
    case line(Range<Int>)
    /// The view of this session took too long to present what it was shown.
    case presentationTimeout([UInt8])
  }

  private(set) var entries: [Entry] = []
  /// The lines, one behind the other.
  private(set) var bytes: [UInt8] = []
  /// All lines that ever were told, and how many.
  private(set) var hash = RunningHash()
  private(set) var lines = 0

  var isEmpty: Bool { entries.isEmpty }

  mutating func append(_ entry: Entry) { entries.append(entry) }

  /// Appends a line of output, without its end.
  mutating func append(line: UnsafeRawBufferPointer) {
    lines += 1
    hash.append(line)
    hash.append(0x0A)
    let start = bytes.count
    bytes.append(contentsOf: line)
    entries.append(.line(start..<bytes.count))
  }

  /// Forgets the entries.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }
}
