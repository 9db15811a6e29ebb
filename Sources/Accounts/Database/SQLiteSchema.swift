import Glibc

/// The tables of an accounts file.
enum SQLiteSchema {
  /// "logi", which marks the file as an accounts file (`PRAGMA application_id`).
  static let applicationID: Int64 = 0x6C6F_6769
  /// The version of the tables that this program reads and writes (`PRAGMA user_version`).
  static let version: Int64 = 1

  private enum Finding {
    case ready, empty, foreign
    /// A later version of this program created the tables.
    case newer(Int64)
  }

  /// Configures the connection for durability and creates the tables if the file is empty. Several
  /// processes may do this for one file at the same time.
  static func prepare(_ database: SQLiteDatabase, timeoutMs: Int32) throws(AccountStoreError) {
    try database.runAll(
      """
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;
      PRAGMA temp_store = MEMORY;
      """)
    switch try examine(database) {
    case .ready: try useWAL(database, timeoutMs: timeoutMs)
    case .foreign: throw .notADatabase
    case .newer(let version): throw .newer(version)
    case .empty:
      try useWAL(database, timeoutMs: timeoutMs)
      try database.transaction { () throws(AccountStoreError) in
        // Another process may have created them meanwhile.
        switch try examine(database) {
        case .ready: return
        case .foreign: throw .notADatabase
        case .newer(let version): throw .newer(version)
        case .empty: try create(database)
        }
      }
    }
    try database.runAll("PRAGMA secure_delete = ON")
  }

  /// Checks the definitions of the tables, not their content.
  ///
  /// - Parameter allowsMore: Whether an administrator may have added other tables.
  static func findings(
    in database: SQLiteDatabase, allowsMore: Bool
  ) throws(AccountStoreError) -> [AccountFileFinding] {
    switch try examine(database) {
    case .ready: break
    case .newer(let version): return [.newer(version)]
    case .empty, .foreign: return [.foreign]
    }
    let model = try SQLiteDatabase.inMemory()
    try create(model)
    let (found, expected) = (try definitions(database), try definitions(model))
    return found == expected || allowsMore && found.isSuperset(of: expected) ? [] : [.tables]
  }

  private static func definitions(_ database: SQLiteDatabase) throws(AccountStoreError) -> Set<String> {
    // ANALYZE creates its own tables, and an administrator may run it.
    let definitions = try database.rows(
      """
      SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'
      """
    ) { $0.text(0) }
    // SQLite stores the text as given, so white space is removed before comparing.
    return Set(definitions.map { $0.split { $0 == " " || $0 == "\n" }.joined() })
  }

  private static func examine(_ database: SQLiteDatabase) throws(AccountStoreError) -> Finding {
    // One statement, so that all three values come from the same snapshot.
    let rows = try database.rows(
      """
      SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version),
        (SELECT count(*) FROM sqlite_schema)
      """
    ) { (application: $0.integer(0), version: $0.integer(1), tables: $0.integer(2)) }
    guard let row = rows.first else { return .foreign }
    if row.application == applicationID {
      return row.version == version ? .ready : .newer(row.version)
    }
    return row.application == 0 && row.version == 0 && row.tables == 0 ? .empty : .foreign
  }

  /// Switches the file to write-ahead logging, which is a property of the file. The switch needs
  /// brief exclusive access, for which SQLite does not always wait.
  private static func useWAL(_ database: SQLiteDatabase, timeoutMs: Int32) throws(AccountStoreError) {
    let pauseMs: Int32 = 10
    var left = timeoutMs
    while true {
      do throws(AccountStoreError) {
        let mode = try database.rows("PRAGMA journal_mode = WAL") { $0.text(0) }.first
        if mode == "wal" { return }
      } catch {
        guard error == .locked else { throw error }
      }
      guard left > 0 else { throw .locked }
      left -= pauseMs
      usleep(UInt32(pauseMs) * 1_000)
    }
  }

