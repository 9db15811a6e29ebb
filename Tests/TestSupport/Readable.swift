import Glibc

/// Whether something can be read within so many milliseconds; without end if that is negative. Children of other tests end meanwhile, which
/// interrupts the wait.
public func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
  var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  while true {
    let count = poll(&request, 1, milliseconds)
    if count >= 0 || errno != EINTR { return count > 0 }
  }
}
