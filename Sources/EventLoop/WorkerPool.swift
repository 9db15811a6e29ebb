import Glibc

/// Threads for work that would hold up the loop, such as hashing a password.
///
/// A job goes to the first thread that is free, in the order of submission. Its outcome comes back on the loop's thread.
/// Both may be noncopyable, so that a secret can be handed over without a copy.
public final class WorkerPool<Job: ~Copyable & Sendable, Outcome: ~Copyable & Sendable> {
  private let jobs: Mailbox<Job>
  private let outcomes: Mailbox<Outcome>
  private let finished: (consuming Outcome) -> Void
  private let loop: EventLoop
  private var watch: EventLoop.Watch?
  private var threads: [pthread_t] = []

  /// - Parameters:
  ///   - threads: how many jobs are worked on at one time, at least one.
  ///   - work: called on any of the threads.
  ///   - finished: called in a turn of `loop`.
  public init(
    threads count: Int, loop: EventLoop, work: @escaping @Sendable (consuming Job) -> Outcome,
    finished: @escaping (consuming Outcome) -> Void
  ) throws(SystemError) {
    let jobs = try Mailbox<Job>(blocking: true)
    let outcomes = try Mailbox<Outcome>(blocking: false)
    self.jobs = jobs
    self.outcomes = outcomes
    self.finished = finished
    self.loop = loop
    for _ in 0..<max(1, count) {
      let thread = try Thread.start {
        while true {
          jobs.wait()
          // Let through with nothing to do: the end.
          guard let job = jobs.take() else { return }
          outcomes.put(work(job))
        }
      }
      threads.append(thread)
    }
    watch = loop.watch(outcomes.fd, .read) { [weak self] _ in self?.deliver() }
  }

  deinit { end() }

  /// How many cores are online, whether or not this process may use them all.
  public static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  public func submit(_ job: consuming Job) {
    jobs.put(job)
  }

  /// Waits until all jobs are done, those that nobody has begun included, hands over their outcomes, and ends the threads.
  public func stop() {
    end()
    deliver()
  }

  private func deliver() {
    outcomes.wait()
    while let outcome = outcomes.take() { finished(outcome) }
  }

  private func end() {
    for _ in threads { jobs.signal() }
    for thread in threads { pthread_join(thread, nil) }
    threads = []
    if let watch { loop.unwatch(watch) }
    watch = nil
  }
}
