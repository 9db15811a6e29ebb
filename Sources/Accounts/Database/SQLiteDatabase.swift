import CAccountLibraries

/// One SQLite connection, used by one thread at a time. It is closed when its last reference is
/// released.
final class SQLiteDatabase: AccountDatabase {
  private let connection: OpaquePointer
  private let path: String
  private let busyTimeoutMs: Int32
  /// The identities of the database, its log and the log's index when they were opened.
  private var opened: DatabaseFiles?
  /// Whether each commit waits for the disk: see `sync`. `SQLiteSchema` sets the initial mode.
  private var isSynced = true
  /// Compiled statements that are not in use. The key is the address of a statement's text, which
  /// is a constant of the program. Each login runs about thirty statements.
  private var idleStatements: [UnsafePointer<UInt8>: SQLiteStatement] = [:]

  /// Opens an existing file. `path` must not be empty.
  init(path: String, busyTimeoutMs: Int32) throws(AccountStoreError) {
    self.path = path
    self.busyTimeoutMs = busyTimeoutMs
    connection = try Self.open(path)
    sqlite3_extended_result_codes(connection, 1)
    sqlite3_busy_timeout(connection, busyTimeoutMs)
  }

  /// Opens a private in-memory database that ends with the connection.
  static func inMemory() throws(AccountStoreError) -> SQLiteDatabase {
    var connection: OpaquePointer?
    let code = sqlite3_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let connection else {
      sqlite3_close_v2(connection)
      throw AccountStoreError(sqlite: code)
    }
    return SQLiteDatabase(connection: connection, path: "")
  }

  private init(connection: OpaquePointer, path: String) {
    self.connection = connection
    self.path = path
    busyTimeoutMs = 0
  }

