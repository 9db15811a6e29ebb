import JSONCodec

/// The input that the view has written and the core has not read.
struct InputPipe {
  private var pending = Deque<[UInt8]>()
  /// The bytes of an incomplete line.
  private var partial: [UInt8] = []
  private var hasReportedEnd = false
  /// Whether the view has ended its output.
  private(set) var hasEnded = false

  var isEmpty: Bool { pending.isEmpty }

  /// Writes bytes. Returns the lines that they complete, without newlines.
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

  /// Ends the input. Returns the last line if it has no newline; otherwise `nil`.
  mutating func end() -> [UInt8]? {
    hasEnded = true
    defer { partial = [] }
    return partial.isEmpty ? nil : partial
  }

  /// Removes the bytes of one write.
  mutating func popFirst() -> [UInt8]? { pending.popFirst() }

  /// Puts back bytes that were not read.
  mutating func prepend(_ bytes: ArraySlice<UInt8>) { if !bytes.isEmpty { pending.prepend(Array(bytes)) } }

  /// Whether the reader has to be told of the end now. True once.
  mutating func takeEnd() -> Bool {
    guard hasEnded, pending.isEmpty, !hasReportedEnd else { return false }
    hasReportedEnd = true
    return true
  }
}
