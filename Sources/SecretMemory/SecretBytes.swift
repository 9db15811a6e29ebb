/// Bytes that are nobody else's business: a password while it is typed, sent and hashed.
///
/// The bytes live in one block of memory that is zeroed before it is given back, also when the contents move to a larger one.
/// The value itself is one pointer, and an empty one owns no memory, because every session has several.
/// There is no `description`, no comparison and no conversion to `String`: small strings live on the stack, where nobody wipes.
public struct SecretBytes: ~Copyable {
  /// `nil` when empty. Otherwise a `Header`, then the bytes.
  private var block: UnsafeMutableRawPointer?

  private struct Header {
    var count: UInt32
    var capacity: UInt32
  }

  private static var headerBytes: Int { MemoryLayout<Header>.size }

  /// Empty; allocates nothing.
  public init() { block = nil }

  /// A copy of `bytes`, in memory that is just large enough.
  public init(copying bytes: UnsafeRawBufferPointer) {
    block = nil
    append(bytes)
  }

  deinit { Self.release(block) }

  /// How many bytes there are.
  public var count: Int { Int(header.count) }

  public var isEmpty: Bool { count == 0 }

  /// How many bytes fit into the memory that is held now.
  package var capacity: Int { Int(header.capacity) }

  /// Adds `bytes` at the end. They must not be this value's own.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    let old = count
    let grown = reserve(old + bytes.count)
    (grown + Self.headerBytes + old).copyMemory(from: source, byteCount: bytes.count)
    grown.assumingMemoryBound(to: Header.self).pointee.count = UInt32(old + bytes.count)
  }

  /// Adds one byte at the end.
  public mutating func append(byte: UInt8) {
    let old = count
    let grown = reserve(old + 1)
    grown.storeBytes(of: byte, toByteOffset: Self.headerBytes + old, as: UInt8.self)
    grown.assumingMemoryBound(to: Header.self).pointee.count = UInt32(old + 1)
  }

  /// Wipes what there was and copies `bytes`, which must not be this value's own.
  public mutating func replace(with bytes: UnsafeRawBufferPointer) {
    // Memory is kept only if it is not far too large for the new contents.
    if bytes.count > capacity || bytes.count < capacity / 2 {
      wipe()
    } else if let block {
      wipeMemory(UnsafeMutableRawBufferPointer(start: block + Self.headerBytes, count: count))
      block.assumingMemoryBound(to: Header.self).pointee.count = 0
    }
    append(bytes)
  }

  /// Lends the bytes for the time of the call. Whatever `body` copies, it has to wipe.
  public borrowing func withBytes<R: ~Copyable, E>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    guard let block else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    return try body(UnsafeRawBufferPointer(start: block + Self.headerBytes, count: count))
  }

  /// Zeroes the bytes and gives their memory back; empty from then on.
  public mutating func wipe() {
    Self.release(block)
    block = nil
  }

  private var header: Header {
    block?.assumingMemoryBound(to: Header.self).pointee ?? Header(count: 0, capacity: 0)
  }

  /// A block with room for `needed` bytes that holds what there was.
  private mutating func reserve(_ needed: Int) -> UnsafeMutableRawPointer {
    if let block, needed <= capacity { return block }
    // The first block fits exactly; one that already had to grow grows by half, so that typing is not quadratic.
    // Blocks of 16n + 8 bytes are what malloc hands out anyway.
    let wanted = block == nil ? needed : max(needed, capacity + capacity / 2)
    let size = (Self.headerBytes + wanted + 7) / 16 * 16 + 8
    let grown = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<Header>.alignment)
    let old = count
    grown.initializeMemory(
      as: Header.self, to: Header(count: UInt32(old), capacity: UInt32(size - Self.headerBytes)))
    if let block {
      (grown + Self.headerBytes).copyMemory(from: block + Self.headerBytes, byteCount: old)
    }
    Self.release(block)
    block = grown
    return grown
  }

  private static func release(_ block: UnsafeMutableRawPointer?) {
    guard let block else { return }
    let capacity = Int(block.assumingMemoryBound(to: Header.self).pointee.capacity)
    wipeMemory(UnsafeMutableRawBufferPointer(start: block, count: headerBytes + capacity))
    block.deallocate()
  }
}

// The block has one owner, and moves with it.
extension SecretBytes: @unchecked Sendable {}
