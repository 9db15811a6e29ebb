/// The counts of failures, kept in the file. All methods work within the caller's transaction.
struct FailureCounts {
  /// What the failures are counted for. An address is kept as its hash, with or without an account.
  enum Subject {
    /// A name that was typed to log in and that nobody has, as its `UnknownNames.hash`.
    case name(hash: String)
    /// A name of an account: its email address, or else its user name.
    case ownName(Int64, isEmail: Bool)
    /// An account, by whatever name. No account has an id below 1: those stand for accounts that are not there.
    case account(Int64)
    /// Sign-ups that found a name taken, of an address of clients, or of all that have none.
    case takenName(client: String?)
    /// Checks that did.
    case takenNameCheck(client: String?)
    case resetRequest(hash: String)
    /// Mails to an address to have it confirmed.
    case confirmation(hash: String)
    /// Wrong reset codes of an address in the session that has asked for a code.
    case ownResetAttempt(hash: String)
    /// Wrong reset codes of an address in all other sessions.
    case otherResetAttempt(hash: String)
    /// Reset codes for an address that has none to be guessed.
    case vainResetAttempt(hash: String)
    /// Wrong one-time codes and recovery codes of an account.
    case recovery(Int64)
    /// Wrong recovery codes of an account alone.
    case recoveryCode(Int64)
    /// Wrong passwords of the person who is in.
    case proof(Int64)
    /// Attempts of all kinds from an address of clients.
    case client(hash: String)
    /// Logins that went on elsewhere with a token of that id.
    case resumption(id: String)

    /// The account, or what is counted in its place where a name has none. That is not one for all such names, whose tries would have to wait for each other.
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

    /// How long a count is kept: 0, as long as there is room, where the oldest are dropped, whether or not there is an account;
    /// 1, until its time is over; 2, for good. The number of addresses that have reset codes is limited already, by the limit on
    /// requests.
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

  /// Milliseconds to wait, or nil if the next attempt may be made. Counts nothing.
  func wait(
    _ subject: Subject, now: Int64, in database: any AccountDatabase
  ) throws(AccountStoreError) -> Int64? {
    throttle.wait(try currentRecord(subject, now: now, in: database), now: now)
  }

  /// What becomes of an attempt.
  enum Verdict: Equatable {
    /// It is counted as a failure; a success clears the count later. `isLast`: if there is none, the subject is locked from now on.
    case counted(isLast: Bool)
    /// It is too early. Milliseconds.
    case wait(Int64)
    /// There were too many failures.
    case locked
  }

  /// Counts a failure if the subject may make an attempt. `deferred` are the failures that could not be written before.
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

  /// Counts a failure of what is never locked. If the subject has to wait, counts nothing and returns the milliseconds.
  func count(_ subject: Subject, now: Int64, in database: any AccountDatabase) throws(AccountStoreError) -> Int64? {
    guard case .wait(let wait) = try judge(subject, now: now, in: database) else { return nil }
    return wait
  }

  /// As `judge`, with the same statements whether or not the subject is locked. Returns whether the attempt may be made.
  func countSilently(
    _ subject: Subject, deferred: Throttle.Record? = nil, now: Int64, in database: any AccountDatabase
  ) throws(AccountStoreError) -> Bool {
    let record = try currentRecord(subject, deferred: deferred, now: now, in: database)
    let isLocked = throttle.isLocked(record)
    let counted = throttle.counting(record, now: now)
    try write(isLocked ? record ?? counted : counted, subject, in: database)
    return !isLocked
  }

  /// Forgets a subject's failures.
  static func clear(_ subject: Subject, in database: any AccountDatabase) throws(AccountStoreError) {
    try database.run("DELETE FROM tries WHERE subject = ?1", .text(subject.key))
  }

  /// Forgets an account's wrong codes of all kinds, which ends their locks.
  static func clearCodes(of account: Int64, in database: any AccountDatabase) throws(AccountStoreError) {
    try clear(.recovery(account), in: database)
    try clear(.recoveryCode(account), in: database)
  }

  /// Whether there were so many failures that no attempt is checked any more.
  func isLocked(_ subject: Subject, now: Int64, in database: any AccountDatabase) throws(AccountStoreError) -> Bool {
    throttle.isLocked(try standing(subject, deferred: nil, now: now, in: database))
  }

  /// Counts what may happen once. Returns whether this is the first time.
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

  /// Counts one failure less.
  static func takeBack(_ subject: Subject, in database: any AccountDatabase) throws(AccountStoreError) {
    try database.run(
      "UPDATE tries SET failures = CASE WHEN failures > 1 THEN failures - 1 ELSE 0 END WHERE subject = ?1",
      .text(subject.key))
  }

  /// The record as it is at `now`, with the failures that could not be written. Changes nothing.
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
    // A clock that is behind has to remember when it first saw the record: otherwise each attempt would be the first.
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
      // A damaged file may have any numbers.
      Throttle.Record(
        failures: min(max($0.integer(0), 0), Throttle.mostFailures), firstMs: AccountStore.bounded($0.integer(1)),
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
    // Not one statement for both: on a server an insertion would take the place of a row that a success has just cleared, with the count of before.
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
