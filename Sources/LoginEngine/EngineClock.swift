import EventLoop

/// The engine's time in milliseconds: the system's monotonic one, or one that only moves when told.
struct EngineClock {
  let isManual: Bool
  /// How far a manual clock can be moved: a number that every JSON reader takes exactly, and far enough from the largest that no
  /// deadline overflows.
  static var latest: UInt64 { 1 << 53 }
  /// The time at which everything happens: never past a deadline whose timer has not fired. So what happens when, and in which order, is the
  /// same for a manual clock that is moved to the same times.
  private(set) var now: UInt64
  /// What the system's clock showed last.
  private var seen: UInt64
  /// Whether it has nothing to do with the system's clock any more.
  private(set) var isStopped: Bool

  init(isManual: Bool) {
    self.isManual = isManual
    now = isManual ? 0 : MonotonicClock.now()
    seen = now
    isStopped = isManual
  }

  /// From now on it goes on by hand only.
  mutating func stop() { isStopped = true }

  /// Looks at the system's clock, once a turn, and goes on to what it shows or to just before the next deadline.
  mutating func tick(before deadline: UInt64?) {
    guard !isStopped else { return }
    seen = MonotonicClock.now()
    catchUp(before: deadline)
  }

  /// Goes on to what the system's clock showed last, or to just before the next deadline.
  mutating func catchUp(before deadline: UInt64?) {
    guard !isStopped else { return }
    var time = seen
    if let deadline, deadline <= time { time = deadline > 0 ? deadline - 1 : 0 }
    move(to: time)
  }

  /// Whether the system's clock has reached a deadline.
  func hasReached(_ deadline: UInt64) -> Bool { !isStopped && deadline <= seen }

  /// Goes on to a time: by hand, or to a deadline.
  mutating func move(to time: UInt64) {
    if time > now { now = time }
  }
}
