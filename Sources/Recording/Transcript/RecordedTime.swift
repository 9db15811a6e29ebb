/// The time to which the steps of a transcript have moved a replay's clock, in the engine's
/// milliseconds.
///
/// Steps move the clock of a replay. If the run's clock was manual as well, the view's own messages
/// move it.
struct RecordedTime {
  private let isManual: Bool
  private var time: UInt64
  /// Whether nothing moves a replay's clock any more, since the input has ended.
  private var isStopped = false

  init(start: UInt64, isManual: Bool) {
    time = start
    self.isManual = isManual
  }

  /// Whether separate steps move the clock.
  var usesSteps: Bool { !isManual && !isStopped }

  /// Whether the run's clock is ahead.
  func isBehind(_ now: UInt64) -> Bool { !isManual && now > time }

  mutating func stop() { isStopped = true }

  /// Moves to `now`. Returns the milliseconds by which a step has to move the clock; 0 for no step.
  mutating func move(to now: UInt64) -> UInt64 {
    guard usesSteps, now > time else { return 0 }
    defer { time = now }
    return now - time
  }
}
