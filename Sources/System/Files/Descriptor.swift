import CSystem
import Glibc

/// Operations on descriptors. Descriptors are plain numbers without an owner, because standard
/// input and output must stay open.
public enum Descriptor {
  public enum Written: Equatable, Sendable {
    /// The number of bytes written; fewer than requested if the reader is slow.
    case written(Int)
    /// Nothing was written, because the descriptor is not writable now.
    case wouldBlock
    /// The reader is gone.
    case closed
    case failed(SystemError)
  }

  /// Calls `write(2)`, and calls it again if a signal interrupts it. SIGPIPE must be ignored
  /// (`Hardening.applySignals`).
  public static func write(_ fd: Int32, _ bytes: UnsafeRawBufferPointer) -> Written {
    while true {
      let count = Glibc.write(fd, bytes.baseAddress, bytes.count)
      if count >= 0 { return .written(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      case EPIPE, ECONNRESET: return .closed
      default: return .failed(.last("write"))
      }
    }
  }

  /// Opens `/dev/null` as standard error if standard error is closed. Otherwise the next opened
  /// descriptor would get its number, and would receive the log and the standard error of every
  /// child.
  public static func provideStandardError() {
    guard csystem_status_flags(2) < 0 else { return }
    let null = csystem_open("/dev/null", O_WRONLY, 0)
    guard null >= 0, null != 2 else { return }
    _ = dup2(null, 2)
    close(null)
  }

  public static func close(_ fd: Int32) {
    // No second attempt: Linux has closed the descriptor even when it reports EINTR.
    _ = Glibc.close(fd)
  }

  /// The ends of a new pipe, close-on-exec.
  public static func pipe() throws(SystemError) -> (read: Int32, write: Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutableBytes(of: &ends) { bytes in
      bytes.withMemoryRebound(to: Int32.self) { numbers in
        guard let start = numbers.baseAddress else { return Int32(-1) }
        return csystem_pipe(start)
      }
    }
    guard result == 0 else { throw .last("pipe2") }
    return (ends.0, ends.1)
  }

  /// Sets `O_NONBLOCK` on an open file description that no other process shares.
  public static func setNonblocking(_ fd: Int32) throws(SystemError) {
    let flags = csystem_status_flags(fd)
    guard flags >= 0, csystem_set_status_flags(fd, flags | O_NONBLOCK) >= 0 else { throw .last("fcntl") }
  }

  /// Enlarges a pipe to 1 MiB, so that one turn of the loop moves more bytes. Does nothing if the
  /// descriptor is not a pipe, or if the system does not permit it.
  public static func enlargePipe(_ fd: Int32) {
    _ = csystem_set_pipe_size(fd, 1 << 20)
  }
}
