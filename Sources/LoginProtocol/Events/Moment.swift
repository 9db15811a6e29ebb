/// A point in time. The core's host passes one in with each input.
public struct Moment: Equatable, Sendable {
  /// Monotonic time in milliseconds, for timers.
  public var steady: UInt64
  /// Time in milliseconds since 1970-01-01T00:00:00Z without leap seconds (as in POSIX), for dates.
  public var utc: UInt64

  public init(steady: UInt64, utc: UInt64) {
    self.steady = steady
    self.utc = utc
  }
}
