import Glibc
import Synchronization

/// Turns signals into bytes in a pipe, so that the program's loop handles them like other input.
enum Signals {
  /// Starts to listen for these signals. Returns the descriptor from which the number of each
  /// signal can be read as one byte.
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
      switch number {
      case SIGTSTP: if canStop { signal(number, stopNow) }
      case SIGCONT:
        signal(number) { number in
          isContinued.store(true, ordering: .relaxed)
          wake(number)
        }
      default: signal(number, wake)
      }
    }
    return ends[0]
  }

  /// Whether Ctrl-Z may stop this program because a shell can continue it. Where no shell can, as
  /// in `x=$(…)`, the shell has made the program ignore the signal.
  static let canStop: Bool = {
    var action = sigaction()
    sigaction(SIGTSTP, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      != unsafeBitCast(SIG_IGN, to: Int.self)
  }()

  /// Stops the whole process group as Ctrl-Z does. A script that waits for this program is stopped
  /// as well, because a shell considers a job stopped only when all its processes are. Returns when
  /// the program is continued, which SIGCONT reports.
  static func stopJob() { kill(0, SIGTSTP) }
}

private let wakeDescriptor = Atomic<Int32>(-1)
private let isContinued = Atomic<Bool>(false)

// The following functions run in signal handlers.

private func wake(_ number: Int32) {
  let error = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(wakeDescriptor.load(ordering: .relaxed), &byte, 1)
  errno = error
}

/// Stops this process at once, in the signal handler. The other processes of the job have received
/// the signal as well, and a shell might continue all of them before the program's loop handles the
/// signal.
private func stopNow(_ number: Int32) {
  let error = errno
  isContinued.store(false, ordering: .relaxed)
  restoreTerminal()
  signal(SIGTSTP, SIG_DFL)
  if !isContinued.load(ordering: .relaxed) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTSTP)
    sigprocmask(SIG_UNBLOCK, &signals, nil)
    raise(SIGTSTP)
  }
  signal(SIGTSTP, stopNow)
  // This also happens if nothing was stopped, because no shell could have continued the program.
  wake(SIGCONT)
  errno = error
}
