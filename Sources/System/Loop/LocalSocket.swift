import CSystem
import Glibc

/// Stream sockets between processes of one user on one computer, under abstract names: they leave
/// nothing in the file system, and connections of other users are refused.
public enum LocalSocket {
  /// A nonblocking listening socket with a `name` of 1 to 107 bytes. It is readable when a
  /// connection is ready for `accept`.
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

  /// A blocking connection to the process that listens under `name`.
  public static func connect(_ name: String) throws(SystemError) -> Int32 {
    let fd = csystem_connect(name)
    guard fd >= 0 else { throw .last("connect") }
    return fd
  }

  /// Sends two open descriptors to the process at the other end of a connection.
  public static func send(_ first: Int32, _ second: Int32, through fd: Int32) throws(SystemError) {
    guard csystem_send_descriptors(fd, first, second) == 0 else { throw .last("sendmsg") }
  }

  /// The result of one call of `receive`.
  public enum Received: Equatable, Sendable {
    case descriptors(Int32, Int32)
    /// A byte without descriptors.
    case byte
    case nothingYet
    case closed
  }

  /// Receives two descriptors from the process at the other end of a connection. The caller has to
  /// close them.
  public static func receive(from fd: Int32) -> Received {
    var (first, second): (Int32, Int32) = (-1, -1)
    let result = csystem_receive_descriptors(fd, &first, &second)
    if result == 1 { return .descriptors(first, second) }
    if result == 2 { return .byte }
    return result < 0 && errno == EAGAIN ? .nothingYet : .closed
  }
}
