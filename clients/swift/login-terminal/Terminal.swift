import Glibc
import Synchronization

/// The user's terminal: its modes and its size. Restores the modes when the program ends or stops.
final class Terminal {
  let descriptor: Int32
  private let original: termios
  private let wanted: termios
  private let beginning: StaticString
  private let end: StaticString
  private var unwritten: [UInt8] = []
  /// Whether the terminal has not accepted yet all bytes that were written.
  var isWaiting: Bool { !unwritten.isEmpty }

  /// Opens the terminal at standard input a second time, so that this descriptor can be
  /// non-blocking while the one that the shell shares stays as it is.
  ///
  /// - Parameters:
  ///   - beginning: written when the program enters the terminal.
  ///   - end: written when the program leaves the terminal, even after a crash.
  ///   - change: changes the terminal's modes meanwhile.
  /// - Throws: `Failure` if standard input is not a terminal.
  init(beginning: StaticString, end: StaticString, _ change: (inout termios) -> Void) throws(Failure) {
    guard isatty(0) == 1 else {
      let command = ["login-terminal", "--plain"] + System.arguments
      throw Failure(
        text: "standard input is not a terminal; this works without one: \(command.joined(separator: " "))", status: 2)
    }
    // The terminal of another user, as after `su`, cannot be opened. In that case, duplicate the
    // shell's descriptor.
    let opened = ttyname(0).map { open($0, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) } ?? -1
    descriptor = opened >= 0 ? opened : fcntl(0, F_DUPFD_CLOEXEC, 3)
    var attributes = termios()
    guard tcgetattr(descriptor, &attributes) == 0 else {
      throw Failure(text: "cannot use the terminal: \(System.errorText())")
    }
    original = attributes
    change(&attributes)
    wanted = attributes
    (self.beginning, self.end) = (beginning, end)
  }

  /// How many columns and rows the terminal has; 80 by 24 if unknown.
  var size: (columns: Int, rows: Int) {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(window.ws_col), Int(window.ws_row))
  }

  /// Sets the terminal's modes as this program needs them. Call it again after the program was
  /// stopped, because the shell sets its own modes while the program is stopped.
  ///
  /// - Returns: the bytes to write to the terminal before anything else.
  func enter() -> [UInt8] {
    if restoration == nil {
      restoration = Restoration(descriptor: descriptor, attributes: original, end: end)
      for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE] {
        signal(number) { number in
          restoreTerminal()
          signal(number, SIG_DFL)
          raise(number)
        }
      }
    }
    isTaken.store(true, ordering: .relaxed)
    var attributes = wanted
    tcsetattr(descriptor, TCSANOW, &attributes)
    return Array("\(beginning)".utf8)
  }

  /// Restores the modes that the terminal had before. May be called twice.
  func leave() { restoreTerminal() }

  /// Writes bytes to the terminal without waiting. What the terminal does not accept at once is
  /// written by `flush`.
  func write(_ bytes: [UInt8]) {
    unwritten += bytes
    flush()
  }

  /// Writes the bytes that the terminal has not accepted yet.
  func flush() {
    while !unwritten.isEmpty {
      let count = Glibc.write(descriptor, unwritten, unwritten.count)
      // Linux also refuses while another program writes to the terminal, such as one that a pipe
      // leads to: the bytes must not get lost, and `poll` cannot say when it accepts them.
      guard count > 0 else {
        if errno != EAGAIN && errno != EINTR { unwritten = [] }
        return
      }
      unwritten.removeFirst(count)
    }
  }
}

private struct Restoration {
  let descriptor: Int32
  var attributes: termios
  let end: StaticString
}

/// The state to which signal handlers restore the terminal. It is global because handlers take no
/// arguments. It is written once, before the terminal's modes are changed.
nonisolated(unsafe) private var restoration: Restoration?
private let isTaken = Atomic<Bool>(false)

/// Restores the terminal's modes. Calls only functions that are allowed in signal handlers.
func restoreTerminal() {
  guard isTaken.exchange(false, ordering: .relaxed), var saved = restoration else { return }
  // After Ctrl-Z the shell may already own the terminal, with its own modes.
  let group = tcgetpgrp(saved.descriptor)
  guard group < 0 || group == getpgrp() else { return }
  var request = pollfd(fd: saved.descriptor, events: Int16(POLLOUT), revents: 0)
  if saved.end.utf8CodeUnitCount > 0, poll(&request, 1, 200) > 0 {
    _ = write(saved.descriptor, saved.end.utf8Start, saved.end.utf8CodeUnitCount)
  }
  tcsetattr(saved.descriptor, TCSANOW, &saved.attributes)
}
