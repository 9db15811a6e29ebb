import Accounts

/// A table whose rows are moved to a database server. Its first column is its key.
struct MovedTable {
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
  /// The statement that selects the rows after a given key, up to a given number.
  let select: StaticString
  /// The statement that inserts a row. A row that conflicts with an existing one is skipped. The
  /// comparison after the move reports this, whereas an error would only cause retries.
  let insert: StaticString
  /// The statement that deletes rows, up to a given number.
  let delete: StaticString
  /// The statements for ids that the database assigns: the first returns the last assigned id in
  /// the source, and the second makes the next id in the target greater.
  var ids: (last: StaticString, next: StaticString)?

  /// A value that comes before every key of the table.
  var first: SQLValue { columns.first == .integer ? .integer(0) : .text("") }

  func isEmpty(in database: any AccountDatabase) throws(AccountStoreError) -> Bool {
    var isEmpty = true
    try database.execute(select, [first, .integer(1)]) { _ in isEmpty = false }
    return isEmpty
  }

  /// Calls `body` with one page of rows after another, in the order in which the database sorts the
  /// keys.
  func pages(
    of database: any AccountDatabase, size: Int, _ body: ([[SQLValue]]) throws(AccountStoreError) -> Void
  ) throws(AccountStoreError) {
    var last = first
    while true {
      var rows: [[SQLValue]] = []
      try database.execute(select, [last, .integer(Int64(size))]) { row in
        rows.append(columns.indices.map { columns[$0].value(of: row, Int32(truncatingIfNeeded: $0)) })
      }
      guard let end = rows.last?.first else { return }
      last = end
      try body(rows)
    }
  }

  // Accounts come first, because the other tables refer to them.
  static var all: [MovedTable] { [accounts, tries, resetCodes, recoveryCodes, oneTimeCodes, passkeys, devices] }

  private static var accounts: MovedTable {
    MovedTable(
      name: "accounts",
      columns: [
        .integer, .text, .text, .text, .text, .text, .integer, .text, .text, .integer, .integer, .integer, .text, .text,
        .text, .integer,
      ],
      select: """
        SELECT id, email, email_key, user_name, user_name_key, password_hash, created_ms, registration, reset, password_expired,
          disabled_ms, last_login_ms, attributes, user_handle, email_proof, codes_required
        FROM accounts WHERE id > ?1 ORDER BY id LIMIT ?2
        """,
      insert: """
        INSERT INTO accounts (id, email, email_key, user_name, user_name_key, password_hash, created_ms, registration, reset,
          password_expired, disabled_ms, last_login_ms, attributes, user_handle, email_proof, codes_required)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) ON CONFLICT DO NOTHING
        """,
      delete: "DELETE FROM accounts WHERE id IN (SELECT id FROM accounts ORDER BY id LIMIT ?1)",
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
        """,
      delete: """
        DELETE FROM tries WHERE subject IN (SELECT subject FROM tries ORDER BY subject LIMIT ?1)
        """)
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
        """,
      delete: """
        DELETE FROM reset_codes WHERE address IN (SELECT address FROM reset_codes ORDER BY address LIMIT ?1)
        """)
  }

  private static var recoveryCodes: MovedTable {
    MovedTable(
      name: "recovery_codes", columns: [.integer, .integer, .text, .text],
      select: "SELECT id, account, code_hash, used FROM recovery_codes WHERE id > ?1 ORDER BY id LIMIT ?2",
      insert: """
        INSERT INTO recovery_codes (id, account, code_hash, used) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING
        """,
      delete: """
        DELETE FROM recovery_codes WHERE id IN (SELECT id FROM recovery_codes ORDER BY id LIMIT ?1)
        """,
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
        """,
      delete: """
        DELETE FROM one_time_codes WHERE account IN (SELECT account FROM one_time_codes ORDER BY account LIMIT ?1)
        """)
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
        """,
      delete: """
        DELETE FROM passkeys WHERE id IN (SELECT id FROM passkeys ORDER BY id LIMIT ?1)
        """)
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
        """,
      delete: """
        DELETE FROM remembered_devices WHERE id IN (SELECT id FROM remembered_devices ORDER BY id LIMIT ?1)
        """,
      ids: (
        "SELECT seq FROM sqlite_sequence WHERE name = 'remembered_devices'",
        """
        SELECT setval(pg_get_serial_sequence('remembered_devices', 'id'), GREATEST(?1, (SELECT max(id) FROM remembered_devices)))
        """
      ))
  }
}
