import JSONCodec

/// A pipe from the view to the core: the bytes that the view has written and the core has not read.
struct InputPipe {
  private var pending = Deque<[UInt8]>()
  /// The part of the last line that has no newline yet.
  private var partial: [UInt8] = []
  private var hasReportedEnd = false
  /// Whether the view has closed the pipe.
  private(set) var hasEnded = false

  var isEmpty: Bool { pending.isEmpty }

  /// Adds bytes that the view writes. Returns the lines that these bytes complete, without
  /// newlines.
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

  /// Closes the pipe. Returns the last line if the view did not end it with a newline; otherwise
  /// `nil`.
  mutating func end() -> [UInt8]? {
    hasEnded = true
    defer { partial = [] }
    return partial.isEmpty ? nil : partial
  }

  /// Removes and returns the oldest piece that the view has written; `nil` if the core has read
  /// everything.
  mutating func popFirst() -> [UInt8]? { pending.popFirst() }

  /// Puts bytes back to the front of the pipe, because the core did not accept them.
  mutating func prepend(_ bytes: ArraySlice<UInt8>) { if !bytes.isEmpty { pending.prepend(Array(bytes)) } }

  /// Returns `true` once: when the view has closed the pipe and the core has read everything. The
  /// core then has to be told that the input has ended.
  mutating func takeEnd() -> Bool {
    guard hasEnded, pending.isEmpty, !hasReportedEnd else { return false }
    hasReportedEnd = true
    return true
  }
}
