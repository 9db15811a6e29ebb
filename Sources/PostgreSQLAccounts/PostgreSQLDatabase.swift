import Accounts
import Glibc

/// Accounts on a database server. The connection is made when needed, and again after it has ended.
///
/// Operations that fail because of concurrent transactions or an unreachable server are retried for
/// `retryTimeoutMs`. The user waits during this time.
final class PostgreSQLDatabase: AccountDatabase {
  /// The timeout of a statement in milliseconds. Statements for a single account take a few
  /// milliseconds.
  private static let statementTimeoutMs: UInt64 = 5_000
  /// The deadline of a statement that starts now. Each statement has its own deadline, so a
  /// transaction may take longer than one timeout, for example on a distant server.
  private var statementDeadline: UInt64 { Clock.now() + Self.statementTimeoutMs }

  /// The deadline of a commit that starts now. It is later than the server's own timeout, so that
  /// the server reports the outcome of the commit.
  private var commitDeadline: UInt64 { statementDeadline + 1_000 }

  private let server: DatabaseServer
  private let retryTimeoutMs: UInt64
  private var connection: Connection?
  /// The statements, by the address of their text in memory. The text of a literal always has the
  /// same address.
  private var texts: [UnsafePointer<UInt8>: StatementText] = [:]
  private var current: Transaction?
  private(set) var changes = 0
  /// The deletion of old failed attempts that must run after the current transaction, if any.
  private var forgetting: (time: Int64, maximum: Int64)?

  /// The current transaction.
  private struct Transaction {
    /// The id of this transaction's row in the table `commits`.
    let mark: Int64
    var isMarked = false
    /// The error that broke the transaction.
    var failure: ConnectionFailure?
  }

  init(_ server: DatabaseServer, retryTimeoutMs: UInt64) {
    self.server = server
    self.retryTimeoutMs = retryTimeoutMs
  }

  func execute(
    _ sql: StaticString, _ values: [SQLValue], row: (any SQLRow) -> Void
  ) throws(AccountStoreError) {
    let text = text(sql)
    let result: QueryResult
    if current == nil {
      // Statements outside of a transaction are read-only or can be repeated.
      result = try again { connection throws(ConnectionFailure) in
        try connection.run(
          text, values, isPrepared: server.preparesStatements, deadline: statementDeadline)
      }
    } else {
      result = try executeInTransaction(sql, text, values)
    }
    changes = result.changes
    for index in result.rows { row(QueryResult.Row(result: result, index: index)) }
  }

