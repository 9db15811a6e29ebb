/// How far the steps of a transcript have moved a replay's clock, in the engine's milliseconds.
///
/// A replay's clock is moved by steps. Where the run's clock was manual as well, the view's own messages do that.
struct RecordedTime {
  private let isManual: Bool
  private var time: UInt64
  /// Whether nothing can move a replay's clock any more, since the input has ended.
  private var isStopped = false

  init(start: UInt64, isManual: Bool) {
    time = start
    self.isManual = isManual
  }

  /// Whether time is told by steps of its own.
  var isTold: Bool { !isManual && !isStopped }

  /// Whether the run's clock has gone on since.
  func isBehind(_ now: UInt64) -> Bool { !isManual && now > time }

  mutating func stop() { isStopped = true }

  /// How far the clock has to be moved to come to `now`; 0 if time is not told.
  mutating func move(to now: UInt64) -> UInt64 {
    guard isTold, now > time else { return 0 }
    defer { time = now }
    return now - time
  }
}
