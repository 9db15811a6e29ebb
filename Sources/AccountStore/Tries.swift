/// The count of failures, kept in the file. All of it is done within the caller's transaction.
struct Tries {
  /// Whose failures: an account, an identifier that is none's (as its keyed hash), or the registrations of the file.
  /// For resets it is an address as its keyed hash, whether an account has it or not.
  enum Subject {
    case account(Int64)
    case unknown(hash: String)
    case registrations
    case resetRequest(hash: String)
    case allResetRequests
    case resetTry(hash: String)
    /// Wrong recovery codes of an account.
    case recovery(Int64)

    var key: String {
      switch self {
      case .account(let id): "account:\(id)"
      case .unknown(let hash): "unknown:\(hash)"
      case .registrations: "registrations"
      case .resetRequest(let hash): "reset:\(hash)"
      case .allResetRequests: "resets"
      case .resetTry(let hash): "resetTry:\(hash)"
      case .recovery(let id): "recovery:\(id)"
      }
    }

    /// Whether its count is kept until its time is over. The others are bounded in number, and the oldest go. How many
    /// addresses ask for reset codes is bounded already, by how often anybody may ask.
    var isKnown: Bool {
      switch self {
      case .unknown, .resetTry: false
      case .account, .registrations, .resetRequest, .allResetRequests, .recovery: true
      }
    }
  }

  let throttle: Throttle
  let maximumUnknown: Int64

  /// Milliseconds to wait, or nil when the next try may be made. Counts nothing.
  func wait(
    _ subject: Subject, now: Int64, in database: borrowing Database
  ) throws(AccountStoreError) -> Int64? {
    throttle.wait(try standing(subject, now: now, in: database), now: now)
  }

  /// Counts a failure (what is not one is cleared later), unless the subject has to wait: then its milliseconds.
  func count(
    _ subject: Subject, now: Int64, in database: borrowing Database
  ) throws(AccountStoreError) -> Int64? {
    let record = try standing(subject, now: now, in: database)
    if let wait = throttle.wait(record, now: now) { return wait }
    try write(throttle.counting(record, now: now), subject, in: database)
    try prune(now: now, in: database)
    return nil
  }

  /// Forgets a subject's failures.
  static func clear(_ subject: Subject, in database: borrowing Database) throws(AccountStoreError) {
    try database.run("DELETE FROM tries WHERE subject = ?1", .text(subject.key))
  }

  private func standing(
    _ subject: Subject, now: Int64, in database: borrowing Database
  ) throws(AccountStoreError) -> Throttle.Record? {
    let record = try database.rows(
      "SELECT failures, first_ms, last_ms FROM tries WHERE subject = ?1", .text(subject.key)
    ) {
      Throttle.Record(failures: $0.integer(0), firstMs: $0.integer(1), lastMs: $0.integer(2))
    }.first
    guard let record, let standing = throttle.standing(record, now: now) else { return nil }
    // After the clock was set back, the wait must run from now and not begin anew at every try.
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
