import Glibc
import Synchronization

/// Signals as bytes in a pipe, so that the one loop of the program hears of them like of everything else.
enum Signals {
  /// Starts listening. Gives the descriptor from which each signal's number can be read as one byte.
  static func listen(to signals: [Int32]) throws(Failure) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure(text: "cannot make a pipe: \(System.errorText())") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    wakeDescriptor.store(ends[1], ordering: .sequentiallyConsistent)
    signal(SIGPIPE, SIG_IGN)
    for number in signals {
      signal(number) { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(wakeDescriptor.load(ordering: .relaxed), &byte, 1)
        errno = error
      }
    }
    return ends[0]
  }
}

private let wakeDescriptor = Atomic<Int32>(-1)
