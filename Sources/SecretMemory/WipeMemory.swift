import CPortable

/// Zeroes memory that held something secret. The optimiser may not leave it out. `ByteBuffer` of JSONCodec, which imports nothing, has the same in
/// Swift.
public func wipeMemory(_ bytes: UnsafeMutableRawBufferPointer) {
  cportable_wipe(bytes.baseAddress, bytes.count)
}

/// Zeroes what functions that have returned may have left on the stack.
public func wipeStack() { cportable_wipe_stack() }
