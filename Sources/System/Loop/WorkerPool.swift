import Glibc

/// Threads for work that would block the loop, such as hashing a password.
///
/// Jobs are taken in the order of submission, each by the first free thread. The outcome is
/// delivered on the loop's thread. Jobs and outcomes may be noncopyable, so that a secret can be
/// passed without a copy.
public final class WorkerPool<Job: ~Copyable & Sendable, Outcome: ~Copyable & Sendable> {
  private let jobs: Channel<Job>
  private let outcomes: Channel<Outcome>
  private let finished: (consuming Outcome) -> Void
  private let loop: EventLoop
  private var watch: EventLoop.Watch?
  private var threads: [pthread_t] = []

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - threads: the number of threads, at least one.
  ///   - work: runs a job on any of the threads.
  ///   - finished: receives an outcome in a turn of `loop`.
  public init(
    threads count: Int, loop: EventLoop, work: @escaping @Sendable (consuming Job) -> Outcome,
    finished: @escaping (consuming Outcome) -> Void
  ) throws(SystemError) {
    let jobs = try Channel<Job>(blocking: true)
    let outcomes = try Channel<Outcome>(blocking: false)
    self.jobs = jobs
    self.outcomes = outcomes
    self.finished = finished
    self.loop = loop
    for _ in 0..<max(1, count) {
      let thread = try Thread.start {
        while true {
          jobs.wait()
          // A signal without a job ends the thread.
          guard let job = jobs.receive() else { return }
          outcomes.send(work(job))
        }
      }
      threads.append(thread)
    }
    watch = loop.watch(outcomes.fd, .read) { [weak self] _ in self?.deliver() }
  }

  deinit { endThreads() }

  /// The number of cores that are online, whether or not this process may use them all.
  public static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  public func submit(_ job: consuming Job) {
    jobs.send(job)
  }

  /// Waits until all jobs are done, including those that were not started, delivers their outcomes,
  /// and ends the threads.
  public func stop() {
    endThreads()
    deliver()
  }

  private func deliver() {
    outcomes.wait()
    while let outcome = outcomes.receive() { finished(outcome) }
  }

  private func endThreads() {
    for _ in threads { jobs.signal() }
    for thread in threads { pthread_join(thread, nil) }
    threads = []
    if let watch { loop.unwatch(watch) }
    watch = nil
  }
}
