import Glibc

/// Turns the terminal's echo off and on. The echo is also restored when a signal ends the program.
enum Echo {
  /// The terminal's settings before its echo was turned off. They are stored before the signal
  /// handler that restores them is installed.
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

  /// Restores the echo. Call only after `off`.
  static func restore() {
    // Both functions are safe in a signal handler: signal-safety(7).
    _ = tcsetattr(0, TCSANOW, &before)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { signal(number, SIG_DFL) }
  }
}
