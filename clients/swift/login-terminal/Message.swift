extension ViewModel {
  /// A message for the user, from the engine or the authenticator.
  struct Message {
    /// How serious the message is. This affects only how it looks.
    enum Severity: String {
      case info, success, warning, error
    }

    let text: String
    let severity: Severity?

    /// Reads a message; `nil` if the JSON is not one, such as `null`.
    init?(_ message: JSON) {
      guard let text = message["text"].string else { return nil }
      self.text = text
      severity = message["severity"].string.flatMap(Severity.init)
    }

    /// The sign and style in which the message is drawn. They come from the message's severity; if
    /// it has no severity, they are `sign` and `style`.
    func look(else sign: String, _ style: Style) -> (sign: String, style: Style) {
      switch severity {
      case .info: ("i ", .plain)
      case .success: ("✓ ", .good)
      case .warning: ("! ", .strong)
      case .error: ("✗ ", .bad)
      case nil: (sign, style)
      }
    }
  }

  /// A throttle: until when an action cannot be pressed.
  struct Wait: Equatable {
    /// When the action can be pressed again, in milliseconds since 1970 by the engine's clock.
    let end: Int
    /// How long the user must wait in total, in milliseconds, from when the engine first reported
    /// it.
    let duration: Int

    /// Reads the member `retryAt` of an action or a screen; `nil` if the user need not wait.
    init?(_ retryAt: JSON) {
      guard let end = retryAt["at"].integer, let duration = retryAt["afterMs"].integer, duration >= 0 else {
        return nil
      }
      (self.end, self.duration) = (end, duration)
    }
  }
}

/// Counts down the seconds until actions can be pressed again. The engine reports only when that
/// will be, and sends nothing meanwhile.
struct Countdown {
  /// When each throttle was first seen, by a clock that is never set.
  private var starts: [(wait: ViewModel.Wait, time: Int)] = []

  /// Records when new throttles were first seen, and removes those that the screen no longer has.
  mutating func follow(_ waits: [ViewModel.Wait], at time: Int = System.steadyTime) {
    starts = waits.map { wait in starts.first { $0.wait == wait } ?? (wait, time) }
  }

  /// How many seconds the user still has to wait, rounded up; `nil` if the wait is over. The times
  /// passed in are in milliseconds.
  ///
  /// The calculation uses this computer's wall clock. If that clock differs so much from the
  /// engine's that it must be wrong, the calculation uses the time since the throttle was first
  /// seen instead.
  func secondsLeft(
    of wait: ViewModel.Wait, wallTime: Int = System.wallTime, steadyTime: Int = System.steadyTime
  ) -> Int? {
    let (byWall, isWrong) = wait.end.subtractingReportingOverflow(wallTime)
    let passed = steadyTime - (starts.first { $0.wait == wait }?.time ?? steadyTime)
    let left = !isWrong && byWall > 0 && byWall <= wait.duration ? byWall : wait.duration - passed
    return left > 0 ? (left - 1) / 1_000 + 1 : nil
  }
}
