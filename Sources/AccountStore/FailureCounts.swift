/// The counts of failures, kept in the file. All methods work within the caller's transaction.
struct FailureCounts {
  /// What the failures are counted for: an account, an unknown identifier (as its keyed hash), or the registrations or
  /// the checks of the file. For resets it is an address as its keyed hash, with or without an account.
  enum Subject {
    case account(Int64)
    case unknown(hash: String)
    case registrations
    case checks
    case resetRequest(hash: String)
    case allResetRequests
    case resetAttempt(hash: String)
    /// Wrong recovery codes of an account.
    case recovery(Int64)

    var key: String {
      switch self {
      case .account(let id): "account:\(id)"
      case .unknown(let hash): "unknown:\(hash)"
      case .registrations: "registrations"
      case .checks: "checks"
      case .resetRequest(let hash): "reset:\(hash)"
      case .allResetRequests: "resets"
      case .resetAttempt(let hash): "resetTry:\(hash)"
      case .recovery(let id): "recovery:\(id)"
      }
    }

    /// Whether a count is kept until its time is over. The others are limited in number, and the oldest are dropped.
    /// The number of addresses that request reset codes is limited already, by the limit on requests.
    var isKnown: Bool {
      switch self {
      case .unknown, .resetAttempt: false
      case .account, .registrations, .checks, .resetRequest, .allResetRequests, .recovery: true
      }
    }
  }

  let throttle: Throttle
  let maximumUnknown: Int64

  /// Milliseconds to wait, or nil if the next attempt may be made. Counts nothing.
  func wait(
    _ subject: Subject, now: Int64, in database: borrowing Database
  ) throws(AccountStoreError) -> Int64? {
    throttle.wait(try currentRecord(subject, now: now, in: database), now: now)
  }

  /// Counts a failure; a success clears the count later. If the subject has to wait, counts nothing and returns the
  /// milliseconds.
  func count(
    _ subject: Subject, now: Int64, in database: borrowing Database
  ) throws(AccountStoreError) -> Int64? {
    let record = try currentRecord(subject, now: now, in: database)
    if let wait = throttle.wait(record, now: now) { return wait }
    try write(throttle.counting(record, now: now), subject, in: database)
    try prune(now: now, in: database)
    return nil
  }

  /// Forgets a subject's failures.
  static func clear(_ subject: Subject, in database: borrowing Database) throws(AccountStoreError) {
    try database.run("DELETE FROM tries WHERE subject = ?1", .text(subject.key))
  }

  private func currentRecord(
    _ subject: Subject, now: Int64, in database: borrowing Database
  ) throws(AccountStoreError) -> Throttle.Record? {
    let record = try database.rows(
      "SELECT failures, first_ms, last_ms FROM tries WHERE subject = ?1", .text(subject.key)
    ) {
      Throttle.Record(failures: $0.integer(0), firstMs: $0.integer(1), lastMs: $0.integer(2))
    }.first
    guard let record, let standing = throttle.currentRecord(record, now: now) else { return nil }
    // After the clock was set back, the wait must run from now and not begin anew at every attempt.
    if standing != record { try write(standing, subject, in: database) }
    return standing
  }

  private func write(
    _ record: Throttle.Record, _ subject: Subject, in database: borrowing Database
  ) throws(AccountStoreError) {
    try database.run(
      """
      INSERT INTO tries VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (subject) DO UPDATE SET failures = ?3, first_ms = ?4, last_ms = ?5
      """,
      .text(subject.key), .integer(subject.isKnown ? 1 : 0), .integer(record.failures), .integer(record.firstMs),
      .integer(record.lastMs))
  }

  private func prune(now: Int64, in database: borrowing Database) throws(AccountStoreError) {
    try database.run("DELETE FROM tries WHERE known IN (0, 1) AND last_ms <= ?1", .integer(now - 24 * Throttle.hour))
    try database.run(
      """
      DELETE FROM tries WHERE subject IN (SELECT subject FROM tries WHERE known = 0 ORDER BY last_ms
        LIMIT max(0, (SELECT value FROM settings WHERE name = 'unknownTries') - ?1))
      """,
      .integer(maximumUnknown))
  }
}
