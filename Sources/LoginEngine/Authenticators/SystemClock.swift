import Glibc
public import LoginProtocol
import System

/// The clocks of this computer.
public enum SystemClock {
  public static func now() -> Moment {
    var time = timespec()
    // This clock exists on every Linux system, so the call cannot fail.
    _ = clock_gettime(CLOCK_REALTIME, &time)
    let seconds = UInt64(max(0, time.tv_sec)), milliseconds = UInt64(max(0, time.tv_nsec)) / 1_000_000
    return Moment(steady: MonotonicClock.now(), utc: seconds &* 1_000 &+ milliseconds)
  }
}
