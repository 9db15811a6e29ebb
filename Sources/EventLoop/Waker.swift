import CSystem
import Glibc

/// Wakes a loop from another thread: watch `fd` for reading, and `clear` it in the handler.
public final class Waker: Sendable {
  public let fd: Int32

  public init() throws(SystemError) {
    fd = csystem_eventfd(1, 0)
    guard fd >= 0 else { throw .last("eventfd") }
  }

  deinit { Descriptor.close(fd) }

  /// From any thread. Several before the loop looks are one.
  public func wake() {
    var one: UInt64 = 1
    _ = Glibc.write(fd, &one, MemoryLayout<UInt64>.size)
  }

  /// Before looking at what the other thread left, so that nothing left after that look is missed.
  public func clear() {
    var count: UInt64 = 0
    _ = Glibc.read(fd, &count, MemoryLayout<UInt64>.size)
  }
}
