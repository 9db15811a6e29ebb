/// The time to which the steps of a transcript have moved a replay's clock, in the engine's
/// milliseconds.
///
/// A replay's clock is moved by separate steps of the transcript. If the run's clock was manual
/// too, there are no such steps: the view's own `clock/advance` messages move the replay's clock.
struct RecordedTime {
  private let isManual: Bool
  private var time: UInt64
  /// Whether nothing moves a replay's clock any more, because the input has ended.
  private var isStopped = false

  init(start: UInt64, isManual: Bool) {
    time = start
    self.isManual = isManual
  }

  /// Whether separate steps move the replay's clock.
  var usesSteps: Bool { !isManual && !isStopped }

  /// Whether the replay's clock is behind the run's clock.
  func isBehind(_ now: UInt64) -> Bool { !isManual && now > time }

  mutating func stop() { isStopped = true }

  /// Moves the replay's clock to `now`. Returns the milliseconds by which a step has to move it, or
  /// 0 if no step is needed.
  mutating func move(to now: UInt64) -> UInt64 {
    guard usesSteps, now > time else { return 0 }
    defer { time = now }
    return now - time
  }
}
