import Glibc

/// Whether the terminal shows what is typed. Whoever interrupts the program gets the terminal back as it was.
enum Echo {
  /// Written before the handler that reads it is installed.
  nonisolated(unsafe) private static var before = termios()
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  static func off() {
    guard tcgetattr(0, &before) == 0 else { return }
    for number in signals {
      signal(number) { number in
        Echo.restore()
        raise(number)
      }
    }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    _ = tcsetattr(0, TCSAFLUSH, &silent)
  }

  /// Only after `off`.
  static func restore() {
    // Both may be called in a signal handler: signal-safety(7).
    _ = tcsetattr(0, TCSANOW, &before)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { signal(number, SIG_DFL) }
  }
}
