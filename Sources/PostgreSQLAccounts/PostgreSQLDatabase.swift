import Accounts
import Glibc

/// Accounts on a database server. The connection is made when it is needed, and again when it has ended.
///
/// What cannot be carried out because of others, or because the server is away, is done again for as long as a person waits.
final class PostgreSQLDatabase: AccountDatabase {
  /// How long a statement may take, in milliseconds. One that is about one account takes some.
  private static let statementTimeoutMs: UInt64 = 5_000
  /// That of a statement that begins now. Each has its own: those of a transaction may take longer together, as where the server is far away.
  private var statementDeadline: UInt64 { Clock.now() + Self.statementTimeoutMs }

  /// The server's own limit comes before: what became of a commit is for it to say.
  private var commitDeadline: UInt64 { statementDeadline + 1_000 }

  private let server: DatabaseServer
  private let patienceMs: UInt64
  private var connection: Connection?
  /// By the address of their text: a literal has one for good.
  private var texts: [UnsafePointer<UInt8>: StatementText] = [:]
  private var current: Transaction?
  private(set) var changes = 0
  /// What is to be forgotten once the transaction is over.
  private var forgetting: (time: Int64, maximum: Int64)?

  /// A transaction under way.
  private struct Transaction {
    /// Its row in the table of commits.
    let mark: Int64
    var isMarked = false
    /// What has broken it.
    var failure: ConnectionFailure?
  }

  init(_ server: DatabaseServer, patienceMs: UInt64) {
    self.server = server
    self.patienceMs = patienceMs
  }

  func execute(
    _ sql: StaticString, _ values: [SQLValue], row: (any SQLRow) -> Void
  ) throws(AccountStoreError) {
    let text = text(sql)
    let result: QueryResult
    if current == nil {
      // A statement by itself is read-only, or can be done twice.
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
    /// What the work gave whose commit was not answered.
    var unanswered: Result?
    let result = try again { connection throws(ConnectionFailure) -> Outcome<Result> in
      current = Transaction(mark: mark)
      defer { current = nil }
      try connection.run(Self.beginning, deadline: statementDeadline)
      if let unanswered, try setMark(connection) == false {
        // What comes later is acknowledged later, also by a standby.
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
        // What was only read was read.
        guard isMarked else { return .read(result) }
        unanswered = result
        throw error
      }
      return .done(result)
    }
    switch result {
    case .done(let result):
      forgetIfTime()
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
    /// It was read, and the connection is of no use any more.
    case read(Result)
    /// The work has failed for a reason of its own.
    case failed(AccountStoreError)
  }

  /// Repeatable read, not serializable: that clashes where rows lie side by side, in a small table
  /// every login with every other.
  ///
  /// Limits of their own end what a program that stands still would hold up. They hold for this transaction only, because a pool may give the connection to others.
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
      if !Self.isReading(sql), current?.isMarked == false { _ = try setMark(connection) }
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

  /// Notes in the database that this transaction is committed, if it will be. Returns false if that is noted already: the one before, whose commit was not
  /// answered, has succeeded. While the server is still busy with that one, it has this statement wait; once this one is through, that one cannot succeed.
  private func setMark(_ connection: Connection) throws(ConnectionFailure) -> Bool {
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

  // MARK: - Again

  /// Does something until it succeeds, or fails in a way that will not pass, or the time is over.
  private func again<Result>(
    _ work: (Connection) throws(ConnectionFailure) -> Result
  ) throws(AccountStoreError) -> Result {
    let deadline = server.deadline(patienceMs: patienceMs)
    var attempt = 0
    // How long the server has been away says nothing of one whose connection has ended meanwhile.
    var mayConnectAnew = connection != nil
    while true {
      do throws(ConnectionFailure) {
        return try work(try connected())
      } catch {
        recover(error)
        if error == .lost, mayConnectAnew {
          mayConnectAnew = false
          continue
        }
        let pauseMs = Self.pauseMs(after: error, attempt: attempt)
        guard error.isPassing, Clock.now() + pauseMs < deadline else { throw .server(problem(of: error)) }
        attempt += 1
        usleep(UInt32(pauseMs) * 1_000)
      }
    }
  }

  /// What is told of a failure. Who waits for one that waits for a standby is told that.
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

  /// A user sees the processes that are the user's own.
  private static let standbys: StaticString = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' LIMIT 1"

  /// Doubles, from a time in which others of one account are through, and is different for all who wait for each other.
  private static func pauseMs(after failure: ConnectionFailure, attempt: Int) -> UInt64 {
    if failure.isUnknownStatement { return 0 }
    let isContention = failure.leavesConnection
    let longest = min((isContention ? 4 : 40) << UInt64(min(attempt, 6)), 500 as UInt64)
    return .random(in: 0...longest)
  }

  private func connected() throws(ConnectionFailure) -> Connection {
    if let connection, connection.isAlive() { return connection }
    connection = nil
    do throws(ConnectionFailure) {
      let connection = try Connection.open(server.settings, defaultTimeoutMs: DatabaseServer.connectTimeoutMs)
      server.noteConnected()
      self.connection = connection
      return connection
    } catch {
      server.noteDown()
      throw error
    }
  }

  /// Leaves the connection without a transaction, or none.
  private func recover(_ failure: ConnectionFailure) {
    forgetting = nil
    if failure.isUnknownStatement { server.stopPreparing() }
    guard failure.leavesConnection, let connection else {
      self.connection = nil
      return
    }
    do throws(ConnectionFailure) {
      try connection.run("ROLLBACK", deadline: statementDeadline)
    } catch {
      self.connection = nil
    }
  }

  // MARK: - Forgetting

  func forgetTries(before time: Int64, keeping maximum: Int64) {
    // Not in the transaction of a try, which would clash with all others.
    if server.isTimeToForget(keeping: maximum) { forgetting = (time, maximum) }
  }

  /// Forgets what is old, a part at a time, so that nobody waits for long. What cannot be forgotten now will be another time.
  private func forgetIfTime() {
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
      // No transaction whose commit was not answered is done again after an hour.
      try run(
        """
        DELETE FROM commits WHERE id IN (SELECT id FROM commits WHERE made < now() - interval '1 hour' ORDER BY made LIMIT 20000)
        """)
    } catch {}
  }
}
