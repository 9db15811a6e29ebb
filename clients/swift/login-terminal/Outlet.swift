import Glibc

/// A queue of bytes to be written to a descriptor. Writing never blocks.
struct Outlet {
  let descriptor: Int32
  private var waiting: [UInt8] = []
  /// The number of the error that ended writing, such as that of a closed pipe. All further bytes
  /// are dropped.
  private(set) var failure: Int32?

  init(descriptor: Int32) { self.descriptor = descriptor }

  var isWaiting: Bool { !waiting.isEmpty }
  var isBroken: Bool { failure != nil }

  mutating func write(_ bytes: [UInt8]) {
    if !isBroken { waiting += bytes }
  }

  /// Writes one piece of the queue. Call it when `poll` reports that the descriptor is ready.
  ///
  /// A ready pipe accepts `PIPE_BUF` bytes, at least 512, without blocking, even if the descriptor
  /// is shared with other programs and must not be made non-blocking.
  mutating func flush() {
    guard !waiting.isEmpty else { return }
    let written = waiting.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, min($0.count, 512)) }
    if written > 0 {
      waiting.withUnsafeMutableBytes { buffer in
        if let start = buffer.baseAddress { explicit_bzero(start, written) }
      }
      waiting.removeFirst(written)
    } else if written < 0 && errno != EAGAIN && errno != EINTR {
      failure = errno
      waiting = []
    }
  }
}

/// Reads once from a descriptor. Returns the bytes, an empty array if none are available, or `nil`
/// at the end of the input.
func readAvailable(_ descriptor: Int32) -> [UInt8]? {
  var buffer = [UInt8](repeating: 0, count: 65_536)
  let count = read(descriptor, &buffer, buffer.count)
  if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
  return count == 0 ? nil : Array(buffer[..<count])
}
