/// The failure counts in the database. All methods run within the caller's transaction.
struct FailureCounts {
  /// What failures are counted for. Addresses and unknown names are stored as hashes.
  enum Subject {
    /// A typed login name that belongs to no account, as its `UnknownNames.hash`.
    case name(hash: String)
    /// A name of an account: its email address or its user name.
    case ownName(Int64, isEmail: Bool)
    /// An account, under either of its names. Ids below 1 stand for accounts that do not exist.
    case account(Int64)
    /// Sign-ups and changes of address by a client that got the answer that a name is taken. The
    /// client is nil if its address is unknown.
    case takenName(client: String?)
    /// Checks of a typed name by a client that got the answer that the name is taken. The client is
    /// nil if its address is unknown.
    case takenNameCheck(client: String?)
    case resetRequest(hash: String)
    /// Mails that ask the owner of an address to confirm it.
    case confirmation(hash: String)
    /// Wrong reset codes for an address in the session that requested the code.
    case ownResetAttempt(hash: String)
    /// Wrong reset codes for an address in all other sessions.
    case otherResetAttempt(hash: String)
    /// Reset codes entered for an address that has no code.
    case vainResetAttempt(hash: String)
    /// Wrong one-time codes and recovery codes of an account.
    case recovery(Int64)
    /// Wrong recovery codes of an account.
    case recoveryCode(Int64)
    /// Wrong passwords of a logged-in user.
    case proof(Int64)
    /// Attempts of all kinds from a client address.
    case client(hash: String)
    /// Uses of the resume token with this id.
    case resumption(id: String)

    /// Creates the subject of an account, or a substitute for a name that no account has.
    /// Substitutes are spread over 1024 subjects, so that attempts with unknown names do not all
    /// wait for each other.
    init(accountOf row: AccountRow?, or name: HashedIdentifier) {
      self = .account(row?.account.id ?? -1 - Int64(HashedIdentifier.lot(of: name.hash) % 1_024))
    }

    var key: String {
      switch self {
      case .name(let hash): "name:\(hash)"
      case .ownName(let id, let isEmail): "\(isEmail ? "email" : "userName"):\(id)"
      case .account(let id): "account:\(id)"
      case .takenName(let client): "takenName:\(client ?? "")"
      case .takenNameCheck(let client): "takenNameCheck:\(client ?? "")"
      case .resetRequest(let hash): "reset:\(hash)"
      case .confirmation(let hash): "confirmation:\(hash)"
      case .ownResetAttempt(let hash): "ownResetTry:\(hash)"
      case .otherResetAttempt(let hash): "resetTry:\(hash)"
      case .vainResetAttempt(let hash): "vainResetTry:\(hash)"
      case .recovery(let id): "recovery:\(id)"
      case .recoveryCode(let id): "recoveryCode:\(id)"
      case .proof(let id): "proof:\(id)"
      case .client(let hash): "client:\(hash)"
      case .resumption(let id): "resumption:\(id)"
      }
    }

    /// How long a count is kept, as the column `known` stores it.
    ///
    /// - 0: until it expires. If there are more counts with this value than the maximum, the oldest
    ///   of them are deleted, whether or not they belong to an account.
    /// - 1: until it expires. This includes wrong reset codes for addresses that have a code; the
    ///   limit on requests for codes limits the number of these addresses.
    /// - 2: until it is cleared.
    var keeping: Int64 {
      switch self {
      case .name, .ownName, .vainResetAttempt, .client, .takenName(client: .some), .takenNameCheck(client: .some): 0
      case .takenName(client: nil), .takenNameCheck(client: nil), .resetRequest, .confirmation, .ownResetAttempt,
        .otherResetAttempt, .resumption:
        1
      case .account, .recovery, .recoveryCode, .proof: 2
      }
    }
  }

  let throttle: Throttle
  let maximumUnknown: Int64

  /// Returns the milliseconds to wait, or nil if the next attempt is allowed. Counts nothing.
  func wait(
    _ subject: Subject, now: Int64, in database: any AccountDatabase
  ) throws(AccountStoreError) -> Int64? {
    throttle.wait(try currentRecord(subject, now: now, in: database), now: now)
  }

  /// The decision about an attempt.
  enum Verdict: Equatable {
    /// The attempt is allowed and counted as a failure; a success clears the count later. `isLast`
    /// is whether the subject becomes locked if the attempt fails.
    case counted(isLast: Bool)
    /// The attempt is too early. The value is how long it has to wait, in milliseconds.
    case wait(Int64)
    /// There were too many failures.
    case locked
  }

  /// Decides about an attempt of the subject. If the attempt is allowed, counts it as a failure.
  ///
  /// - Parameter deferred: The failures that could not be written before.
  func judge(
    _ subject: Subject, deferred: Throttle.Record? = nil, now: Int64, in database: any AccountDatabase
  ) throws(AccountStoreError) -> Verdict {
    let record = try currentRecord(subject, deferred: deferred, now: now, in: database)
    if throttle.isLocked(record) { return .locked }
    if let wait = throttle.wait(record, now: now) { return .wait(wait) }
    let counted = throttle.counting(record, now: now)
    try write(counted, subject, in: database)
    try database.forgetTries(before: now - 24 * Throttle.hour, keeping: maximumUnknown)
    return .counted(isLast: throttle.isLocked(counted))
  }

