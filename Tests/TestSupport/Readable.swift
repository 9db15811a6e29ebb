import Glibc

/// Whether something can be read within so many milliseconds; without end if that is negative.
public func isReadable(_ descriptor: Int32, within milliseconds: Int32 = longestWait) -> Bool {
  isReady(descriptor, POLLIN, within: milliseconds)
}

/// Whether something can be written within so many milliseconds; without end if that is negative.
public func isWritable(_ descriptor: Int32, within milliseconds: Int32 = longestWait) -> Bool {
  isReady(descriptor, POLLOUT, within: milliseconds)
}

/// Children of other tests end meanwhile, which interrupts the wait.
private func isReady(_ descriptor: Int32, _ events: Int32, within milliseconds: Int32) -> Bool {
  var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
  while true {
    let count = poll(&request, 1, milliseconds)
    if count >= 0 || errno != EINTR { return count > 0 }
  }
}
