import JSONCodec

/// What the view has written and the core has not read.
struct InputPipe {
  private var pending = Deque<[UInt8]>()
  /// The beginning of a line that is not whole yet.
  private var partial: [UInt8] = []
  private var isEndTold = false
  /// Whether the view writes nothing more.
  private(set) var hasEnded = false

  var isEmpty: Bool { pending.isEmpty }

  /// Writes bytes. Returns the lines that are whole by that, without their ends.
  mutating func write(_ bytes: [UInt8]) -> [[UInt8]] {
    guard !hasEnded else { return [] }
    pending.append(bytes)
    var lines: [[UInt8]] = []
    bytes.withUnsafeBytes { bytes in
      var start = 0
      while let end = firstOffset(of: "\n", in: bytes, from: start) {
        partial.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        lines.append(partial)
        partial = []
        start = end + 1
      }
      partial.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start...]))
    }
    return lines
  }

  /// Ends what is written. Returns the line that has no end of its own; `nil` if there is none.
  mutating func end() -> [UInt8]? {
    hasEnded = true
    defer { partial = [] }
    return partial.isEmpty ? nil : partial
  }

  /// Takes what was written in one go.
  mutating func popFirst() -> [UInt8]? { pending.popFirst() }

  /// Gives back what was not read.
  mutating func prepend(_ bytes: ArraySlice<UInt8>) { if !bytes.isEmpty { pending.prepend(Array(bytes)) } }

  /// Whether the reader is to be told now, once, that nothing more will come.
  mutating func takeEnd() -> Bool {
    guard hasEnded, pending.isEmpty, !isEndTold else { return false }
    isEndTold = true
    return true
  }
}
