import CSystem
import Glibc
import Synchronization

/// A first-in, first-out queue of values between threads.
///
/// An eventfd counts the values. A blocking channel wakes one reader for each value, and for each
/// extra `signal`. The descriptor of a nonblocking channel is readable while there are values.
final class Channel<Value: ~Copyable & Sendable>: Sendable {
  let fd: Int32
  private let queue = Mutex(Queue())

  private struct Queue: Sendable {
    var boxes: [TransferBox<Value>] = []
    /// The number of boxes at the front of `boxes` that were already received.
    var received = 0
  }

  init(blocking: Bool) throws(SystemError) {
    fd = csystem_eventfd(blocking ? 0 : 1, blocking ? 1 : 0)
    guard fd >= 0 else { throw .last("eventfd") }
  }

  deinit { Descriptor.close(fd) }

  func send(_ value: consuming Value) {
    let box = TransferBox(value)
    queue.withLock { $0.boxes.append(box) }
    signal()
  }

  /// The next value, or `nil` if there is none. Never waits.
  func receive() -> Value? {
    let box = queue.withLock { queue -> TransferBox<Value>? in
      guard queue.received < queue.boxes.count else { return nil }
      let box = queue.boxes[queue.received]
      queue.received += 1
      // Received boxes are removed only when they are half of all boxes, so that each value is
      // moved once on average.
      if queue.received * 2 >= queue.boxes.count {
        queue.boxes.removeFirst(queue.received)
        queue.received = 0
      }
      return box
    }
    return box?.takeValue()
  }

  /// Wakes one more reader. The reader gets a value only if there is one already.
  func signal() {
    var one: UInt64 = 1
    while write(fd, &one, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
  }

  /// On a blocking channel, sleeps until a value or a signal arrives. Otherwise, makes the
  /// descriptor unreadable until the next value.
  func wait() {
    var count: UInt64 = 0
    while read(fd, &count, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
  }
}
