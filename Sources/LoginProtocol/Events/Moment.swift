/// A point in time as the host of an engine's core tells it: each input of the core carries one.
public struct Moment: Equatable, Sendable {
  /// Milliseconds of a clock that neither jumps nor goes back. Timers use it.
  public var steady: UInt64
  /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted (as POSIX counts). Dates use it.
  public var utc: UInt64

  public init(steady: UInt64, utc: UInt64) {
    self.steady = steady
    self.utc = utc
  }
}
