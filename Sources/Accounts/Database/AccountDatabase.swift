/// A database connection for the operations of a store, used by one thread at a time.
///
/// All databases share the same SQL. Parameters are `?1`, `?2` and so on; integers have 64 bits.
/// Statements are `StaticString`, so values can only be bound, never interpolated.
package protocol AccountDatabase: AnyObject {
  /// Whether the connection still leads to the database that was opened. If not, for instance
  /// because its file was moved, writes are refused.
  var isCurrent: Bool { get }

  /// The number of rows that the last statement changed.
  var changes: Int { get }

  /// Runs one statement to completion and calls `row` with each result row, which is valid only
  /// during the call.
  func execute(_ sql: StaticString, _ values: [SQLValue], row: (any SQLRow) -> Void) throws(AccountStoreError)

  /// Runs `work` in one transaction with snapshot isolation. When this returns, the changes are
  /// durable.
  ///
  /// If another transaction changes a row that this one changes too, or inserts a row with the same
  /// key, then one of the two runs as if it came after the other. A decision based on a row that
  /// the work only reads can therefore be out of date at commit. Where that matters, the work must
  /// change a row that the other transaction changes too: see `AccountStore.holding`.
  ///
  /// The work may run more than once, if the database had to roll it back. Side effects outside the
  /// database must therefore depend only on the last run.
  func transaction<Result>(
    _ work: () throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result

  /// Like `transaction`, but a power loss may undo the changes; a crash of this process does not.
  /// The next durable transaction makes these changes durable as well.
  func unsyncedTransaction<Result>(
    _ work: () throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result

  /// Deletes failure counts that were last changed at `time` (wall-clock milliseconds) or earlier,
  /// except counts that are kept until they are cleared. Only one kind of count is limited in
  /// number: if more than `maximum` counts of this kind remain, also deletes the oldest of them.
  /// See `FailureCounts.Subject.keeping`.
  func forgetTries(before time: Int64, keeping maximum: Int64) throws(AccountStoreError)
}

/// A result row. NULL reads as 0 or as an empty string.
package protocol SQLRow {
  /// Returns the integer in a column. A Boolean reads as 1 or 0.
  func integer(_ column: Int32) -> Int64
  func text(_ column: Int32) -> String
  func isNull(_ column: Int32) -> Bool
}

extension SQLRow {
  package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
  package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}

/// A value bound to a statement. There is no case for a password, because passwords never reach the
/// database.
package enum SQLValue: Sendable {
  case integer(Int64)
  case text(String)
  case null
}

extension AccountDatabase {
  package var isCurrent: Bool { true }

  package func unsyncedTransaction<Result>(
    _ work: () throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result {
    try transaction(work)
  }

  /// Runs one statement to completion and ignores its rows.
  package func run(_ sql: StaticString, _ values: SQLValue...) throws(AccountStoreError) {
    try execute(sql, values) { _ in }
  }

  /// Returns all rows, each mapped by `row`.
  package func rows<Row>(
    _ sql: StaticString, _ values: SQLValue..., row: (any SQLRow) -> Row
  ) throws(AccountStoreError) -> [Row] {
    var rows: [Row] = []
    try execute(sql, values) { rows.append(row($0)) }
    return rows
  }

  /// Runs an `INSERT … RETURNING` statement and returns the id of the new row.
  package func inserted(_ sql: StaticString, _ values: SQLValue...) throws(AccountStoreError) -> Int64 {
    var id: Int64?
    try execute(sql, values) { id = $0.integer(0) }
    guard let id else { throw .damaged }
    return id
  }
}
