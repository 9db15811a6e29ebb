import Foundation
public import Testing

/// Runs tests on separate threads.
///
/// Tests share one thread for each core. A test that waits for a process or a lock blocks its
/// thread without using a core, so that computing tests would wait as well.
public struct Waiting: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(WaitingThreads.shared) { try await function() }
  }
}

extension Trait where Self == Waiting {
  /// The trait of a test that waits more than it computes.
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
