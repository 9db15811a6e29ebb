import CCrypto
import Glibc

/// Limits the number of threads that hash at the same time to the number of cores. More threads
/// would only slow each other down, and each hash needs memory: 16 MiB at the default cost.
///
/// Threads that wait for the disk are not limited, so they continue as soon as the disk has
/// answered. Otherwise one writer that waits for a core would keep all other writers waiting.
enum HashSemaphore {
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
