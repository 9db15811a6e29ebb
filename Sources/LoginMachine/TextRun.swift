/// Bytes that are replaced on every event, in memory that is kept: emptying an array and filling it again costs more than the bytes do.
@usableFromInline struct TextRun: Equatable, Sendable {
  /// What lies behind `count` is left over.
  @usableFromInline var memory: [UInt8] = []
  @usableFromInline var count = 0

  mutating func removeAll() { count = 0 }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    if bytes.isEmpty { return }
    let end = count + bytes.count
    if end > memory.count { memory.append(contentsOf: repeatElement(0, count: end * 2 - memory.count)) }
    memory.withUnsafeMutableBytes { $0[count..<end].copyBytes(from: bytes) }
    count = end
  }

  /// A copy of the bytes.
  func array() -> [UInt8] { Array(memory.prefix(count)) }

  /// A copy of some of the bytes.
  func array(_ range: Range<Int32>) -> [UInt8] { Array(memory[Int(range.lowerBound)..<Int(range.upperBound)]) }

  /// Lends some of the bytes.
  @inlinable func withBytes<R>(_ range: Range<Int32>, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return memory.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[Int(range.lowerBound)..<Int(range.upperBound)]))
    }
  }

  @usableFromInline static func == (left: TextRun, right: TextRun) -> Bool {
    left.count == right.count && left.memory.prefix(left.count) == right.memory.prefix(right.count)
  }
}
