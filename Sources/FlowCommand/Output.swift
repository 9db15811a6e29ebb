import EventLoop
import Glibc

/// Standard output and standard error for a command that has nothing else to do meanwhile.
enum Output {
  /// Writes all of it to standard output. Returns the exit status: 1 if nobody takes it.
  static func write(_ text: String) -> Int32 { write(Array(text.utf8)) }

  static func write(_ bytes: [UInt8]) -> Int32 { write(bytes, to: 1) ? 0 : 1 }

  /// Tells a person on standard error.
  static func complain(_ text: String) { _ = write(Array("login-engine: \(text)\n".utf8), to: 2) }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        switch Descriptor.write(descriptor, UnsafeRawBufferPointer(rebasing: rest)) {
        case .written(let count): rest = rest.dropFirst(count)
        case .wouldBlock:
          var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&wanted, 1, -1)
        case .closed, .failed: return false
        }
      }
      return true
    }
  }
}
