import Glibc

/// Whether the descriptor becomes readable within the given milliseconds. With a negative number,
/// waits forever.
public func isReadable(_ descriptor: Int32, within milliseconds: Int32 = longestWait) -> Bool {
  isReady(descriptor, POLLIN, within: milliseconds)
}

/// Whether the descriptor becomes writable within the given milliseconds. With a negative number,
/// waits forever.
public func isWritable(_ descriptor: Int32, within milliseconds: Int32 = longestWait) -> Bool {
  isReady(descriptor, POLLOUT, within: milliseconds)
}

/// Polls the descriptor, and polls again if a signal interrupts that: children of other tests may
/// end meanwhile.
private func isReady(_ descriptor: Int32, _ events: Int32, within milliseconds: Int32) -> Bool {
  var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
  while true {
    let count = poll(&request, 1, milliseconds)
    if count >= 0 || errno != EINTR { return count > 0 }
  }
}
