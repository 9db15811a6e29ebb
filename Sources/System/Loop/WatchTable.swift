import Glibc

/// The watched descriptors, and the call that waits for them.
struct WatchTable {
  struct Ready {
    let watch: EventLoop.Watch
    let events: Int16
  }

  private struct Watcher {
    let watch: EventLoop.Watch
    let fd: Int32
    var interest: EventLoop.Interest
    let handler: (EventLoop.Readiness) -> Void
  }

  private var watchers: [Watcher] = []
  private var lastID: UInt64 = 0
  /// The argument of `poll`, and the watch of each entry. Rebuilt after a change.
  private var polled: [pollfd] = []
  private var owners: [EventLoop.Watch] = []
  private var isStale = false
  /// The watches that were ready after the last `wait`, in the order in which they were added.
  private(set) var ready: [Ready] = []

  mutating func add(
    _ fd: Int32, _ interest: EventLoop.Interest, _ handler: @escaping (EventLoop.Readiness) -> Void
  ) -> EventLoop.Watch {
    lastID += 1
    let watch = EventLoop.Watch(id: lastID)
    watchers.append(Watcher(watch: watch, fd: fd, interest: interest, handler: handler))
    isStale = true
    return watch
  }

  mutating func setInterest(_ watch: EventLoop.Watch, _ interest: EventLoop.Interest) {
    guard let index = index(of: watch), watchers[index].interest != interest else { return }
    watchers[index].interest = interest
    isStale = true
  }

  mutating func remove(_ watch: EventLoop.Watch) {
    guard let index = index(of: watch) else { return }
    watchers.remove(at: index)
    isStale = true
  }

  /// Waits until watches become ready, and stores these watches in `ready`. After the timeout or a
  /// signal, `ready` is empty.
  mutating func wait(milliseconds: Int?) {
    ready.removeAll(keepingCapacity: true)
    if isStale { renew() }
    let timeout = milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1
    let count = poll(&polled, nfds_t(polled.count), timeout)
    if count < 0, errno != EINTR {
      // The kernel is short of memory for a moment; a busy loop would make that worse.
      usleep(10_000)
    }
    guard count > 0 else { return }
    for index in polled.indices where polled[index].revents != 0 {
      ready.append(Ready(watch: owners[index], events: polled[index].revents))
    }
  }

  /// The handler and its argument; `nil` if the watch is gone or has no interest in the events.
  func receiver(of ready: Ready) -> (handler: (EventLoop.Readiness) -> Void, readiness: EventLoop.Readiness)? {
    guard let index = index(of: ready.watch), !watchers[index].interest.isEmpty else { return nil }
    let interest = watchers[index].interest
    let closed = ready.events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
    let readiness = EventLoop.Readiness(
      readable: interest.contains(.read) && (closed || ready.events & Int16(POLLIN) != 0),
      writable: interest.contains(.write) && (closed || ready.events & Int16(POLLOUT) != 0),
      closed: closed)
    guard readiness.readable || readiness.writable || closed else { return nil }
    return (watchers[index].handler, readiness)
  }

  private func index(of watch: EventLoop.Watch) -> Int? {
    watchers.firstIndex { $0.watch == watch }
  }

  private mutating func renew() {
    polled.removeAll(keepingCapacity: true)
    owners.removeAll(keepingCapacity: true)
    for watcher in watchers where !watcher.interest.isEmpty {
      var events: Int32 = 0
      if watcher.interest.contains(.read) { events |= POLLIN }
      if watcher.interest.contains(.write) { events |= POLLOUT }
      polled.append(pollfd(fd: watcher.fd, events: Int16(events), revents: 0))
      owners.append(watcher.watch)
    }
    isStale = false
  }
}
