extension ViewModel {
  /// A message of the engine or the authenticator.
  struct Message {
    /// The severity, which only affects how the message looks.
    enum Severity: String {
      case info, success, warning, error
    }

    let text: String
    let severity: Severity?

    /// `nil` if there is no message.
    init?(_ message: JSON) {
      guard let text = message["text"].string else { return nil }
      self.text = text
      severity = message["severity"].string.flatMap(Severity.init)
    }

    /// The sign and style of the severity; the given ones if the message has none.
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

  /// A throttle: the time until which something cannot be pressed.
  struct Wait: Equatable {
    /// The end in milliseconds since 1970, by the engine's clock.
    let end: Int
    /// The whole wait, in milliseconds.
    let duration: Int

    /// `nil` if there is no throttle.
    init?(_ retryAt: JSON) {
      guard let end = retryAt["at"].integer, let duration = retryAt["afterMs"].integer, duration >= 0 else {
        return nil
      }
      (self.end, self.duration) = (end, duration)
    }
  }
}

/// Counts down throttles, which the engine reports only once.
struct Countdown {
  /// The steady time at which each throttle was first seen.
  private var starts: [(wait: ViewModel.Wait, time: Int)] = []

  /// Records new throttles and removes those that are gone.
  mutating func follow(_ waits: [ViewModel.Wait], at time: Int = System.steadyTime) {
    starts = waits.map { wait in starts.first { $0.wait == wait } ?? (wait, time) }
  }

  /// The seconds left, rounded up; `nil` if the throttle is over. The given times are in
  /// milliseconds.
  ///
  /// Uses this machine's wall clock, unless it differs so much from the engine's that it must be
  /// wrong; then the time since the throttle was first seen counts.
  func secondsLeft(
    of wait: ViewModel.Wait, wallTime: Int = System.wallTime, steadyTime: Int = System.steadyTime
  ) -> Int? {
    let (byWall, isWrong) = wait.end.subtractingReportingOverflow(wallTime)
    let passed = steadyTime - (starts.first { $0.wait == wait }?.time ?? steadyTime)
    let left = !isWrong && byWall > 0 && byWall <= wait.duration ? byWall : wait.duration - passed
    return left > 0 ? (left - 1) / 1_000 + 1 : nil
  }
}
