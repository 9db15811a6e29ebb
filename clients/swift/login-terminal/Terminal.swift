import Glibc

/// The person's terminal: raw mode, the alternate screen, its size, and its way back to how it was.
final class Terminal {
  let input: Int32
  var output: Outlet
  private let original: termios

  /// Opens the terminal anew, so that it can be made non-blocking without changing the descriptors that the shell shares.
  ///
  /// - Throws: `Failure` where standard input or output is not a terminal.
  init() throws(Failure) {
    guard isatty(0) == 1, isatty(1) == 1, let name = ttyname(0) else {
      throw Failure(text: "standard input and output are not a terminal; --plain works without one", status: 2)
    }
    let descriptor = open(name, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    var attributes = termios()
    guard descriptor >= 0, tcgetattr(descriptor, &attributes) == 0 else {
      throw Failure(text: "cannot open \(String(cString: name)): \(System.errorText())")
    }
    input = descriptor
    output = Outlet(descriptor: descriptor)
    original = attributes
  }

  /// Columns and rows, 80 by 24 where the terminal does not say.
  var size: (columns: Int, rows: Int) {
    var window = winsize()
    guard ioctl(input, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else { return (80, 24) }
    return (Int(window.ws_col), Int(window.ws_row))
  }

  func enter() {
    restoration = Restoration(descriptor: input, attributes: original)
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE] {
      signal(number) { number in
        putBack()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    var raw = original
    cfmakeraw(&raw)
    tcsetattr(input, TCSANOW, &raw)
    // The alternate screen, no automatic line wrap, pasted text marked as such.
    output.write(Array("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[2J".utf8))
  }

  /// Gives the terminal back as it was. May be called twice.
  func leave() {
    // What is still on its way is dropped: a terminal that takes nothing must not hold up the end.
    output = Outlet(descriptor: input)
    putBack()
  }
}

private struct Restoration {
  let descriptor: Int32
  var attributes: termios
}

/// Read by signal handlers, which can be given nothing. It is written before they are installed and by one thread only.
nonisolated(unsafe) private var restoration: Restoration?

/// Leaves paste marks, wrapping, cursor, colours and the alternate screen as a shell expects them.
private let leaving: StaticString = "\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[0m\u{1B}[?1049l"

/// Calls only what a signal handler may call.
private func putBack() {
  guard var saved = restoration else { return }
  restoration = nil
  var request = pollfd(fd: saved.descriptor, events: Int16(POLLOUT), revents: 0)
  if poll(&request, 1, 200) > 0 { _ = write(saved.descriptor, leaving.utf8Start, leaving.utf8CodeUnitCount) }
  tcsetattr(saved.descriptor, TCSANOW, &saved.attributes)
}
