extension ViewModel {
  /// Something that the engine or the authenticator says.
  struct Message {
    /// How a message looks, and nothing else.
    enum Severity: String {
      case info, success, warning, error
    }

    let text: String
    let severity: Severity?

    /// `nil` where there is none.
    init?(_ message: JSON) {
      guard let text = message["text"].string else { return nil }
      self.text = text
      severity = message["severity"].string.flatMap(Severity.init)
    }

    /// The sign before it, if it says how it is meant, and the style that goes with the sign.
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

  /// Until when something cannot be pressed, because it is too early.
  struct Wait: Equatable {
    /// In milliseconds since 1970, by the engine's clock.
    let end: Int
    /// The whole wait, in milliseconds.
    let duration: Int

    /// `nil` where there is none.
    init?(_ retryAt: JSON) {
      guard let end = retryAt["at"].integer, let duration = retryAt["afterMs"].integer, duration >= 0 else {
        return nil
      }
      (self.end, self.duration) = (end, duration)
    }
  }
}

/// Counts down what the engine tells once: how long it is still too early.
struct Countdown {
  /// When each wait was first heard of, by a clock that nobody sets.
  private var starts: [(wait: ViewModel.Wait, time: Int)] = []

  /// Takes down new waits, and forgets those that are over.
  mutating func follow(_ waits: [ViewModel.Wait], at time: Int = System.steadyTime) {
    starts = waits.map { wait in starts.first { $0.wait == wait } ?? (wait, time) }
  }

  /// Whole seconds that are left, by the clocks' times in milliseconds; `nil` if nothing is.
  ///
  /// The clock of this machine tells, unless it is so far from the engine's that it cannot be right: then it is the time since the wait was heard of.
  func secondsLeft(
    of wait: ViewModel.Wait, wallTime: Int = System.wallTime, steadyTime: Int = System.steadyTime
  ) -> Int? {
    let (byWall, isWrong) = wait.end.subtractingReportingOverflow(wallTime)
    let passed = steadyTime - (starts.first { $0.wait == wait }?.time ?? steadyTime)
    let left = !isWrong && byWall > 0 && byWall <= wait.duration ? byWall : wait.duration - passed
    return left > 0 ? (left - 1) / 1_000 + 1 : nil
  }
}
