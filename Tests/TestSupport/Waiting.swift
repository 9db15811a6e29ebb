import Foundation
public import Testing

/// Runs tests on separate threads.
///
/// Swift's test library runs tests on one thread for each core. A test that waits for a process or
/// a lock would block such a thread without using a core, and tests that compute would have to wait
/// for the thread.
public struct Waiting: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(WaitingThreads.shared) { try await function() }
  }
}

extension Trait where Self == Waiting {
  /// The trait for tests that wait more than they compute.
  public static var waits: Self { Waiting() }
}

private final class WaitingThreads: TaskExecutor {
  static let shared = WaitingThreads()

  private let queue = OperationQueue()

  init() { queue.maxConcurrentOperationCount = 8 }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
