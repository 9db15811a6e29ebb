import Glibc

/// An account that a transaction holds (see `HeldAccountDatabase`), with its values as this
/// transaction sees them.
package struct HeldAccount {
  let id: Int64
  let passwordHash: String
  /// The idempotency key of the request by which the user set the current password, such as a
  /// reset. Empty if the password was set in another way.
  fileprivate let reset: String
  let isDisabled: Bool

  /// Whether the account still has the password with this hash and is not disabled.
  func isCurrent(_ passwordHash: String) -> Bool { self.passwordHash == passwordHash && !isDisabled }

  /// Whether the request with this idempotency key has set the password. Always false for an empty
  /// key.
  func isReset(by key: String) -> Bool { !key.isEmpty && reset == key }
}

/// A store's database that refuses to write an account's rows in a transaction that does not hold
/// the account.
///
/// On a server, each transaction sees a snapshot. If two transactions change the same row, one of
/// them is repeated. Suppose that two transactions only read an account's row, and write other rows
/// of that account. Each could be right alone, but both together wrong: for example, one creates a
/// code for an address while the other changes the address. Holding an account changes its row, so
/// one of two such transactions sees the other's changes.
package final class HeldAccountDatabase: AccountDatabase {
  private let base: any AccountDatabase
  /// The accounts that the current transaction holds. Nil outside of a transaction.
  private var held: Set<Holder>?
  /// The kinds of the statements that were run before. The key is the address of a statement's
  /// text, which is a constant of the program.
  private var kinds: [UnsafePointer<UInt8>: Kind] = [:]

  private enum Holder: Hashable {
    case account(Int64)
    /// Stands in for an account if the typed name or address belongs to no account.
    case nobody
  }

  private enum Kind {
    case other
    /// Inserts an account and returns its id.
    case newAccount
    /// Changes rows of the account whose id is one of the bound values.
    case ofAccount
  }

  /// The tables whose rows each belong to an account.
  private static let tables = [
    "accounts", "reset_codes", "recovery_codes", "one_time_codes", "passkeys", "remembered_devices",
  ]

  /// Called after the work of a transaction and before its commit. Tests use it to run a concurrent
  /// transaction.
  package var beforeCommit: () -> Void = {}

  package init(_ base: any AccountDatabase) { self.base = base }

  package var isCurrent: Bool { base.isCurrent }
  package var changes: Int { base.changes }

  package func execute(
    _ sql: StaticString, _ values: [SQLValue], row: (any SQLRow) -> Void
  ) throws(AccountStoreError) {
    switch kind(of: sql) {
    case .other: try base.execute(sql, values, row: row)
    case .newAccount:
      try requireTransaction()
      try base.execute(sql, values) {
        held?.insert(.account($0.integer(0)))
        row($0)
      }
    case .ofAccount:
      guard let held, values.contains(where: { Self.isHeld($0, held) }) else { throw Self.notHeld }
      try base.execute(sql, values, row: row)
    }
  }

  private static func isHeld(_ value: SQLValue, _ held: Set<Holder>) -> Bool {
    switch value {
    case .integer(let id): held.contains(.account(id))
    case .null: held.contains(.nobody)
    case .text: false
    }
  }

  /// The error for a statement that writes an account's rows without holding the account, which is
  /// a mistake in this program. The statement has not been run.
  private static var notHeld: AccountStoreError { .failed(code: -EPERM) }

  private func requireTransaction() throws(AccountStoreError) { if held == nil { throw Self.notHeld } }

  private func kind(of sql: StaticString) -> Kind {
    guard sql.hasPointerRepresentation else { return .ofAccount }
    if let known = kinds[sql.utf8Start] { return known }
    let words = sql.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }.split { $0 == " " || $0 == "\n" }
    let kind: Kind =
      switch (words.first, words.dropFirst().first) {
      case ("INSERT", "INTO") where words.dropFirst(2).first == "accounts": .newAccount
      case ("INSERT", "INTO"), ("DELETE", "FROM"): Self.kind(ofTable: words.dropFirst(2).first)
      case ("UPDATE", let table): Self.kind(ofTable: table)
      case ("SELECT", _), ("PRAGMA", _): .other
      // Stores use no other statements.
      default: .ofAccount
      }
    kinds[sql.utf8Start] = kind
    return kind
  }

  private static func kind(ofTable table: Substring?) -> Kind {
    guard let table else { return .ofAccount }
    return tables.contains(String(table)) ? .ofAccount : .other
  }

  package func transaction<Result>(
    _ work: () throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result {
    guard held == nil else { return try work() }
    defer { held = nil }
    return try base.transaction { () throws(AccountStoreError) in try begin(work) }
  }

  package func unsyncedTransaction<Result>(
    _ work: () throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result {
    guard held == nil else { return try work() }
    defer { held = nil }
    return try base.unsyncedTransaction { () throws(AccountStoreError) in try begin(work) }
  }

  /// Runs the work of a transaction. No account is held when the work starts, even if it is run
  /// again after a rollback.
  private func begin<Result>(_ work: () throws(AccountStoreError) -> Result) throws(AccountStoreError) -> Result {
    held = []
    let result = try work()
    beforeCommit()
    return result
  }

  package func forgetTries(before time: Int64, keeping maximum: Int64) throws(AccountStoreError) {
    try base.forgetTries(before: time, keeping: maximum)
  }

  /// Holds an account until the end of the transaction, by changing its row: of two transactions
  /// that hold the same account, one runs as if it came after the other. Returns nil if the account
  /// was removed.
  package func hold(_ id: Int64) throws(AccountStoreError) -> HeldAccount? {
    try requireTransaction()
    var account: HeldAccount?
    try base.execute(
      """
      UPDATE accounts SET password_expired = password_expired WHERE id = ?1 RETURNING password_hash, reset, disabled_ms IS NOT NULL
      """, [.integer(id)]
    ) {
      account = HeldAccount(id: id, passwordHash: $0.text(0), reset: $0.text(1), isDisabled: $0.integer(2) != 0)
    }
    if account != nil { held?.insert(.account(id)) }
    return account
  }

  /// Does the same work as `hold` when there is no account to hold. The writes are spread over
  /// 1,024 rows, so that transactions without an account do not all wait for each other.
  func holdPlaceholder(lot: UInt32) throws(AccountStoreError) {
    try requireTransaction()
    try base.run(
      """
      INSERT INTO tries (subject, known, failures, first_ms, last_ms) VALUES (?1, 2, 0, 0, 0)
      ON CONFLICT (subject) DO UPDATE SET known = 2
      """, .text("nobody:\(lot % 1_024)"))
    held?.insert(.nobody)
  }

  /// Deletes expired rows of any account. This is safe without holding the accounts, because every
  /// decision based on such a row checks its time as well.
  func sweep(_ sql: StaticString, _ values: SQLValue...) throws(AccountStoreError) {
    try base.execute(sql, values) { _ in }
  }
}

extension AccountStore {
  /// Runs `work` in a transaction that holds the account. Returns nil if the account was removed.
  ///
  /// Of two transactions that hold the same account, one runs as if it came after the other. Use
  /// this for any decision that depends on an account's state and changes it.
  ///
  /// - Parameter isSynced: See `AccountDatabase.unsyncedTransaction`.
  func holding<Result>(
    _ id: Int64, isSynced: Bool = true, _ work: (HeldAccount) throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result? {
    func held() throws(AccountStoreError) -> Result? {
      guard let account = try database.hold(id) else { return nil }
      return try work(account)
    }
    return isSynced ? try database.transaction(held) : try database.unsyncedTransaction(held)
  }

  /// Like `holding(_:isSynced:_:)`, for the account with this email address or user name.
  func holding<Result>(
    identifierKey key: NameKey, _ work: (AccountRow) throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result? {
    try database.transaction { () throws(AccountStoreError) -> Result? in
      guard let row = try row(identifierKey: key), try database.hold(row.account.id) != nil else { return nil }
      return try work(row)
    }
  }
}
