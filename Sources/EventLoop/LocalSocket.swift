internal import CSystem
internal import Glibc

/// Stream sockets between processes of one user on one machine, under abstract names: nothing is left in the file system, and
/// connections of other users are turned away.
public enum LocalSocket {
  /// A nonblocking socket that listens under `name`, of 1 to 107 bytes. Readable when `accept` has something.
  public static func listen(_ name: String) throws(SystemError) -> Int32 {
    let fd = csystem_listen(name)
    guard fd >= 0 else { throw .last("listen") }
    return fd
  }

  /// The next connection, nonblocking, or `nil` if there is none.
  public static func accept(_ listening: Int32) -> Int32? {
    let fd = csystem_accept(listening)
    return fd >= 0 ? fd : nil
  }

  /// A blocking connection to who listens under `name`.
  public static func connect(_ name: String) throws(SystemError) -> Int32 {
    let fd = csystem_connect(name)
    guard fd >= 0 else { throw .last("connect") }
    return fd
  }

  /// Lets the other side read the end of what was written. It may go on writing.
  public static func endWriting(_ fd: Int32) { _ = csystem_end_writing(fd) }
}
