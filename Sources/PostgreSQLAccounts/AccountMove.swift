package import AccountStore

/// Brings all that a store has into the database of a server: every table, row by row.
///
/// A row that is there already stays. So a move that was cut off goes on when it is done again.
package struct AccountMove {
  private static let batch = 500

  private let target: PostgreSQLDatabase

  package init(to server: DatabaseServer) throws(AccountStoreError) {
    target = PostgreSQLDatabase(server, patienceMs: 30_000)
    try PostgreSQLSchema.prepare(target)
  }

  /// Moves. Nobody can change the source meanwhile. Returns why the database cannot take it, or what is different afterwards; nil if all is there.
  package func run(
    from source: AccountStore, told: (String) -> Void
  ) throws(AccountStoreError) -> String? {
    let database = source.database
    return try database.transaction { () throws(AccountStoreError) -> String? in
      guard try takeIdentifiers(of: source.identifierSetting) else {
        return "The database has other accounts already. Move into one that has none."
      }
      try takePepper(of: database)
      for table in MovedTable.all { try move(table, from: database, told) }
      // Last, because it can be compared only when all is there.
      var different: [String] = []
      for table in MovedTable.all {
        let (had, has) = (try count(table, in: database), try count(table, in: target))
        if had != has { different.append("\(table.name): \(had) in the file, \(has) in the database") }
      }
      guard try pepper(of: database) == pepper(of: target) else { return "The database has another pepper." }
      return different.isEmpty ? nil : "Not all is as it was. " + different.joined(separator: "; ") + "."
    }
  }

  /// What names are counted under has to stay the same. Returns false if the database has accounts of its own.
  private func takeIdentifiers(of setting: String) throws(AccountStoreError) -> Bool {
    try target.transaction { () throws(AccountStoreError) in
      let own = try target.rows("SELECT value FROM settings WHERE name = 'identifierSetting'") { $0.text(0) }.first
      if own == setting { return true }
      for table in MovedTable.all where try !target.rows(table.any, row: { _ in 0 }).isEmpty { return false }
      try target.run("UPDATE settings SET value = ?1 WHERE name = 'identifierSetting'", .text(setting))
      return true
    }
  }

  private func takePepper(of source: any AccountDatabase) throws(AccountStoreError) {
    guard let pepper = try pepper(of: source) else { return }
    try target.run(
      "INSERT INTO settings (name, value) VALUES ('pepper', ?1) ON CONFLICT (name) DO NOTHING", .text(pepper))
  }

  private func pepper(of database: any AccountDatabase) throws(AccountStoreError) -> String? {
    try database.rows("SELECT value FROM settings WHERE name = 'pepper'") { $0.text(0) }.first
  }

  private func count(_ table: MovedTable, in database: any AccountDatabase) throws(AccountStoreError) -> Int64 {
    try database.rows(table.count) { $0.integer(0) }.first ?? 0
  }

  private func move(
    _ table: MovedTable, from source: any AccountDatabase, _ told: (String) -> Void
  ) throws(AccountStoreError) {
    var (last, moved) = (table.first, 0)
    while true {
      var rows: [[SQLValue]] = []
      try source.execute(table.select, [last, .integer(Int64(Self.batch))]) { row in
        rows.append(table.columns.indices.map { table.columns[$0].value(of: row, Int32(truncatingIfNeeded: $0)) })
      }
      guard let end = rows.last?.first else { break }
      try target.transaction { () throws(AccountStoreError) in
        for row in rows { try target.execute(table.insert, row) { _ in } }
      }
      (last, moved) = (end, moved + rows.count)
      if moved % (100 * Self.batch) == 0 { told("\(moved) rows of \(table.name)") }
    }
    if let (lastID, next) = table.ids, let id = try source.rows(lastID, row: { $0.integer(0) }).first, id > 0 {
      // Ids of accounts that are gone are not used again either.
      try target.execute(next, [.integer(id)]) { _ in }
    }
    if moved > 0 { told("\(moved) rows of \(table.name), which are all") }
  }
}

/// A table whose rows are moved. The first column is its key.
private struct MovedTable {
  enum Column {
    case integer, text

    func value(of row: any SQLRow, _ column: Int32) -> SQLValue {
      if row.isNull(column) { return .null }
      return switch self {
      case .integer: .integer(row.integer(column))
      case .text: .text(row.text(column))
      }
    }
  }

  let name: String
  let columns: [Column]
  /// The rows behind a key, up to a number of them.
  let select, insert, count, any: StaticString
  /// The last id that was given, and a statement that has the next one be greater.
  var ids: (last: StaticString, next: StaticString)?

  /// What goes before all keys.
  var first: SQLValue { columns.first == .integer ? .integer(0) : .text("") }

  // Accounts come first, because the others refer to them.
  static var all: [MovedTable] { [accounts, tries, resetCodes, recoveryCodes, oneTimeCodes, passkeys, devices] }