  func transaction<Result>(
    _ work: () throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result {
    guard current == nil else { return try work() }
    let mark = Int64.random(in: 1 ... .max)
    /// The result of the work in an earlier attempt whose commit was not confirmed.
    var unanswered: Result?
    let result = try again { connection throws(ConnectionFailure) -> Outcome<Result> in
      current = Transaction(mark: mark)
      defer { current = nil }
      try connection.run(Self.beginning, deadline: statementDeadline)
      if let unanswered, try insertCommitMark(connection) == false {
        // Another commit follows. Once the server acknowledges it, the earlier commit is safe as
        // well, even on a standby.
        _ = try connection.run(
          text(Self.remarking), [.integer(mark)], isPrepared: server.preparesStatements, deadline: statementDeadline)
        try connection.commit(deadline: commitDeadline)
        return .done(unanswered)
      }
      let result: Result
      do throws(AccountStoreError) {
        result = try work()
      } catch {
        if let failure = current?.failure { throw failure }
        try connection.run("ROLLBACK", deadline: statementDeadline)
        return .failed(error)
      }
      if let failure = current?.failure { throw failure }
      let isMarked = current?.isMarked ?? false
      do throws(ConnectionFailure) {
        try connection.commit(deadline: commitDeadline)
      } catch {
        guard error == .lost || error == .unreplicated else { throw error }
        // The work has only read, so it does not matter that the commit was not confirmed.
        guard isMarked else { return .read(result) }
        unanswered = result
        throw error
      }
      return .done(result)
    }
    switch result {
    case .done(let result):
      deleteOldFailures()
      return result
    case .read(let result):
      connection = nil
      return result
    case .failed(let error):
      forgetting = nil
      throw error
    }
  }

  private enum Outcome<Result> {
    case done(Result)
    /// The work has only read data, and the connection cannot be used any more.
    case read(Result)
    /// The work has thrown an error of its own.
    case failed(AccountStoreError)
  }

  /// Starts a transaction with time limits that end it if this program hangs. The limits apply to
  /// this transaction only, because a connection pool may give the connection to other clients. The
  /// isolation level is repeatable read, because under serializable, unrelated logins would
  /// conflict if their rows share a page.
  private static let beginning = """
    BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL statement_timeout = \(statementTimeoutMs); \
    SET LOCAL idle_in_transaction_session_timeout = \(2 * statementTimeoutMs)
    """

  private func executeInTransaction(
    _ sql: StaticString, _ text: StatementText, _ values: [SQLValue]
  ) throws(AccountStoreError) -> QueryResult {
    do throws(ConnectionFailure) {
      if let failure = current?.failure { throw failure }
      guard let connection else { throw .lost }
      if !Self.isReading(sql), current?.isMarked == false { _ = try insertCommitMark(connection) }
      return try connection.run(
        text, values, isPrepared: server.preparesStatements, deadline: statementDeadline)
    } catch {
      current?.failure = error
      throw .server(error.problem)
    }
  }

  private static func isReading(_ sql: StaticString) -> Bool {
    sql.withUTF8Buffer { $0.starts(with: Array("SELECT".utf8)) }
  }

  private static let marking: StaticString = "INSERT INTO commits (id) VALUES (?1) ON CONFLICT (id) DO NOTHING"

  private static let remarking: StaticString = "UPDATE commits SET made = now() WHERE id = ?1"

  /// Inserts this transaction's id into `commits`. Returns false if the id is already there. In
  /// that case an earlier attempt, whose commit was not confirmed, has succeeded.
  ///
  /// If the server is still processing the earlier attempt, this statement waits until that attempt
  /// has ended. After this statement has succeeded, the earlier attempt cannot succeed any more.
  private func insertCommitMark(_ connection: Connection) throws(ConnectionFailure) -> Bool {
    guard let mark = current?.mark else { return true }
    let result = try connection.run(
      text(Self.marking), [.integer(mark)], isPrepared: server.preparesStatements,
      deadline: statementDeadline)
    current?.isMarked = true
    return result.changes == 1
  }

  private func text(_ sql: StaticString) -> StatementText {
    if let known = texts[sql.utf8Start] { return known }
    let text = StatementText(sql)
    texts[sql.utf8Start] = text
    return text
  }

  // MARK: - Retries

  /// Runs `work` until it succeeds, fails permanently, or the deadline has passed.
  private func again<Result>(
    _ work: (Connection) throws(ConnectionFailure) -> Result
  ) throws(AccountStoreError) -> Result {
    let deadline = server.deadline(retryTimeoutMs: retryTimeoutMs)
    var attempt = 0
    // If a connection has just ended, there is one immediate retry, regardless of how long the
    // server has been unreachable.
    var mayReconnect = connection != nil
    while true {
      do throws(ConnectionFailure) {
        return try work(try connected())
      } catch {
        recover(error)
        if error == .lost, mayReconnect {
          mayReconnect = false
          continue
        }
        let pauseMs = Self.pauseMs(after: error, attempt: attempt)
        guard error.isTransient, Clock.now() + pauseMs < deadline else { throw .server(problem(of: error)) }
        attempt += 1
        usleep(UInt32(pauseMs) * 1_000)
      }
    }
  }

  /// Returns the problem to report for a failure. If the cause is a transaction that waits for a
  /// standby, returns `.noStandby` instead.
  private func problem(of failure: ConnectionFailure) -> ServerProblem {
    let problem = failure.problem
    guard problem == .busy || problem == .lost else { return problem }
    do throws(ConnectionFailure) {
      let waits = try connected().run(
        text(Self.standbys), [], isPrepared: false, deadline: Clock.now() + 1_000)
      return waits.rows.isEmpty ? problem : .noStandby
    } catch {
      return problem
    }
  }

  /// Finds a transaction that waits for a standby. PostgreSQL shows each user only that user's own
  /// processes.
  private static let standbys: StaticString = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' LIMIT 1"

  /// Returns a random pause before a retry. The maximum of the pause doubles with each attempt.
  /// After a conflict it starts at 4 ms, in which concurrent transactions on one account usually
  /// finish; after other failures it starts at 40 ms.
  private static func pauseMs(after failure: ConnectionFailure, attempt: Int) -> UInt64 {
    if failure.isUnknownStatement { return 0 }
    let isContention = failure.keepsConnection
    let longest = min((isContention ? 4 : 40) << UInt64(min(attempt, 6)), 500 as UInt64)
    return .random(in: 0...longest)
  }

  private func connected() throws(ConnectionFailure) -> Connection {
    if let connection, connection.isAlive() { return connection }
    connection = nil
    do throws(ConnectionFailure) {
      let connection = try Connection.open(server.settings, defaultTimeoutMs: DatabaseServer.connectTimeoutMs)
      server.recordConnected()
      self.connection = connection
      return connection
    } catch {
      server.recordUnreachable()
      throw error
    }
  }

  /// Rolls back the connection's transaction, or drops the connection if that is not possible.
  private func recover(_ failure: ConnectionFailure) {
    forgetting = nil
    if failure.isUnknownStatement { server.stopPreparing() }
    guard failure.keepsConnection, let connection else {
      self.connection = nil
      return
    }
    do throws(ConnectionFailure) {
      try connection.run("ROLLBACK", deadline: statementDeadline)
    } catch {
      self.connection = nil
    }
  }

  // MARK: - Deletion of old failures

  func forgetTries(before time: Int64, keeping maximum: Int64) {
    // The deletion does not run in the current transaction, because it would then conflict with the
    // transactions of all other attempts.
    if server.shouldDeleteOldFailures(keeping: maximum) { forgetting = (time, maximum) }
  }

  /// Deletes old records of failed attempts, a limited number at a time, so that no other
  /// transaction waits for long. Records that cannot be deleted now are deleted later.
  private func deleteOldFailures() {
    guard let (time, maximum) = forgetting else { return }
    forgetting = nil
    do throws(AccountStoreError) {
      try run(
        """
        DELETE FROM tries WHERE subject IN (SELECT subject FROM tries WHERE known IN (0, 1) AND last_ms <= ?1 LIMIT 5000)
        """, .integer(time))
      try run(
        """
        DELETE FROM tries WHERE subject IN (SELECT subject FROM tries WHERE known = 0 ORDER BY last_ms DESC, subject DESC
          LIMIT 5000 OFFSET ?1)
        """, .integer(maximum))
      // A transaction whose commit was not confirmed is not retried after an hour, so its row is
      // not needed any more.
      try run(
        """
        DELETE FROM commits WHERE id IN (SELECT id FROM commits WHERE made < now() - interval '1 hour' ORDER BY made LIMIT 20000)
        """)
    } catch {}
  }
}
