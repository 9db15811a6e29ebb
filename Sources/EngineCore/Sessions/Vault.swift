import SecretMemory

/// The secrets that were entered in one session. After the line that entered a secret was handled,
/// the vault is the only memory that contains the secret. This holds until a question with the
/// secret is sent.
///
/// All secrets of a session are in one block of memory. The block is as small as possible, because
/// there may be a million sessions, and is zeroed before it is freed.
struct Vault: ~Copyable {
  /// The block of memory; `nil` while there is no secret. The block starts with the number of bytes
  /// of all records. Then follows a record for each secret: the item, the number of bytes, and the
  /// bytes.
  private var block: UnsafeMutableRawPointer?

  private static var headerBytes: Int { MemoryLayout<UInt32>.size }
  private static var recordHeaderBytes: Int { 2 * MemoryLayout<UInt32>.size }

  init() {}

  deinit { Vault.release(block, used) }

  /// Stores the secret of an item and wipes its former secret. `items` is the number of items on
  /// the screen.
  mutating func keep(_ bytes: UnsafeRawBufferPointer, at item: Int, of items: Int) {
    guard (0..<items).contains(item), let number = UInt32(exactly: item), let count = UInt32(exactly: bytes.count)
    else { return }
    let added = bytes.isEmpty ? 0 : Vault.recordHeaderBytes + bytes.count
    let rest = replaceRecord(of: item, withRoomFor: added)
    guard added > 0, let rest else { return }
    rest.storeBytes(of: number, as: UInt32.self)
    rest.storeBytes(of: count, toByteOffset: MemoryLayout<UInt32>.size, as: UInt32.self)
    if let source = bytes.baseAddress {
      (rest + Vault.recordHeaderBytes).copyMemory(from: source, byteCount: bytes.count)
    }
  }

  /// Copies all secrets into another vault, which must be empty.
  borrowing func copy(to other: inout Vault) {
    guard let block, other.block == nil else { return }
    other.block = Vault.allocate(used)
    other.block?.copyMemory(from: block, byteCount: Vault.headerBytes + used)
  }

  /// Lends the secret of an item; no bytes if the item has none.
  borrowing func withSecret<R>(at item: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    guard let block, let record = record(of: item) else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    return body(
      UnsafeRawBufferPointer(
        start: block + record.lowerBound + Vault.recordHeaderBytes, count: record.count - Vault.recordHeaderBytes))
  }

  /// Whether a text equals the secret of an item.
  borrowing func isSame(_ text: UnsafeRawBufferPointer, at item: Int) -> Bool {
    withSecret(at: item) { $0.elementsEqual(text) }
  }

  /// Wipes the secret of an item.
  mutating func wipe(at item: Int) {
    if record(of: item) != nil { _ = replaceRecord(of: item, withRoomFor: 0) }
  }

  /// Wipes all secrets.
  mutating func wipe() {
    Vault.release(block, used)
    block = nil
  }

  /// Lends the whole block of memory, for tests that check that secrets are wiped.
  borrowing func withAllBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    body(UnsafeRawBufferPointer(start: block, count: block == nil ? 0 : Vault.size(of: used)))
  }

  // MARK: Records

  /// The number of bytes of all records.
  private var used: Int { Int(block?.load(as: UInt32.self) ?? 0) }

  /// The range of an item's record in the block.
  private borrowing func record(of item: Int) -> Range<Int>? {
    guard let block else { return nil }
    let end = Vault.headerBytes + used
    var start = Vault.headerBytes
    while start < end {
      let count = Int((block + start).loadUnaligned(fromByteOffset: MemoryLayout<UInt32>.size, as: UInt32.self))
      let next = start + Vault.recordHeaderBytes + count
      if Int((block + start).loadUnaligned(as: UInt32.self)) == item { return start..<next }
      start = next
    }
    return nil
  }

  /// Removes the record of an item, and makes room for a record of `added` bytes after all other
  /// records. Returns the address of that room; `nil` if there would be no record left.
  private mutating func replaceRecord(of item: Int, withRoomFor added: Int) -> UnsafeMutableRawPointer? {
    let old = record(of: item) ?? Vault.headerBytes + used..<Vault.headerBytes + used
    let kept = used - old.count
    guard kept + added > 0, let total = UInt32(exactly: kept + added) else {
      wipe()
      return nil
    }
    let before = old.lowerBound - Vault.headerBytes
    if let block, Vault.size(of: used) == Vault.size(of: kept + added) {
      let end = Vault.headerBytes + used
      (block + old.lowerBound).copyMemory(from: block + old.upperBound, byteCount: kept - before)
      wipeMemory(
        UnsafeMutableRawBufferPointer(start: block + Vault.headerBytes + kept, count: end - Vault.headerBytes - kept))
    } else {
      let fresh = Vault.allocate(kept + added)
      if let block {
        fresh.copyMemory(from: block, byteCount: old.lowerBound)
        (fresh + old.lowerBound).copyMemory(from: block + old.upperBound, byteCount: kept - before)
      }
      Vault.release(block, used)
      block = fresh
    }
    block?.storeBytes(of: total, as: UInt32.self)
    return block.map { $0 + Vault.headerBytes + kept }
  }

  /// The size of a block whose records have `used` bytes. It has the form 16n + 8, since malloc
  /// would round other sizes up to such a number.
  private static func size(of used: Int) -> Int { (headerBytes + used + 7) / 16 * 16 + 8 }

  private static func allocate(_ used: Int) -> UnsafeMutableRawPointer {
    let size = size(of: used)
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<UInt64>.alignment)
    // The memory is zeroed, so that tests that look for secrets do not find what it contained
    // before.
    return block.initializeMemory(as: UInt8.self, repeating: 0, count: size).deinitialize(count: size)
  }

  private static func release(_ block: UnsafeMutableRawPointer?, _ used: Int) {
    guard let block else { return }
    wipeMemory(UnsafeMutableRawBufferPointer(start: block, count: size(of: used)))
    block.deallocate()
  }
}
