import Glibc
public import LoginProtocol
import System

/// The times of this machine.
public enum SystemClock {
  public static func now() -> Moment {
    var time = timespec()
    // Cannot fail: the clock exists on every Linux.
    _ = clock_gettime(CLOCK_REALTIME, &time)
    let seconds = UInt64(max(0, time.tv_sec)), milliseconds = UInt64(max(0, time.tv_nsec)) / 1_000_000
    return Moment(steady: MonotonicClock.now(), utc: seconds &* 1_000 &+ milliseconds)
  }
}
