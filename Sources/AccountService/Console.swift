import EventLoop
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

  static func write(_ text: String, to fd: Int32) {
    var bytes = ByteBuffer()
    bytes.append(text)
    while !bytes.isEmpty {
      guard case .written(let count) = bytes.withBytes({ Descriptor.write(fd, $0) }) else { return }
      bytes.consume(count)
    }
  }
}
