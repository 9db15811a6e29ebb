import Glibc

/// Clocks whose times are in nanoseconds.
enum Clock {
  /// The current time of the monotonic clock, which starts at an unspecified moment before this
  /// process.
  static func now() -> UInt64 { read(CLOCK_MONOTONIC) ?? 0 }

  /// The processor time that a process has used, in user and kernel mode, on all threads.
  static func processorTime(of process: Int32) throws(Failure) -> UInt64 {
    var clock = clockid_t()
    guard clock_getcpuclockid(process, &clock) == 0, let time = read(clock) else {
      throw Failure("the processor time of process \(process) cannot be read")
    }
    return time
  }

  private static func read(_ clock: clockid_t) -> UInt64? {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return nil }
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
