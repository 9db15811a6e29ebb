import CMemory

/// Zeroes memory that held something secret. The optimiser may not leave it out.
public func wipeMemory(_ bytes: UnsafeMutableRawBufferPointer) {
  cmemory_wipe(bytes.baseAddress, bytes.count)
}
