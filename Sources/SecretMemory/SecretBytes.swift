/// Secret bytes, such as a password while it is typed, sent and hashed.
///
/// The bytes are in one block of memory that is zeroed before it is freed, also when the contents
/// move to a larger block. The value itself is one pointer, and an empty value allocates nothing,
/// because every session has several. There is no `description`, no comparison and no conversion to
/// `String`: small strings live on the stack, where they are not wiped.
public struct SecretBytes: ~Copyable {
  /// `nil` if empty. Otherwise a `Header` and the bytes.
  private var block: UnsafeMutableRawPointer?

  private struct Header {
    var count: UInt32
    var capacity: UInt32
  }

  private static var headerBytes: Int { MemoryLayout<Header>.size }

  /// An empty value; allocates nothing.
  public init() { block = nil }

  /// A copy of `bytes`, in memory that is just large enough.
  public init(copying bytes: UnsafeRawBufferPointer) {
    block = nil
    append(bytes)
  }

  deinit { Self.release(block) }

  /// The number of bytes.
  public var count: Int { Int(header.count) }

  public var isEmpty: Bool { count == 0 }

  /// The number of bytes that fit into the current block.
  package var capacity: Int { Int(header.capacity) }

  /// Appends `bytes`, which must not be this value's own.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    let old = count
    let grown = reserve(old + bytes.count)
    (grown + Self.headerBytes + old).copyMemory(from: source, byteCount: bytes.count)
    grown.assumingMemoryBound(to: Header.self).pointee.count = UInt32(old + bytes.count)
  }

  /// Appends one byte.
  public mutating func append(byte: UInt8) {
    let old = count
    let grown = reserve(old + 1)
    grown.storeBytes(of: byte, toByteOffset: Self.headerBytes + old, as: UInt8.self)
    grown.assumingMemoryBound(to: Header.self).pointee.count = UInt32(old + 1)
  }

  /// Wipes the bytes and replaces them by a copy of `bytes`, which must not be this value's own.
  public mutating func replace(with bytes: UnsafeRawBufferPointer) {
    // The block is kept only if it is not far too large for the new contents.
    if bytes.count > capacity || bytes.count < capacity / 2 {
      wipe()
    } else if let block {
      wipeMemory(UnsafeMutableRawBufferPointer(start: block + Self.headerBytes, count: count))
      block.assumingMemoryBound(to: Header.self).pointee.count = 0
    }
    append(bytes)
  }

  /// Lends the bytes during the call. `body` has to wipe its copies.
  public borrowing func withBytes<R: ~Copyable, E>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    guard let block else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    return try body(UnsafeRawBufferPointer(start: block + Self.headerBytes, count: count))
  }

  /// Zeroes the bytes and frees their memory. The value is empty afterwards.
  public mutating func wipe() {
    Self.release(block)
    block = nil
  }

  private var header: Header {
    block?.assumingMemoryBound(to: Header.self).pointee ?? Header(count: 0, capacity: 0)
  }

  /// A block with room for `needed` bytes that contains the current ones.
  private mutating func reserve(_ needed: Int) -> UnsafeMutableRawPointer {
    if let block, needed <= capacity { return block }
    // The first block fits exactly; later ones grow by half, so that appending single bytes is not
    // quadratic. Blocks have 16n + 8 bytes, which is what malloc allocates anyway.
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
