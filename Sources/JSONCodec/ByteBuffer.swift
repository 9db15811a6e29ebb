/// A queue of bytes, which are appended at one end and consumed at the other. Every message is
/// written into such a buffer.
///
/// A buffer reuses its memory. The memory is zeroed before it is freed or replaced by a larger
/// block, because it may have contained a password.
public struct ByteBuffer: ~Copyable {
  @usableFromInline package var base: UnsafeMutablePointer<UInt8>
  @usableFromInline package var capacity: Int
  @usableFromInline var start: Int
  @usableFromInline var end: Int

  /// Creates an empty buffer with room for `capacity` bytes.
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

  /// The number of bytes not yet consumed.
  @inlinable public var count: Int { end - start }

  /// Whether there are no bytes to consume.
  @inlinable public var isEmpty: Bool { end == start }

  /// Lends the bytes not yet consumed, valid until the buffer changes.
  @inlinable public borrowing func withBytes<R: ~Copyable, E>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E)
    -> R
  {
    try body(UnsafeRawBufferPointer(start: base + start, count: end - start))
  }

  /// A copy of the bytes not yet consumed.
  public borrowing func array() -> [UInt8] {
    Array(UnsafeBufferPointer(start: base + start, count: end - start))
  }

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

  @inlinable @inline(__always) public mutating func append(_ byte: UInt8) {
    reserve(1)
    base[end] = byte
    end += 1
  }

  /// Lends memory for `count` bytes to `write`, which returns how many bytes it has written from
  /// the start of that memory. Appends these bytes.
  public mutating func append(upTo count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int) {
    reserve(count)
    let written = write(UnsafeMutableRawBufferPointer(start: base + end, count: count))
    end += min(max(written, 0), count)
  }

  /// Appends a text known at compile time.
  @inlinable @inline(__always) public mutating func append(_ text: StaticString) {
    append(UnsafeRawPointer(text.utf8Start), text.utf8CodeUnitCount)
  }

  public mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Appends the UTF-8 of a string.
  ///
  /// This overload is disfavoured, so that a string literal is passed as a `StaticString`, whose
  /// bytes are copied directly.
  @_disfavoredOverload public mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Appends a whole number in decimal.
  public mutating func append(decimal value: UInt64) {
    if value >= 10_000 { return appendLong(value) }
    let value = UInt32(truncatingIfNeeded: value)
    appendDigits(of: value, value < 10 ? 1 : value < 100 ? 2 : value < 1000 ? 3 : 4)
  }

  @inline(never) private mutating func appendLong(_ value: UInt64) {
    append(decimal: value / 10_000)
    appendDigits(of: UInt32(truncatingIfNeeded: value % 10_000), 4)
  }

  /// Appends the last one to four digits of a number below 10,000.
  @inline(__always) private mutating func appendDigits(of value: UInt32, _ count: Int) {
    let (hundreds, rest) = (value / 100, value % 100)
    let digits = hundreds / 10 | (hundreds % 10) &<< 8 | (rest / 10) &<< 16 | (rest % 10) &<< 24 | 0x3030_3030
    reserve(4)
    let bytes = digits &>> UInt32(truncatingIfNeeded: 32 &- count &* 8)
    UnsafeMutableRawPointer(base + end).storeBytes(of: bytes.littleEndian, as: UInt32.self)
    end += count
  }

  /// Removes the first `count` bytes, or all bytes if there are fewer.
  @inlinable public mutating func consume(_ count: Int) {
    start += min(max(count, 0), end - start)
    if start == end {
      start = 0
      end = 0
    }
  }

  /// Removes the last `count` bytes, or all bytes if there are fewer.
  public mutating func takeBack(_ count: Int) { end -= min(max(count, 0), end - start) }

  /// Removes and zeroes the first `count` bytes, or all bytes if there are fewer.
  public mutating func consumeWiping(_ count: Int) {
    zeroize(base + start, min(max(count, 0), end - start))
    consume(count)
  }

  /// Removes all bytes and keeps the memory.
  @inlinable public mutating func removeAll() {
    start = 0
    end = 0
  }

  /// Removes all bytes and zeroes the buffer's memory.
  public mutating func wipe() {
    zeroize(base, capacity)
    removeAll()
  }

  /// If the buffer is empty and has room for more than `limit` bytes, frees the memory beyond
  /// `limit`.
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

/// Zeroes memory in a way that the optimiser cannot remove: this function is neither inlined nor
/// optimised. Other modules use `wipeMemory` of SecretMemory, which is C; this module imports
/// nothing.
@inline(never) @_optimize(none)
func zeroize(_ memory: UnsafeMutablePointer<UInt8>, _ count: Int) {
  fillWithZeros(memory, count)
}

/// The loop of `zeroize`, in a function of its own so that it is optimised (to one `memset`).
@inline(never)
private func fillWithZeros(_ memory: UnsafeMutablePointer<UInt8>, _ count: Int) {
  memory.initialize(repeating: 0, count: count)
}
