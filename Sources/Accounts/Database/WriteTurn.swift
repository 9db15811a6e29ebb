import Glibc

/// Has the threads of this process write one after another. SQLite lets only one write as well, and has the others sleep for a millisecond and
/// more before they look again; here the next one goes on at once. For other processes SQLite waits.
enum WriteTurn {
  private nonisolated(unsafe) static let semaphore: UnsafeMutablePointer<sem_t> = {
    let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(semaphore, 0, 1)
    return semaphore
  }()

  /// Waits for the turn, at most so long. Returns whether it came, and the milliseconds that are left.
  static func take(timeoutMs: Int32) -> (isTaken: Bool, leftMs: Int32) {
    if sem_trywait(semaphore) == 0 { return (true, timeoutMs) }
    let start = now(CLOCK_MONOTONIC)
    // A clock that is set changes how long this waits, and not that the turn comes: nobody has it for longer than SQLite waits.
    let end = now(CLOCK_REALTIME) + Int64(max(0, timeoutMs)) * 1_000_000
    var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
    while sem_timedwait(semaphore, &time) != 0 {
      // Who has the turn is held up by another process. SQLite will say so.
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
