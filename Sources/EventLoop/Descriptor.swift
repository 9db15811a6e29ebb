import CSystem
import Glibc

/// What the loop does with descriptors. They stay plain numbers, because standard input and output are nobody's to close.
public enum Descriptor {
  public enum Written: Equatable, Sendable {
    /// So many bytes; fewer than offered when the reader is slow.
    case written(Int)
    /// None now; wait until the descriptor is writable.
    case wouldBlock
    /// Nobody will ever read it.
    case closed
    case failed(SystemError)
  }

  /// One `write(2)`, made again when a signal interrupted it. SIGPIPE must be ignored (`Hardening.applySignals`).
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

  /// Opens `/dev/null` as standard error if there is none. Otherwise the next descriptor to be opened would get its number, and with it
  /// the log and the complaints of every child.
  public static func provideStandardError() {
    guard csystem_status_flags(2) < 0 else { return }
    let null = csystem_open("/dev/null", O_WRONLY, 0)
    guard null >= 0, null != 2 else { return }
    _ = dup2(null, 2)
    close(null)
  }

  public static func close(_ fd: Int32) {
    // Linux has closed it even when it reports EINTR.
    _ = Glibc.close(fd)
  }

  /// The ends of a new pipe, closed on exec.
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

  /// Sets `O_NONBLOCK` on a description that this process shares with nobody.
  public static func setNonblocking(_ fd: Int32) throws(SystemError) {
    let flags = csystem_status_flags(fd)
    guard flags >= 0, csystem_set_status_flags(fd, flags | O_NONBLOCK) >= 0 else { throw .last("fcntl") }
  }

  /// Asks for a pipe of 1 MiB, so that one turn of the loop moves more. Does nothing to anything but a pipe, or when not permitted.
  public static func enlargePipe(_ fd: Int32) {
    _ = csystem_set_pipe_size(fd, 1 << 20)
  }
}