  /// Counts a failure of a subject that cannot be locked. If the subject has to wait, counts
  /// nothing and returns the milliseconds to wait.
  func count(_ subject: Subject, now: Int64, in database: any AccountDatabase) throws(AccountStoreError) -> Int64? {
    guard case .wait(let wait) = try judge(subject, now: now, in: database) else { return nil }
    return wait
  }

  /// Counts a failure like `judge`, but runs the same statements whether or not the subject is
  /// locked. Returns whether the attempt is allowed.
  func countWithoutWait(
    _ subject: Subject, deferred: Throttle.Record? = nil, now: Int64, in database: any AccountDatabase
  ) throws(AccountStoreError) -> Bool {
    let record = try currentRecord(subject, deferred: deferred, now: now, in: database)
    let isLocked = throttle.isLocked(record)
    let counted = throttle.counting(record, now: now)
    try write(isLocked ? record ?? counted : counted, subject, in: database)
    return !isLocked
  }

  /// Sets the failure count of a subject to zero.
  static func clear(_ subject: Subject, in database: any AccountDatabase) throws(AccountStoreError) {
    try database.run("DELETE FROM tries WHERE subject = ?1", .text(subject.key))
  }

  /// Resets an account's counts of wrong one-time codes and recovery codes, and so unlocks both
  /// kinds of code.
  static func clearCodes(of account: Int64, in database: any AccountDatabase) throws(AccountStoreError) {
    try clear(.recovery(account), in: database)
    try clear(.recoveryCode(account), in: database)
  }

  /// Whether the subject has so many failures that no further attempt is checked.
  func isLocked(_ subject: Subject, now: Int64, in database: any AccountDatabase) throws(AccountStoreError) -> Bool {
    throttle.isLocked(try standing(subject, deferred: nil, now: now, in: database))
  }

  /// Counts an event that may happen only once. Returns whether this is the first time.
  static func countOnce(
    _ subject: Subject, now: Int64, in database: any AccountDatabase
  ) throws(AccountStoreError) -> Bool {
    try database.run(
      """
      INSERT INTO tries (subject, known, failures, first_ms, last_ms) VALUES (?1, ?2, 1, ?3, ?3)
      ON CONFLICT (subject) DO NOTHING
      """,
      .text(subject.key), .integer(subject.keeping), .integer(now))
    return database.changes == 1
  }

  /// Subtracts one failure from the count of a subject.
  static func takeBack(_ subject: Subject, in database: any AccountDatabase) throws(AccountStoreError) {
    try database.run(
      "UPDATE tries SET failures = CASE WHEN failures > 1 THEN failures - 1 ELSE 0 END WHERE subject = ?1",
      .text(subject.key))
  }

  /// Returns the record as of `now`, including the failures that could not be written. Changes
  /// nothing.
  func standing(
    _ subject: Subject, deferred: Throttle.Record?, now: Int64, in database: any AccountDatabase
  ) throws(AccountStoreError) -> Throttle.Record? {
    let stored = try read(subject, in: database).flatMap { throttle.currentRecord($0, now: now) }
    guard let deferred = deferred.flatMap({ throttle.currentRecord($0, now: now) }) else { return stored }
    return stored?.joined(with: deferred) ?? deferred
  }

  private func currentRecord(
    _ subject: Subject, deferred: Throttle.Record? = nil, now: Int64, in database: any AccountDatabase
  ) throws(AccountStoreError) -> Throttle.Record? {
    let standing = try standing(subject, deferred: deferred, now: now, in: database)
    // If this clock is behind, the time at which it first saw the record must be stored; otherwise
    // every attempt would count as the first.
    if let standing, let seen = standing.seenMs, try read(subject, in: database)?.seenMs != seen {
      try write(standing, subject, in: database)
    }
    return standing
  }

  private func read(_ subject: Subject, in database: any AccountDatabase) throws(AccountStoreError) -> Throttle.Record?
  {
    try database.rows(
      "SELECT failures, first_ms, last_ms, seen_ms FROM tries WHERE subject = ?1", .text(subject.key)
    ) {
      // A damaged file may contain any integers.
      Throttle.Record(
        failures: min(max($0.integer(0), 0), Throttle.maximumFailures), firstMs: AccountStore.bounded($0.integer(1)),
        lastMs: AccountStore.bounded($0.integer(2)), seenMs: $0.optionalInteger(3).map(AccountStore.bounded))
    }.first
  }

  private func write(
    _ record: Throttle.Record, _ subject: Subject, in database: any AccountDatabase
  ) throws(AccountStoreError) {
    let values: [SQLValue] = [
      .text(subject.key), .integer(subject.keeping), .integer(record.failures), .integer(record.firstMs),
      .integer(record.lastMs), record.seenMs.map { .integer($0) } ?? .null,
    ]
    // Two statements, because on a server an `INSERT … ON CONFLICT` would restore the old count in
    // a row that a concurrent success has just cleared.
    try database.execute(
      "UPDATE tries SET known = ?2, failures = ?3, first_ms = ?4, last_ms = ?5, seen_ms = ?6 WHERE subject = ?1",
      values
    ) { _ in }
    guard database.changes == 0 else { return }
    try database.execute(
      "INSERT INTO tries (subject, known, failures, first_ms, last_ms, seen_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
      values
    ) { _ in }
  }
}
