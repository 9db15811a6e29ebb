import Glibc

/// A mutex for the write transactions of this process's threads. SQLite also allows only one writer
/// at a time, but it makes the other threads sleep for a millisecond or more between polls. With
/// this mutex, the next thread continues at once. Waiting for other processes is left to SQLite.
enum WriteMutex {
  private nonisolated(unsafe) static let semaphore: UnsafeMutablePointer<sem_t> = {
    let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(semaphore, 0, 1)
    return semaphore
  }()

  /// Waits for the mutex for at most `timeoutMs`. Returns whether it was acquired, and the
  /// milliseconds left.
  static func take(timeoutMs: Int32) -> (isTaken: Bool, leftMs: Int32) {
    if sem_trywait(semaphore) == 0 { return (true, timeoutMs) }
    let start = now(CLOCK_MONOTONIC)
    // If the system clock is set, the wait may be longer or shorter, but it still ends: no thread
    // holds the mutex for longer than SQLite waits.
    let end = now(CLOCK_REALTIME) + Int64(max(0, timeoutMs)) * 1_000_000
    var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
    while sem_timedwait(semaphore, &time) != 0 {
      // Another process is blocking the thread that has the mutex. SQLite will report that.
      if errno != EINTR { return (false, 0) }
    }
    let waitedMs = (now(CLOCK_MONOTONIC) - start) / 1_000_000
    return (true, Int32(clamping: max(0, Int64(timeoutMs) - waitedMs)))
  }

  static func give() { sem_post(semaphore) }

  private static func now(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
