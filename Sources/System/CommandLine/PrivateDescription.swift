import CSystem
import Glibc

extension Descriptor {
  /// Makes standard input or output nonblocking for this process only.
  ///
  /// `O_NONBLOCK` belongs to the open file description, which the shell shares. So a pipe or a
  /// terminal is opened again through `/proc/self/fd`, and the new description replaces the old
  /// one. Where that is not possible (a socket, or a terminal of another user after `su`), the flag
  /// is set on the shared description and cleared when this process calls `exit`. Regular files and
  /// devices such as `/dev/null` never block for long and stay as they are. Pipes are enlarged.
  public static func makePrivateNonblocking(_ fd: Int32) throws(SystemError) {
    var status = stat()
    guard fstat(fd, &status) == 0 else { throw .last("descriptor \(fd)") }
    switch status.st_mode & S_IFMT {
    case S_IFIFO:
      try reopenNonblocking(fd)
      enlargePipe(fd)
    case S_IFCHR where isatty(fd) == 1: try reopenNonblocking(fd)
    case S_IFSOCK: try setNonblockingUntilExit(fd)
    default: return
    }
  }

  private static func reopenNonblocking(_ fd: Int32) throws(SystemError) {
    let flags = csystem_status_flags(fd)
    guard flags >= 0 else { throw .last("fcntl") }
    let kept = flags & (O_ACCMODE | O_APPEND)
    let reopened = csystem_open("/proc/self/fd/\(fd)", kept | O_NONBLOCK | O_NOCTTY, 0)
    guard reopened >= 0 else { return try setNonblockingUntilExit(fd) }
    defer { close(reopened) }
    // Standard input and output stay open over exec, as they were.
    guard dup2(reopened, fd) >= 0 else { throw .last("dup2") }
  }

  private static func setNonblockingUntilExit(_ fd: Int32) throws(SystemError) {
    let flags = csystem_status_flags(fd)
    guard flags >= 0 else { throw .last("fcntl") }
    guard flags & O_NONBLOCK == 0 else { return }
    guard csystem_restore_flags_at_exit(fd, flags) == 0 else { throw .last("atexit") }
    guard csystem_set_status_flags(fd, flags | O_NONBLOCK) >= 0 else { throw .last("fcntl") }
  }
}
