import CHashMemory
import CSystem
import Glibc
import Synchronization

/// Lets as many threads of this process hash at one time as there are cores. More would each take longer and need memory of its own: 16 MiB
/// at the default cost. Threads that wait for the disk meanwhile hold up no hash, and go on as soon as the disk has answered: otherwise all that
/// want to write would wait for one that waits for a core.
///
/// A hash that waits gets the memory of one that has ended, or gives it back if it needs another size. The last one gives all of it back, so that none is
/// kept while nobody hashes.
enum HashPermits {
  private nonisolated(unsafe) static let semaphore: UnsafeMutablePointer<sem_t> = {
    let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(semaphore, 0, UInt32(clamping: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
    return semaphore
  }()
  private static let waiting = Atomic<Int>(0)

  static func with<Result>(_ body: () -> Result) -> Result {
    waiting.wrappingAdd(1, ordering: .relaxed)
    while sem_wait(semaphore) != 0 {}
    waiting.wrappingSubtract(1, ordering: .relaxed)
    csystem_set_short_slice(0)
    chashmemory_begin()
    defer {
      chashmemory_end(waiting.load(ordering: .relaxed) > 0 ? 1 : 0)
      sem_post(semaphore)
      csystem_set_short_slice(1)
    }
    return body()
  }
}
