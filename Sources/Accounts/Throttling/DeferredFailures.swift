import Synchronization

/// Login failures that could not be written because the disk is full. They delay and lock logins
/// like written failures, and are written together with the next failure that can be written. The
/// stores of a process share them. They are lost when the process ends.
public final class DeferredFailures: Sendable {
  /// The maximum number of records. When it is reached, logins are refused until the disk has room
  /// again.
  private static let maximum = 100_000
  private let records = Mutex<[String: Throttle.Record]>([:])

  public init() {}

  func record(of subject: FailureCounts.Subject) -> Throttle.Record? {
    records.withLock { $0[subject.key] }
  }

  /// Counts one more failure. Returns false if the maximum number of records is reached.
  func count(_ subject: FailureCounts.Subject, _ throttle: Throttle, now: Int64) -> Bool {
    records.withLock { records in
      let record = records[subject.key].flatMap { throttle.currentRecord($0, now: now) }
      guard record != nil || records.count < Self.maximum else { return false }
      records[subject.key] = throttle.counting(record, now: now)
      return true
    }
  }

  /// Removes records that were written to disk or cleared by a success.
  func remove(_ subjects: [FailureCounts.Subject]) {
    records.withLock { records in
      guard !records.isEmpty else { return }
      for subject in subjects { records[subject.key] = nil }
    }
  }
}

extension Throttle.Record {
  /// Adds two records of the same subject.
  func joined(with other: Throttle.Record) -> Throttle.Record {
    Throttle.Record(
      failures: failures + other.failures, firstMs: min(firstMs, other.firstMs), lastMs: max(lastMs, other.lastMs),
      seenMs: lastMs >= other.lastMs ? seenMs : other.seenMs)
  }
}