  /// Creates the tables. Bytes are stored in base64url.
  ///
  /// The key of a row of `reset_codes` is the hash of the address for which the code was requested.
  /// The row for an unknown address therefore differs only in having no account.
  ///
  /// A used recovery code stays in `recovery_codes`, with the idempotency key of its use, until the
  /// account gets new codes: an account requires recovery codes as long as it has rows in this
  /// table. In `one_time_codes`, `secret` is a `SealedSecret` and `step` is the last step whose
  /// code was used.
  ///
  /// In `passkeys`, `challenge` is that of the passkey's last use, and `used` is the idempotency
  /// key of the last use or, before the first use, of the registration. In `accounts`,
  /// `email_proof` is an `AddressProof`, and `attributes` is a JSON object.
  private static func create(_ database: SQLiteDatabase) throws(AccountStoreError) {
    try database.runAll(
      """
      CREATE TABLE accounts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        email TEXT NOT NULL,
        email_key TEXT NOT NULL UNIQUE,
        user_name TEXT NOT NULL,
        user_name_key TEXT NOT NULL UNIQUE,
        password_hash TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        registration TEXT UNIQUE,
        reset TEXT,
        password_expired INTEGER NOT NULL DEFAULT 0,
        disabled_ms INTEGER,
        last_login_ms INTEGER,
        attributes TEXT,
        user_handle TEXT,
        email_proof TEXT,
        codes_required INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE TABLE tries (
        subject TEXT PRIMARY KEY,
        known INTEGER NOT NULL,
        failures INTEGER NOT NULL,
        first_ms INTEGER NOT NULL,
        last_ms INTEGER NOT NULL,
        seen_ms INTEGER
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX tries_by_age ON tries (known, last_ms);
      CREATE TABLE settings (
        name TEXT PRIMARY KEY,
        value ANY NOT NULL
      ) STRICT, WITHOUT ROWID;
      INSERT INTO settings VALUES ('unknownTries', 0);
      CREATE TRIGGER unknown_added AFTER INSERT ON tries WHEN NEW.known = 0 BEGIN
        UPDATE settings SET value = value + 1 WHERE name = 'unknownTries';
      END;
      CREATE TRIGGER unknown_removed AFTER DELETE ON tries WHEN OLD.known = 0 BEGIN
        UPDATE settings SET value = value - 1 WHERE name = 'unknownTries';
      END;
      CREATE TABLE reset_codes (
        address TEXT PRIMARY KEY,
        account INTEGER,
        code_hash TEXT NOT NULL,
        issued_ms INTEGER NOT NULL,
        requester TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE recovery_codes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        code_hash TEXT NOT NULL,
        used TEXT
      ) STRICT;
      CREATE INDEX recovery_codes_by_account ON recovery_codes (account);
      CREATE TABLE one_time_codes (
        account INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
        secret TEXT NOT NULL,
        step INTEGER NOT NULL,
        used TEXT
      ) STRICT;
      CREATE TABLE passkeys (
        id TEXT PRIMARY KEY,
        account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        public_key TEXT NOT NULL,
        counter INTEGER NOT NULL,
        backup_eligible INTEGER NOT NULL,
        backed_up INTEGER NOT NULL,
        created_ms INTEGER NOT NULL,
        used_ms INTEGER,
        used TEXT,
        challenge TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX passkeys_by_account ON passkeys (account);
      CREATE TABLE remembered_devices (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        token_hash TEXT NOT NULL UNIQUE,
        created_ms INTEGER NOT NULL,
        expires_ms INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX remembered_devices_by_account ON remembered_devices (account);
      PRAGMA application_id = 0x6C6F6769;
      PRAGMA user_version = 1;
      """)
    try database.run(
      "INSERT INTO settings VALUES ('identifierSetting', ?1)", .text(PasswordHasher.identifierSetting()))
  }
}
