import CSQLite

/// One SQLite connection, used by one thread at a time and closed with its last reference.
struct Database: ~Copyable {
  private let connection: OpaquePointer

  /// Opens a file that exists. `path` must not be empty.
  init(path: String, busyTimeoutMs: Int32) throws(AccountStoreError) {
    connection = try Self.open(path)
    sqlite3_extended_result_codes(connection, 1)
    sqlite3_busy_timeout(connection, busyTimeoutMs)
  }

  private static func open(_ path: String) throws(AccountStoreError) -> OpaquePointer {
    // SQLite gives names like ":memory:" another meaning.
    let name = path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
    var connection: OpaquePointer?
    let code = sqlite3_open_v2(name, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let connection else {
      sqlite3_close_v2(connection)
      throw AccountStoreError(sqlite: code)
    }
    // Without the right to write, SQLite opens the file for reading and reports no error.
    guard sqlite3_db_readonly(connection, "main") == 0 else {
      sqlite3_close_v2(connection)
      throw .readOnly
    }
    return connection
  }

  deinit {
    sqlite3_close_v2(connection)
  }

  /// Whether the file at the path is no longer the one that was opened. If so, writes are lost.
  var hasMoved: Bool {
    var moved: Int32 = 0
    let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
    return code == SQLITE_OK && moved != 0
  }

  /// The id of the row inserted last.
  var lastInsertedID: Int64 {
    sqlite3_last_insert_rowid(connection)
  }

  /// How many rows the last statement changed.
  var changes: Int32 {
    sqlite3_changes(connection)
  }

  /// Runs one statement to its end.
  func run(_ sql: StaticString, _ values: SQLValue...) throws(AccountStoreError) {
    let statement = try Statement(sql, on: connection)
    try statement.bind(values)
    while try statement.step() {}
  }

  /// Runs several statements that take no values.
  func runAll(_ sql: StaticString) throws(AccountStoreError) {
    let code = sql.withUTF8Buffer { bytes in
      // A literal is followed by a NUL.
      bytes.withMemoryRebound(to: CChar.self) { sqlite3_exec(connection, $0.baseAddress, nil, nil, nil) }
    }
    guard code == SQLITE_OK else { throw AccountStoreError(sqlite: code) }
  }

  /// Every row, mapped.
  func rows<Row>(
    _ sql: StaticString, _ values: SQLValue..., row: (borrowing Statement) -> Row
  ) throws(AccountStoreError) -> [Row] {
    let statement = try Statement(sql, on: connection)
    try statement.bind(values)
    var rows: [Row] = []
    while try statement.step() { rows.append(row(statement)) }
    return rows
  }

  /// Does the work in one transaction, which no other writer can interrupt. When this returns, the work is on disk.
  func transaction<Result>(
    _ work: () throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result {
    try run("BEGIN IMMEDIATE")
    do throws(AccountStoreError) {
      let result = try work()
      try run("COMMIT")
      return result
    } catch {
      // After some errors SQLite has rolled back by itself. Then this statement fails, which does not matter.
      _ = sqlite3_exec(connection, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }
}
