import Glibc

/// Whether the descriptor becomes readable within so many milliseconds; a negative number waits
/// forever.
public func isReadable(_ descriptor: Int32, within milliseconds: Int32 = longestWait) -> Bool {
  isReady(descriptor, POLLIN, within: milliseconds)
}

/// Whether the descriptor becomes writable within so many milliseconds; a negative number waits
/// forever.
public func isWritable(_ descriptor: Int32, within milliseconds: Int32 = longestWait) -> Bool {
  isReady(descriptor, POLLOUT, within: milliseconds)
}

/// Polls again after an interruption, since children of other tests end meanwhile.
private func isReady(_ descriptor: Int32, _ events: Int32, within milliseconds: Int32) -> Bool {
  var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
  while true {
    let count = poll(&request, 1, milliseconds)
    if count >= 0 || errno != EINTR { return count > 0 }
  }
}
