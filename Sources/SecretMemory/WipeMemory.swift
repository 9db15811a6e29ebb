import CPortable

/// Zeroes memory that contained a secret. The optimiser cannot remove the call. JSONCodec, which
/// imports nothing, has the same function in Swift, in `ByteBuffer`.
public func wipeMemory(_ bytes: UnsafeMutableRawBufferPointer) {
  cportable_wipe(bytes.baseAddress, bytes.count)
}

/// Zeroes the stack below the caller, where functions that have returned may have left secrets.
public func wipeStack() { cportable_wipe_stack() }
