import Glibc

/// Blocking output, for programs without a running loop. SIGPIPE must be ignored
/// (`Hardening.applySignals`); otherwise it ends the program when the reader is gone.
public enum BlockingOutput {
  /// Writes all bytes, and waits while the reader has no room for them, whether or not the
  /// descriptor is nonblocking.
  ///
  /// Returns the error of `write(2)` or `poll(2)`: EPIPE if the reader is gone, ENOSPC if a device
  /// is full.
  public static func failure(writing bytes: UnsafeRawBufferPointer, to fd: Int32) -> SystemError? {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(fd, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      } else if errno == EAGAIN {
        if let error = waitUntilWritable(fd) { return error }
      } else if errno != EINTR {
        return .last("write")
      }
    }
    return nil
  }

  /// Waits until the descriptor can be written, or until its reader has closed it: the next `write`
  /// then reports that.
  private static func waitUntilWritable(_ fd: Int32) -> SystemError? {
    var request = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
    while poll(&request, 1, -1) < 0 {
      guard errno == EINTR else { return .last("poll") }
    }
    return nil
  }

  /// Writes a text. Returns false if it could not be written completely.
  public static func write(_ text: String, to fd: Int32) -> Bool { write(Array(text.utf8), to: fd) }

  /// Writes bytes. Returns false if they could not be written completely.
  public static func write(_ bytes: [UInt8], to fd: Int32) -> Bool {
    bytes.withUnsafeBytes { failure(writing: $0, to: fd) } == nil
  }

  /// Writes to standard error, without control characters, because errors quote files that may come
  /// from others. A failure is ignored: there is no other place to report it.
  public static func printError(_ text: String) { _ = write(text.printable(), to: 2) }
}
