import Glibc
import SecretMemory
import System
import Testing

@Suite("Worker threads")
struct WorkerPoolTests {
  @Test("the outcome of every job of a worker pool arrives once, on the event loop's thread", arguments: [1, 2, 7])
  func outcomes(threads: Int) throws {
    let loop = try EventLoop()
    let own = pthread_self()
    var outcomes: [Int] = []
    let pool = try WorkerPool<Int, Int>(threads: threads, loop: loop, work: { $0 * 2 }) { outcome in
      #expect(pthread_equal(pthread_self(), own) != 0)
      outcomes.append(outcome)
      if outcomes.count == 1_000 { loop.stop() }
    }
    for job in 0..<1_000 { pool.submit(job) }
    loop.run()
    pool.stop()
    #expect(outcomes.sorted() == (0..<1_000).map { $0 * 2 })
  }

  @Test("a worker pool with one thread runs its jobs in the order of submission")
  func order() throws {
    let loop = try EventLoop()
    var outcomes: [Int] = []
    let pool = try WorkerPool<Int, Int>(threads: 1, loop: loop, work: { $0 }) { outcomes.append($0) }
    for job in 0..<100 { pool.submit(job) }
    pool.stop()
    #expect(outcomes == Array(0..<100))
  }

  @Test("a worker pool runs jobs outside of the loop's thread, and passes secrets to them without a copy")
  func secrets() throws {
    let loop = try EventLoop()
    var counts: [Int] = []
    let own = UInt(pthread_self())
    let pool = try WorkerPool<SecretBytes, SecretBytes>(
      threads: 2, loop: loop,
      work: { secret in
        var secret = secret
        secret.append(byte: UInt(pthread_self()) == own ? 0 : 1)
        return secret
      },
      finished: { secret in
        #expect(secret.withBytes { $0.last } == 1)
        counts.append(secret.count)
      })
    for count in 0..<10 {
      var secret = SecretBytes()
      for _ in 0..<count { secret.append(byte: 7) }
      pool.submit(secret)
    }
    pool.stop()
    #expect(counts.sorted() == Array(1...10))
  }

  @Test("stopping a worker pool waits for all jobs, including jobs that were not started")
  func stops() throws {
    let loop = try EventLoop()
    var done = 0
    let pool = try WorkerPool<Int, Int>(
      threads: 2, loop: loop,
      work: { job in
        usleep(1_000)
        return job
      }, finished: { _ in done += 1 })
    for job in 0..<20 { pool.submit(job) }
    pool.stop()
    #expect(done == 20)
    pool.stop()
    #expect(done == 20)
  }

  @Test("a worker pool ends its threads when its last reference is released")
  func dropped() throws {
    let loop = try EventLoop()
    var pool: WorkerPool<Int, Int>? = try WorkerPool(threads: 3, loop: loop, work: { $0 }, finished: { _ in })
    pool?.submit(1)
    pool = nil
    loop.beforeWait = {
      loop.stop()
      return 0
    }
    loop.run()
  }
}