  private static var accounts: MovedTable {
    MovedTable(
      name: "accounts",
      columns: [
        .integer, .text, .text, .text, .text, .text, .integer, .text, .text, .integer, .integer, .integer, .text, .text,
      ],
      select: """
        SELECT id, email, email_key, user_name, user_name_key, password_hash, created_ms, registration, reset, password_expired,
          disabled_ms, last_login_ms, attributes, user_handle
        FROM accounts WHERE id > ?1 ORDER BY id LIMIT ?2
        """,
      insert: """
        INSERT INTO accounts (id, email, email_key, user_name, user_name_key, password_hash, created_ms, registration, reset,
          password_expired, disabled_ms, last_login_ms, attributes, user_handle)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) ON CONFLICT DO NOTHING
        """,
      count: "SELECT count(*) FROM accounts", any: "SELECT 1 FROM accounts LIMIT 1",
      ids: (
        "SELECT seq FROM sqlite_sequence WHERE name = 'accounts'",
        """
        SELECT setval(pg_get_serial_sequence('accounts', 'id'), GREATEST(?1, (SELECT max(id) FROM accounts)))
        """
      ))
  }

  private static var tries: MovedTable {
    MovedTable(
      name: "tries", columns: [.text, .integer, .integer, .integer, .integer, .integer],
      select: """
        SELECT subject, known, failures, first_ms, last_ms, seen_ms FROM tries WHERE subject > ?1 ORDER BY subject LIMIT ?2
        """,
      insert: """
        INSERT INTO tries (subject, known, failures, first_ms, last_ms, seen_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT DO NOTHING
        """, count: "SELECT count(*) FROM tries", any: "SELECT 1 FROM tries LIMIT 1")
  }

  private static var resetCodes: MovedTable {
    MovedTable(
      name: "reset_codes", columns: [.text, .integer, .text, .integer, .text],
      select: """
        SELECT address, account, code_hash, issued_ms, requester FROM reset_codes WHERE address > ?1 ORDER BY address LIMIT ?2
        """,
      insert: """
        INSERT INTO reset_codes (address, account, code_hash, issued_ms, requester) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT DO NOTHING
        """, count: "SELECT count(*) FROM reset_codes", any: "SELECT 1 FROM reset_codes LIMIT 1")
  }

  private static var recoveryCodes: MovedTable {
    MovedTable(
      name: "recovery_codes", columns: [.integer, .integer, .text, .text],
      select: "SELECT id, account, code_hash, used FROM recovery_codes WHERE id > ?1 ORDER BY id LIMIT ?2",
      insert: """
        INSERT INTO recovery_codes (id, account, code_hash, used) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING
        """, count: "SELECT count(*) FROM recovery_codes", any: "SELECT 1 FROM recovery_codes LIMIT 1",
      ids: (
        "SELECT seq FROM sqlite_sequence WHERE name = 'recovery_codes'",
        """
        SELECT setval(pg_get_serial_sequence('recovery_codes', 'id'), GREATEST(?1, (SELECT max(id) FROM recovery_codes)))
        """
      ))
  }

  private static var oneTimeCodes: MovedTable {
    MovedTable(
      name: "one_time_codes", columns: [.integer, .text, .integer, .text],
      select: "SELECT account, secret, step, used FROM one_time_codes WHERE account > ?1 ORDER BY account LIMIT ?2",
      insert: """
        INSERT INTO one_time_codes (account, secret, step, used) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING
        """, count: "SELECT count(*) FROM one_time_codes", any: "SELECT 1 FROM one_time_codes LIMIT 1")
  }

  private static var passkeys: MovedTable {
    MovedTable(
      name: "passkeys",
      columns: [.text, .integer, .text, .integer, .integer, .integer, .integer, .integer, .text, .text],
      select: """
        SELECT id, account, public_key, counter, backup_eligible, backed_up, created_ms, used_ms, used, challenge
        FROM passkeys WHERE id > ?1 ORDER BY id LIMIT ?2
        """,
      insert: """
        INSERT INTO passkeys (id, account, public_key, counter, backup_eligible, backed_up, created_ms, used_ms, used, challenge)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO NOTHING
        """, count: "SELECT count(*) FROM passkeys", any: "SELECT 1 FROM passkeys LIMIT 1")
  }

  private static var devices: MovedTable {
    MovedTable(
      name: "remembered_devices", columns: [.integer, .integer, .text, .integer, .integer],
      select: """
        SELECT id, account, token_hash, created_ms, expires_ms FROM remembered_devices WHERE id > ?1 ORDER BY id LIMIT ?2
        """,
      insert: """
        INSERT INTO remembered_devices (id, account, token_hash, created_ms, expires_ms) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT DO NOTHING
        """, count: "SELECT count(*) FROM remembered_devices", any: "SELECT 1 FROM remembered_devices LIMIT 1",
      ids: (
        "SELECT seq FROM sqlite_sequence WHERE name = 'remembered_devices'",
        """
        SELECT setval(pg_get_serial_sequence('remembered_devices', 'id'), GREATEST(?1, (SELECT max(id) FROM remembered_devices)))
        """
      ))
  }
}
