import CCrypto
import Glibc

/// Lets as many threads of this process hash at one time as there are cores. More would each take longer and need memory of its own: 16 MiB
/// at the default cost. Threads that wait for the disk meanwhile hold up no hash, and go on as soon as the disk has answered: otherwise all that
/// want to write would wait for one that waits for a core.
enum HashPermits {
  private nonisolated(unsafe) static let semaphore: UnsafeMutablePointer<sem_t> = {
    let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(semaphore, 0, UInt32(clamping: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
    return semaphore
  }()

  static func with<Result>(_ body: () -> Result) -> Result {
    while sem_wait(semaphore) != 0 {}
    ccrypto_begin_hash()
    defer {
      ccrypto_end_hash()
      sem_post(semaphore)
    }
    return body()
  }
}
