import EventLoop

/// The engine's time in milliseconds: the system's monotonic one, or one that only moves when told.
struct EngineClock {
  let isManual: Bool
  /// How far a manual clock can be moved: a number that every JSON reader takes exactly, and far enough from the largest that no
  /// deadline overflows.
  static var latest: UInt64 { 1 << 53 }
  /// The time of this turn.
  private(set) var now: UInt64

  init(isManual: Bool) {
    self.isManual = isManual
    now = isManual ? 0 : MonotonicClock.now()
  }

  /// Looks at the system's clock, once a turn.
  mutating func tick() {
    if !isManual { now = MonotonicClock.now() }
  }

  /// Moves a manual clock on.
  mutating func move(to time: UInt64) {
    if isManual, time > now { now = time }
  }
}
