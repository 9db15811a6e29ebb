import Glibc

/// Bytes on their way out through a descriptor that may not take them now. Writing never waits for the reader.
struct Outlet {
  let descriptor: Int32
  private var waiting: [UInt8] = []
  /// Why nothing can be written any more, as when the other side is gone; what is written then is forgotten.
  private(set) var failure: Int32?

  init(descriptor: Int32) { self.descriptor = descriptor }

  var isWaiting: Bool { !waiting.isEmpty }
  var isBroken: Bool { failure != nil }

  mutating func write(_ bytes: [UInt8]) {
    if !isBroken { waiting += bytes }
  }

  /// Writes one piece, to be called when `poll` says that the descriptor is ready.
  ///
  /// A pipe that is ready takes `PIPE_BUF` bytes, 512 everywhere, without blocking even where the descriptor is shared with
  /// other programs and must not be made non-blocking.
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

/// What one `read` gives: bytes, nothing yet, or the end.
func readAvailable(_ descriptor: Int32) -> [UInt8]? {
  var buffer = [UInt8](repeating: 0, count: 65_536)
  let count = read(descriptor, &buffer, buffer.count)
  if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
  return count == 0 ? nil : Array(buffer[..<count])
}
