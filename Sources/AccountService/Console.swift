import EventLoop
import Glibc
import JSONCodec

/// Text for a person.
enum Console {
  static func print(_ text: String) {
    write(text, to: 1)
  }

  /// One line on standard error. Never holds what somebody typed as a secret.
  static func complain(_ text: String) {
    write("login-engine accounts: " + text + "\n", to: 2)
  }

  /// Writes from memory that the caller wipes. Whether all of it was taken.
  static func print(secret bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch Descriptor.write(1, UnsafeRawBufferPointer(rebasing: rest)) {
      case .written(let count): rest = rest.dropFirst(count)
      case .wouldBlock: usleep(1_000)
      case .closed, .failed: return false
      }
    }
    return true
  }

  static func write(_ text: String, to fd: Int32) {
    var bytes = ByteBuffer()
    bytes.append(text)
    while !bytes.isEmpty {
      guard case .written(let count) = bytes.withBytes({ Descriptor.write(fd, $0) }) else { return }
      bytes.consume(count)
    }
  }
}
