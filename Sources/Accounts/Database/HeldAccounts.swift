import Glibc

/// An account that a transaction has to itself, as it is in that transaction.
package struct HeldAccount {
  let id: Int64
  let passwordHash: String
  /// The idempotency key of the reset that set the password.
  fileprivate let reset: String
  let isDisabled: Bool

  /// Whether the account still has the password with this hash, and is not disabled.
  func isCurrent(_ passwordHash: String) -> Bool { self.passwordHash == passwordHash && !isDisabled }

  /// Whether the request with this key has set the password. An empty key is none.
  func isReset(by key: String) -> Bool { !key.isEmpty && reset == key }
}

/// A store's database, which refuses to write what belongs to an account in a transaction that does not hold that account.
///
/// On a server each transaction sees one moment, and of two that change the same row one is done again. So two that only read an account's row, and write
/// others that belong to it, would both be right by themselves and wrong together: a code made for an address while the account gets another one. Whoever
/// holds an account changes its row, so one of two such transactions sees what the other has done.
package final class HoldingDatabase: AccountDatabase {
  private let base: any AccountDatabase
  /// What the transaction under way holds; nil outside of one.
  private var held: Set<Holder>?
  /// Which statements write what belongs to accounts, by the address of their texts, which are constants of the program.
  private var kinds: [UnsafePointer<UInt8>: Kind] = [:]

  private enum Holder: Hashable {
    case account(Int64)
    /// In place of an account, where there is none.
    case nobody
  }

  private enum Kind {
    case other
    /// Adds an account, and gives its id.
    case newAccount
    /// Changes what belongs to the account that is one of its values.
    case ofAccount
  }

  /// The tables of which each row belongs to an account.
  private static let tables = [
    "accounts", "reset_codes", "recovery_codes", "one_time_codes", "passkeys", "remembered_devices",
  ]

  /// Called when the work of a transaction is done and nothing of it is committed, for tests that have others come between.
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

  /// A mistake of this program: nothing was written.
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
      // No other statement is one of a store's.
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

  /// Also when the transaction is done again, it holds nothing yet.
  private func begin<Result>(_ work: () throws(AccountStoreError) -> Result) throws(AccountStoreError) -> Result {
    held = []
    let result = try work()
    beforeCommit()
    return result
  }

  package func forgetTries(before time: Int64, keeping maximum: Int64) throws(AccountStoreError) {
    try base.forgetTries(before: time, keeping: maximum)
  }

  /// Holds an account until the end of the transaction. Nil if it is gone.
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

  /// Holds what stands for an account where there is none, with the same work. That is not one row for all, which would have to wait for each other.
  func holdNobody(lot: UInt32) throws(AccountStoreError) {
    try requireTransaction()
    try base.run(
      """
      INSERT INTO tries (subject, known, failures, first_ms, last_ms) VALUES (?1, 2, 0, 0, 0)
      ON CONFLICT (subject) DO UPDATE SET known = 2
      """, .text("nobody:\(lot % 1_024)"))
    held?.insert(.nobody)
  }

  /// Takes away rows that time has ended, of whatever account: whoever decides by such a row looks at its time as well.
  func sweep(_ sql: StaticString, _ values: SQLValue...) throws(AccountStoreError) {
    try base.execute(sql, values) { _ in }
  }
}

extension AccountStore {
  /// Does the work in a transaction that has the account to itself. Of two that hold an account one is done as if it came after the other, so this is the
  /// way to decide by what an account is or has, and to change that. Nil if the account is gone.
  ///
  /// - Parameter isSynced: see `AccountDatabase.unsyncedTransaction`.
  func holding<Result>(
    _ id: Int64, isSynced: Bool = true, _ work: (HeldAccount) throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result? {
    func held() throws(AccountStoreError) -> Result? {
      guard let account = try database.hold(id) else { return nil }
      return try work(account)
    }
    return isSynced ? try database.transaction(held) : try database.unsyncedTransaction(held)
  }

  /// As `holding(_:isSynced:_:)`, for the account with this email address or user name.
  func holding<Result>(
    identifierKey key: NameKey, _ work: (AccountRow) throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result? {
    try database.transaction { () throws(AccountStoreError) -> Result? in
      guard let row = try row(identifierKey: key), try database.hold(row.account.id) != nil else { return nil }
      return try work(row)
    }
  }
}
