import AuthenticatorKit
import Glibc
import System

/// The clock for throttling and locks, in milliseconds since 1970-01-01T00:00:00Z.
struct AccountClock {
  let isManual: Bool
  private var manual: Int64

  /// - Parameter start: The start time of a manual clock. It is 0 by default, so that a test does
  ///   not depend on the time of day.
  init(isManual: Bool, at start: UInt64 = 0) {
    self.isManual = isManual
    manual = min(Int64(clamping: start), AccountClock.end)
  }

  var now: Int64 {
    guard !isManual else { return manual }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// The clock that measures durations within one run of the service, in milliseconds. Setting the
  /// system's time does not change it.
  var steady: Int64 { isManual ? manual : Int64(clamping: MonotonicClock.now()) }

  /// Advances a manual clock, at most to 2^53-1 milliseconds, which is far beyond any date. No
  /// later time is allowed in an answer's proofs, and the limit leaves room for adding durations
  /// without overflow.
  mutating func advance(_ milliseconds: UInt64) {
    let (sum, overflow) = manual.addingReportingOverflow(Int64(clamping: milliseconds))
    manual = overflow ? AccountClock.end : min(sum, AccountClock.end)
  }

  private static var end: Int64 { Int64(clamping: GivenProof.maximumTime) }
}
