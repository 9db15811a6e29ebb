/// Bytes that are appended at one end and taken from the other; what every message is written into.
///
/// The memory is kept for reuse. It is zeroed before it is given back or replaced by a larger block, because a buffer may
/// have carried a password.
public struct ByteBuffer: ~Copyable {
  @usableFromInline package var base: UnsafeMutablePointer<UInt8>
  @usableFromInline package var capacity: Int
  @usableFromInline var start: Int
  @usableFromInline var end: Int

  /// An empty buffer with room for `capacity` bytes.
  public init(capacity: Int = 256) {
    let room = max(capacity, 16)
    base = .allocate(capacity: room)
    self.capacity = room
    start = 0
    end = 0
  }

  deinit {
    zeroize(base, capacity)
    base.deallocate()
  }

  /// The number of bytes not yet taken.
  @inlinable public var count: Int { end - start }

  /// Whether there is nothing left to take.
  @inlinable public var isEmpty: Bool { end == start }

  /// The bytes not yet taken, valid until the buffer changes.
  @inlinable public borrowing func withBytes<R, E>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try body(UnsafeRawBufferPointer(start: base + start, count: end - start))
  }

  /// A copy of the bytes not yet taken.
  public borrowing func array() -> [UInt8] {
    Array(UnsafeBufferPointer(start: base + start, count: end - start))
  }

  /// Appends `bytes`.
  @inlinable public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    append(source, bytes.count)
  }

  /// Appends `count` bytes from `source`.
  @inlinable @inline(__always) public mutating func append(_ source: UnsafeRawPointer, _ count: Int) {
    reserve(count)
    UnsafeMutableRawPointer(base + end).copyMemory(from: source, byteCount: count)
    end += count
  }

  /// Appends one byte.
  @inlinable @inline(__always) public mutating func append(_ byte: UInt8) {
    reserve(1)
    base[end] = byte
    end += 1
  }

  /// Appends text known when the program was built.
  @inlinable @inline(__always) public mutating func append(_ text: StaticString) {
    append(UnsafeRawPointer(text.utf8Start), text.utf8CodeUnitCount)
  }

  /// Appends the bytes of an array.
  public mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Appends the UTF-8 of a string.
  ///
  /// Disfavoured, because a literal would be a `String` otherwise, and no longer a copy of a few known bytes.
  @_disfavoredOverload public mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Appends a whole number in decimal.
  @inlinable public mutating func append(decimal value: UInt64) {
    reserve(20)
    if value < 10 {
      base[end] = UInt8(truncatingIfNeeded: value) + 0x30
      end += 1
      return
    }
    var digits = 1
    var limit: UInt64 = 10
    while digits < 20, value >= limit {
      digits += 1
      let (next, overflow) = limit.multipliedReportingOverflow(by: 10)
      if overflow { break }
      limit = next
    }
    var rest = value
    var position = end + digits
    end = position
    while digits > 0 {
      position -= 1
      digits -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      base[position] = UInt8(truncatingIfNeeded: digit) + 0x30
      rest = quotient
    }
  }

  /// Takes the first `count` bytes away (at most all).
  @inlinable public mutating func consume(_ count: Int) {
    start += min(max(count, 0), end - start)
    if start == end {
      start = 0
      end = 0
    }
  }

  /// Takes the first `count` bytes away (at most all), and zeroes them.
  public mutating func consumeWiping(_ count: Int) {
    zeroize(base + start, min(max(count, 0), end - start))
    consume(count)
  }

  /// Forgets everything and keeps the memory.
  @inlinable public mutating func removeAll() {
    start = 0
    end = 0
  }

  /// Forgets everything and zeroes the memory.
  public mutating func wipe() {
    zeroize(base, capacity)
    removeAll()
  }

  /// Gives back memory over `limit` when the buffer is empty.
  public mutating func shrink(to limit: Int) {
    guard isEmpty, capacity > max(limit, 16) else { return }
    zeroize(base, capacity)
    base.deallocate()
    capacity = max(limit, 16)
    base = .allocate(capacity: capacity)
    removeAll()
  }

  @inlinable @inline(__always) mutating func reserve(_ additional: Int) {
    if capacity - end < additional { grow(additional) }
  }

  @usableFromInline @inline(never) mutating func grow(_ additional: Int) {
    let used = end - start
    if start > 0, capacity - used >= additional, start >= used {
      base.update(from: base + start, count: used)
      zeroize(base + start, used)
    } else {
      let room = max(capacity * 2, used + additional)
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
      larger.update(from: base + start, count: used)
      zeroize(base, capacity)
      base.deallocate()
      base = larger
      capacity = room
    }
    start = 0
    end = used
  }
}

/// Zeroes memory in a way that the optimiser may not leave out: it looks into neither this function nor what calls it. Other modules have
/// `wipeMemory` of SecretMemory, which is C; this module imports nothing.
@inline(never) @_optimize(none)
func zeroize(_ memory: UnsafeMutablePointer<UInt8>, _ count: Int) {
  fillWithZeros(memory, count)
}

/// Apart from `zeroize`, so that the filling itself is optimised (to one `memset`).
@inline(never)
private func fillWithZeros(_ memory: UnsafeMutablePointer<UInt8>, _ count: Int) {
  memory.initialize(repeating: 0, count: count)
}
