import Glibc

/// The time since an unspecified moment before this process began. It never jumps and never goes
/// back.
public enum MonotonicClock {
  /// The time in milliseconds.
  public static func now() -> UInt64 {
    var time = timespec()
    // Cannot fail: the clock exists on every Linux.
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
  }
}
