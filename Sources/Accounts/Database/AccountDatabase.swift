/// What the operations of a store need of a database: one connection, used by one thread at a time.
///
/// There is one text of SQL for all databases. Parameters are `?1`, `?2` and so on; numbers are 64 bits wide. All texts are `StaticString`, so values can
/// only be bound.
package protocol AccountDatabase: AnyObject {
  /// Whether the accounts are still those that were opened. If not, writes are refused.
  var isCurrent: Bool { get }

  /// How many rows the last statement changed.
  var changes: Int { get }

  /// Runs one statement to its end, and calls `row` with each of its rows, which are valid during the call only.
  func execute(_ sql: StaticString, _ values: [SQLValue], row: (any SQLRow) -> Void) throws(AccountStoreError)

  /// Does the work in one transaction. All of it sees the accounts as of one moment, and if another changes a row meanwhile that the work changes too, or adds
  /// one with the same key, then one of the two is done as if it came after the other. When this returns, the work is durable.
  ///
  /// So what the work decides by a row that it does not change may be out of date when it is done. Where that matters, the work changes a row that the other
  /// does: see `AccountStore.holding`.
  ///
  /// The work may be done more than once, where the database had to roll it back. So it may have no effects besides those on the database that count
  /// for more than its last run.
  func transaction<Result>(
    _ work: () throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result

  /// As `transaction`, for work that may be undone when the machine loses its power, though not when only this process ends. What is durable later includes
  /// it.
  func unsyncedTransaction<Result>(
    _ work: () throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result

  /// Forgets the counts of failures that time has ended, which are those last changed at `time` (wall-clock milliseconds) or before, and the oldest of those that are
  /// limited in number (`FailureCounts.Subject.keeping` 0), where there are more than `maximum`.
  func forgetTries(before time: Int64, keeping maximum: Int64) throws(AccountStoreError)
}

/// A row of a result. What is null reads as 0 or as an empty text.
package protocol SQLRow {
  /// A truth value reads as 1 or 0.
  func integer(_ column: Int32) -> Int64
  func text(_ column: Int32) -> String
  func isNull(_ column: Int32) -> Bool
}

extension SQLRow {
  package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
  package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}

/// A value bound to a statement. There is no case for a password, which never goes near a database.
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

  /// Runs one statement to its end.
  package func run(_ sql: StaticString, _ values: SQLValue...) throws(AccountStoreError) {
    try execute(sql, values) { _ in }
  }

  /// Every row, mapped.
  package func rows<Row>(
    _ sql: StaticString, _ values: SQLValue..., row: (any SQLRow) -> Row
  ) throws(AccountStoreError) -> [Row] {
    var rows: [Row] = []
    try execute(sql, values) { rows.append(row($0)) }
    return rows
  }

  /// The id of the row that a statement has inserted and returns.
  package func inserted(_ sql: StaticString, _ values: SQLValue...) throws(AccountStoreError) -> Int64 {
    var id: Int64?
    try execute(sql, values) { id = $0.integer(0) }
    guard let id else { throw .damaged }
    return id
  }
}
