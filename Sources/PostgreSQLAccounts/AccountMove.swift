package import Accounts

/// Copies everything in a store to the database of a server: every table, row by row.
///
/// Until the copy is complete, a setting marks the database, and services refuse to open it. An
/// interrupted move starts again from the beginning, because the source may have changed since.
package struct AccountMove {
  private static let batch = 500
  /// The settings that a database without accounts may already have and that a move replaces: the
  /// ids of the pepper and of the key.
  private static let settings = ["pepper", "key"]

  private let target: PostgreSQLDatabase

  package init(to server: DatabaseServer) throws(AccountStoreError) {
    target = PostgreSQLDatabase(server, retryTimeoutMs: 30_000)
    try PostgreSQLSchema.prepare(target, isMove: true)
  }

  /// Copies the accounts from `source`, which other programs cannot change meanwhile. Returns why
  /// the database cannot take the accounts, or what differs afterwards. Returns nil if the move is
  /// complete.
  package func run(
    from source: AccountStore, told: (String) -> Void
  ) throws(AccountStoreError) -> String? {
    let database = source.database
    return try database.transaction { () throws(AccountStoreError) -> String? in
      switch try begin(source.identifierSetting) {
      case .new: break
      case .again:
        told("A move was cut off. It is done anew.")
        for table in MovedTable.all.reversed() { try empty(table) }
      case .over:
        guard try differences(from: database).isEmpty else {
          return "The accounts were moved already, and either the file or the database has changed since."
        }
        told("The accounts were moved already, and all is there.")
        return nil
      case .refused(let problem): return problem
      }
      for setting in Self.settings { try take(setting, of: database) }
      for table in MovedTable.all { try move(table, from: database, told) }
      let different = try differences(from: database)
      guard different.isEmpty else {
        return
          "Not all is as it was: \(different.joined(separator: ", ")). Let nobody use the database, and move again."
      }
      try target.run("DELETE FROM settings WHERE name = 'moving'")
      return nil
    }
  }

  private enum Beginning {
    case new
    /// A move from this source to the database was interrupted.
    case again
    /// The accounts of this source were already moved to the database.
    case over
    case refused(String)
  }

  /// Marks the database, which must have no accounts, as the target of a move. Copies the source's
  /// setting for hashing identifiers, because failures are counted under hashed identifiers, which
  /// must stay the same.
  private func begin(_ setting: String) throws(AccountStoreError) -> Beginning {
    try target.transaction { () throws(AccountStoreError) in
      if let source = try target.rows("SELECT value FROM settings WHERE name = 'moving'", row: { $0.text(0) }).first {
        return source == setting ? .again : .refused("Another file was moved into the database, and not to the end.")
      }
      for table in MovedTable.all where try !table.isEmpty(in: target) {
        let own = try target.rows("SELECT value FROM settings WHERE name = 'identifierSetting'") { $0.text(0) }.first
        return own == setting
          ? .over : .refused("The database has other accounts already. Move into one that has none.")
      }
      try target.run("INSERT INTO settings (name, value) VALUES ('moving', ?1)", .text(setting))
      try target.run("UPDATE settings SET value = ?1 WHERE name = 'identifierSetting'", .text(setting))
      return .new
    }
  }

  /// Copies a setting from the source. The target has no accounts, so its own value has no meaning.
  private func take(_ setting: String, of source: any AccountDatabase) throws(AccountStoreError) {
    let value = try value(of: setting, in: source)
    try target.transaction { () throws(AccountStoreError) in
      try target.run("DELETE FROM settings WHERE name = ?1", .text(setting))
      if let value {
        try target.run("INSERT INTO settings (name, value) VALUES (?1, ?2)", .text(setting), .text(value))
      }
    }
  }

  private func value(of setting: String, in database: any AccountDatabase) throws(AccountStoreError) -> String? {
    try database.rows("SELECT value FROM settings WHERE name = ?1", .text(setting)) { $0.text(0) }.first
  }

  private func empty(_ table: MovedTable) throws(AccountStoreError) {
    repeat { try target.execute(table.delete, [.integer(5_000)]) { _ in } } while target.changes > 0
  }

  private func move(
    _ table: MovedTable, from source: any AccountDatabase, _ told: (String) -> Void
  ) throws(AccountStoreError) {
    var moved = 0
    try table.pages(of: source, size: Self.batch) { rows throws(AccountStoreError) in
      try target.transaction { () throws(AccountStoreError) in
        for row in rows { try target.execute(table.insert, row) { _ in } }
      }
      moved += rows.count
      if moved % (100 * Self.batch) == 0 { told("\(moved) rows of \(table.name)") }
    }
    if let (lastID, next) = table.ids, let id = try source.rows(lastID, row: { $0.integer(0) }).first, id > 0 {
      // An id that belonged to a removed account must not be assigned again.
      try target.execute(next, [.integer(id)]) { _ in }
    }
    if moved > 0 { told("\(moved) rows of \(table.name), which are all") }
  }

  /// Returns what differs between the source and the target of the move.
  private func differences(from source: any AccountDatabase) throws(AccountStoreError) -> [String] {
    var different: [String] = []
    for table in MovedTable.all {
      let (had, has) = (try content(of: table, in: source), try content(of: table, in: target))
      if had.rows != has.rows {
        different.append("\(table.name) has \(had.rows) rows in the file and \(has.rows) in the database")
      } else if had != has {
        different.append("\(table.name) has other values")
      }
    }
    for setting in Self.settings where try value(of: setting, in: source) != value(of: setting, in: target) {
      different.append("the \(setting)")
    }
    return different
  }

  /// A summary of a table's content that does not depend on the order of its rows.
  private struct Content: Equatable {
    var rows = 0
    var sum: UInt64 = 0
  }

  private func content(of table: MovedTable, in database: any AccountDatabase) throws(AccountStoreError) -> Content {
    var content = Content()
    try table.pages(of: database, size: 10 * Self.batch) { rows throws(AccountStoreError) in
      content.rows += rows.count
      for row in rows { content.sum &+= Self.hash(row) }
    }
    return content
  }

  /// Returns a hash of a row's values, including the kind of each value and the length of each
  /// text: FNV-1a (draft-eastlake-fnv), 64 bits.
  private static func hash(_ row: [SQLValue]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    func add(_ number: Int64) { withUnsafeBytes(of: number.littleEndian) { $0.forEach(add) } }
    for value in row {
      switch value {
      case .null: add(UInt8(0))
      case .integer(let number):
        add(UInt8(1))
        add(number)
      case .text(let text):
        add(UInt8(2))
        add(Int64(text.utf8.count))
        text.utf8.forEach(add)
      }
    }
    return hash
  }
}