  /// Copies the whole database, as of one moment, into an existing empty file. Other programs may
  /// write to this database meanwhile.
  func copy(to path: String, timeoutMs: Int32) throws(AccountStoreError) {
    let target = try SQLiteDatabase(path: path, busyTimeoutMs: timeoutMs)
    guard let backup = sqlite3_backup_init(target.connection, "main", connection, "main") else {
      throw AccountStoreError(sqlite: sqlite3_extended_errcode(target.connection))
    }
    // All pages in one step: with a write-ahead log, readers block no writers.
    let code = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw AccountStoreError(sqlite: code) }
    guard end == SQLITE_OK else { throw AccountStoreError(sqlite: end) }
  }

  private static func open(_ path: String) throws(AccountStoreError) -> OpaquePointer {
    // The prefix avoids names to which SQLite gives a special meaning, such as ":memory:".
    let name = path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
    var connection: OpaquePointer?
    let code = sqlite3_open_v2(name, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let connection else {
      sqlite3_close_v2(connection)
      throw AccountStoreError(sqlite: code)
    }
    // Without write permission, SQLite opens the file read-only and reports no error.
    guard sqlite3_db_readonly(connection, "main") == 0 else {
      sqlite3_close_v2(connection)
      throw .readOnly
    }
    return connection
  }

  deinit {
    // With statements left, SQLite would keep the files open.
    idleStatements = [:]
    sqlite3_close_v2(connection)
  }

  /// Records which files SQLite has open. Call after the first read, because only then are the log
  /// and its index open too.
  func recordOpenFiles() { opened = files }

  var identity: FileIdentity? { opened?.database }

  /// Whether the path of the database, its log or the log's index no longer leads to the file that
  /// is open.
  var hasMoved: Bool { opened.map { $0 != files } ?? false }

  private var files: DatabaseFiles { DatabaseFiles(path: path, name: name) }

  private var name: String { sqlite3_db_filename(connection, "main").map { String(cString: $0) } ?? path }

  var openFiles: OpenFiles? { opened.map { OpenFiles(path: path, name: name, files: $0) } }

  /// Throws if the path of an open file no longer leads to that file, because everything written to
  /// the file would be lost.
  private func requireUnmoved() throws(AccountStoreError) {
    if hasMoved { throw .moved }
  }

  /// If the log was removed while it was open, writes its content to the database, provided that
  /// this is safe. Must not be called in a transaction.
  func rescueLog() {
    guard let opened, files.allowsRescue(of: opened) else { return }
    sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_FULL, nil, nil)
  }

  var isCurrent: Bool { !hasMoved }

  var changes: Int { Int(sqlite3_changes(connection)) }

  func execute(_ sql: StaticString, _ values: [SQLValue], row: (any SQLRow) -> Void) throws(AccountStoreError) {
    let statement = try statement(sql)
    try statement.bind(values)
    while try statement.step() { row(statement.row) }
    // A statement that failed is not kept.
    statement.reset()
    if sql.hasPointerRepresentation { idleStatements[sql.utf8Start] = statement }
  }

  /// Returns an idle statement for this SQL, or compiles one. The statement is not idle while it
  /// runs, because the callback `row` may run the same SQL.
  private func statement(_ sql: StaticString) throws(AccountStoreError) -> SQLiteStatement {
    if sql.hasPointerRepresentation, let idle = idleStatements.removeValue(forKey: sql.utf8Start) { return idle }
    return try SQLiteStatement(sql, on: connection)
  }

  /// Runs several statements without parameters.
  func runAll(_ sql: StaticString) throws(AccountStoreError) {
    let code = sql.withUTF8Buffer { bytes in
      // A literal is followed by a NUL.
      bytes.withMemoryRebound(to: CChar.self) { sqlite3_exec(connection, $0.baseAddress, nil, nil, nil) }
    }
    guard code == SQLITE_OK else { throw AccountStoreError(sqlite: code) }
  }

  private func begin(timeoutMs: Int32) throws(AccountStoreError) {
    sqlite3_busy_timeout(connection, timeoutMs)
    defer { sqlite3_busy_timeout(connection, busyTimeoutMs) }
    try run("BEGIN IMMEDIATE")
  }

  /// Runs `work` in one transaction, excluding all other writers. When this returns, the changes
  /// are on disk, in files that still have their names.
  func transaction<Result>(
    _ work: () throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result {
    // Restores synchronous commits, if that failed after the last unsynced transaction.
    if !isSynced { try sync(true) }
    return try commit(work)
  }

  func unsyncedTransaction<Result>(
    _ work: () throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result {
    try sync(false)
    defer { _ = try? sync(true) }
    return try commit(work)
  }

  /// Sets whether each commit waits until the log is on disk. In either mode the log never contains
  /// a change without all earlier changes (sqlite.org/pragma.html#pragma_synchronous).
  private func sync(_ isSynced: Bool) throws(AccountStoreError) {
    if isSynced { try runAll("PRAGMA synchronous = FULL") } else { try runAll("PRAGMA synchronous = NORMAL") }
    self.isSynced = isSynced
  }

  private func commit<Result>(
    _ work: () throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result {
    let turn = WriteMutex.take(timeoutMs: busyTimeoutMs)
    defer { if turn.isTaken { WriteMutex.give() } }
    try begin(timeoutMs: turn.leftMs)
    do throws(AccountStoreError) {
      let result = try work()
      try requireUnmoved()
      try run("COMMIT")
      // Checked again: the files may have been moved during the commit.
      try requireUnmoved()
      return result
    } catch {
      // After some errors SQLite has already rolled back; then this statement fails, which is
      // harmless.
      _ = sqlite3_exec(connection, "ROLLBACK", nil, nil, nil)
      if error == .moved { rescueLog() }
      throw error
    }
  }

  func forgetTries(before time: Int64, keeping maximum: Int64) throws(AccountStoreError) {
    try run("DELETE FROM tries WHERE known IN (0, 1) AND last_ms <= ?1", .integer(time))
    // Triggers maintain the count in `unknownTries`.
    try run(
      """
      DELETE FROM tries WHERE subject IN (SELECT subject FROM tries WHERE known = 0 ORDER BY last_ms
        LIMIT max(0, (SELECT value FROM settings WHERE name = 'unknownTries') - ?1))
      """, .integer(maximum))
  }
}
