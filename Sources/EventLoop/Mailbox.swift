import CSystem
import Glibc
import Synchronization

/// Values on their way from some threads to others, first in, first out.
///
/// An eventfd stands for them: a blocking mailbox lets one reader through for each value, and for each extra `signal`;
/// the other kind is readable while there are any.
final class Mailbox<Value: ~Copyable & Sendable>: Sendable {
  let fd: Int32
  private let queue = Mutex(Queue())

  private struct Queue: Sendable {
    var boxes: [Box<Value>] = []
    var taken = 0
  }

  init(blocking: Bool) throws(SystemError) {
    fd = csystem_eventfd(blocking ? 0 : 1, blocking ? 1 : 0)
    guard fd >= 0 else { throw .last("eventfd") }
  }

  deinit { Descriptor.close(fd) }

  func put(_ value: consuming Value) {
    let box = Box(value)
    queue.withLock { $0.boxes.append(box) }
    signal()
  }

  func take() -> Value? {
    let box = queue.withLock { queue -> Box<Value>? in
      guard queue.taken < queue.boxes.count else { return nil }
      let box = queue.boxes[queue.taken]
      queue.taken += 1
      // Now and then, so that each value is moved once on the average.
      if queue.taken * 2 >= queue.boxes.count {
        queue.boxes.removeFirst(queue.taken)
        queue.taken = 0
      }
      return box
    }
    return box?.take()
  }

  /// Lets one more reader through, who will find nothing unless there was something before.
  func signal() {
    var one: UInt64 = 1
    while write(fd, &one, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
  }

  /// Blocking: sleeps until it is let through. Otherwise: until the next value the descriptor is not readable.
  func wait() {
    var count: UInt64 = 0
    while read(fd, &count, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
  }
}
