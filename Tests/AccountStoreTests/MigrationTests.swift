import AccountStore
import CSQLite
import OneTimeCodes
import Testing

@Suite(.onFile) struct MigrationTests {
  let file: TemporaryFile

  /// A file as version 1 of the tables made it, with an account that has failed to log in four times.
  init() throws {
    file = try TemporaryFile()
    let hasher = PasswordHasher()
    let hash = try Array("correct horse".utf8).withUnsafeBytes {
      try hasher.hash($0, setting: try PasswordHasher.setting(cost: 1))
    }
    try file.other { connection throws in
      for sql in Self.version1 { try run(sql, on: connection) }
      try run(
        """
        INSERT INTO accounts VALUES (7, 'Ada@example.com', 'ada@example.com', 'Ada', 'ada', '\(hash)', 5, 'run:1')
        """, on: connection)
      try run("INSERT INTO tries VALUES ('account:7', 1, 4, 1000, 1000)", on: connection)
    }
  }

  @Test func `a file of version 1 is brought up to date with all that is in it`() throws {
    let store = try file.store()
    #expect(try store.accounts() == [Account(id: 7, email: "Ada@example.com", userName: "Ada", createdMs: 5)])
    #expect(try store.login("ada", "wrong") == .rejected)
    #expect(try store.login("ada") == .throttled(retryAfterMs: 1_000))
    #expect(try store.login("ada", now: 2_000).isAccepted)
    #expect(try store.register("Ada@example.com", "Ada", key: "run:1").isAccepted)
    let code = try #require(try store.code(for: "ada@example.com"))
    #expect(try store.reset("ada@example.com", code) == .done)
    #expect(try file.store().login("ada", "another horse").isAccepted)
    try file.other { connection throws in
      #expect(try run("PRAGMA user_version", on: connection) == "8")
      #expect(try run("PRAGMA integrity_check", on: connection) == "ok")
    }
  }

  @Test func `a file of version 2 is brought up to date with all that is in it`() throws {
    try file.other { connection throws in
      for sql in Self.version2 { try run(sql, on: connection) }
      let hash = try run("SELECT password_hash FROM accounts", on: connection)
      try run("INSERT INTO reset_codes VALUES ('somebody', 7, '\(hash)', 1000, 2)", on: connection)
      try run("INSERT INTO reset_codes VALUES ('spent', 7, '\(hash)', 1000, 5)", on: connection)
    }
    let store = try file.store()
    #expect(try store.accountStatuses().map(\.recoveryCodesLeft) == [nil])
    #expect(try store.accountStatuses().map(\.isPasswordExpired) == [false])
    #expect(try store.login("ada").isAccepted)
    let codes = try store.codes("ada")
    _ = try store.expirePassword(identifier: "ada")
    guard case .pending(let next) = try store.use(codes[0], try #require(try store.pending())) else {
      Issue.record("a new password is asked for")
      return
    }
    #expect(try store.replace(next, "another horse").isAccepted)
    try file.other { connection throws in
      #expect(try run("PRAGMA user_version", on: connection) == "8")
      #expect(try run("PRAGMA integrity_check", on: connection) == "ok")
      #expect(try run("SELECT count(*) FROM reset_codes", on: connection) == "0")
    }
  }

  @Test func `a file of version 3 keeps its codes`() throws {
    try file.other { connection throws in
      for sql in Self.version2 + Self.version3 { try run(sql, on: connection) }
      let hash = try run("SELECT password_hash FROM accounts", on: connection)
      try run("INSERT INTO recovery_codes VALUES (3, 7, '\(hash)', NULL)", on: connection)
      try run("INSERT INTO reset_codes VALUES ('somebody', 7, '\(hash)', 1000, 4)", on: connection)
      try run("INSERT INTO reset_codes VALUES ('spent', 7, '\(hash)', 1000, 5)", on: connection)
    }
    let store = try file.store()
    #expect(try store.accountStatuses().map(\.recoveryCodesLeft) == [1])
    try file.other { connection throws in
      #expect(try run("PRAGMA user_version", on: connection) == "8")
      #expect(try run("PRAGMA integrity_check", on: connection) == "ok")
      #expect(try run("SELECT group_concat(address) FROM reset_codes", on: connection) == "somebody")
    }
    #expect(try AccountStore.findings(at: file.path).filter { $0 != .readableByEveryone } == [])
  }

  @Test func `a file of version 4 is brought up to date with all that is in it`() throws {
    let code = "0123-4567-89AB-CDEF"
    try file.other { connection throws in
      for sql in Self.version2 + Self.version3 + Self.version4 { try run(sql, on: connection) }
      let hasher = PasswordHasher()
      let hash = try Array(code.replacing("-", with: "").utf8).withUnsafeBytes {
        try hasher.hash($0, setting: try PasswordHasher.setting(cost: 1))
      }
      try run("INSERT INTO recovery_codes (account, code_hash, used) VALUES (7, '\(hash)', NULL)", on: connection)
      try run("UPDATE accounts SET password_expired = 1", on: connection)
    }
    let store = try file.store()
    #expect(try store.accountStatuses().map(\.hasOneTimeCodes) == [false])
    #expect(try store.accountStatuses().map(\.recoveryCodesLeft) == [1])
    let login = try #require(try store.pending())
    #expect(login.demand == .recoveryCode)
    guard case .pending(let next) = try store.use(code, login) else {
      Issue.record("a new password is asked for")
      return
    }
    #expect(try store.replace(next, "another horse").isAccepted)
    #expect(try store.enrol() == .done)
    #expect(try store.pending("ada", "another horse")?.demand == .oneTimeCode)
    try file.other { connection throws in
      #expect(try run("PRAGMA user_version", on: connection) == "8")
      #expect(try run("PRAGMA integrity_check", on: connection) == "ok")
    }
  }

  @Test func `a file of version 5 keeps its counts, and no account is disabled`() throws {
    try file.other { connection throws in
      for sql in Self.version2 + Self.version3 + Self.version4 + Self.version5 { try run(sql, on: connection) }
      try run("INSERT INTO tries VALUES ('account:9', 1, 99, 1000, 1000, NULL)", on: connection)
      try run("UPDATE tries SET failures = 99, seen_ms = NULL WHERE subject = 'account:7'", on: connection)
      try run("INSERT INTO tries VALUES ('recovery:7', 1, 3, 1000, 1000, NULL)", on: connection)
    }
    let store = try file.store()
    let status = try #require(try store.accountStatus(identifier: "ada"))
    #expect((status.failures, status.codeFailures, status.isDisabled, status.isLocked) == (99, 3, false, false))
    #expect(status.lastLoginMs == nil && status.account.attributes == nil)
    // They are no longer forgotten after a day.
    let later: Int64 = 10 * 86_400_000
    #expect(try store.login("ada", "wrong", now: later) == .rejected)
    #expect(try store.login("ada", now: later) == .rejected)
    #expect(try store.accountStatus(identifier: "ada")?.isLocked == true)
    try file.other { connection throws in
      #expect(try run("PRAGMA user_version", on: connection) == "8")
      #expect(try run("PRAGMA integrity_check", on: connection) == "ok")
    }
  }

  @Test func `a file of version 6 is brought up to date with all that is in it`() throws {
    let made = try TemporaryFile()
    let sealed = try made.store()
    _ = try sealed.register("ada@example.com", "ada")
    #expect(try sealed.enrol() == .done)
    _ = try sealed.codes("ada", count: 2)
    // A file of this version with all that is newer taken away is one of version 6.
    try made.other { connection throws in
      for sql in Self.withoutVersion7 { try run(sql, on: connection) }
    }
    #expect(try AccountStore.findings(at: made.path).contains(.older(6)))
    let store = try made.store()
    let now: Int64 = 1_000_000
    let login = try #require(try store.pending("ada", now: now))
    #expect((login.demand, login.otherWays) == (.oneTimeCode, [.recoveryCode]))
    #expect(try store.useOneTimeCode(OneTimeSecret.known.code(now: now), login, now: now).isAccepted)
    #expect(try store.passkeys(identifier: "ada") == [])
    #expect(try store.rememberedDevices(identifier: "ada", now: now) == [])
    try made.other { connection throws in
      #expect(try run("PRAGMA user_version", on: connection) == "8")
      #expect(try run("PRAGMA integrity_check", on: connection) == "ok")
    }
    #expect(try AccountStore.findings(at: made.path).filter { $0 != .readableByEveryone } == [])
  }

  @Test(arguments: [1, 2, 3, 4, 5])
  func `a file of any version has the tables of a file that is new once it is opened`(version: Int) throws {
    try file.other { connection throws in
      for sql in version >= 2 ? Self.version2 : [] { try run(sql, on: connection) }
      for sql in version >= 3 ? Self.version3 : [] { try run(sql, on: connection) }
      for sql in version >= 4 ? Self.version4 : [] { try run(sql, on: connection) }
      for sql in version >= 5 ? Self.version5 : [] { try run(sql, on: connection) }
    }
    #expect(try AccountStore.findings(at: file.path).contains(.older(Int64(version))))
    try file.store().requireWhole(maximumBytes: 1 << 20)
    #expect(try AccountStore.findings(at: file.path).filter { $0 != .readableByEveryone } == [])
  }

  @Test func `it has the same tables as a file that is new`() throws {
    _ = try file.store()
    let fresh = try TemporaryFile()
    _ = try fresh.store()
    let names =
      "SELECT group_concat(name || ':' || (SELECT group_concat(name) FROM pragma_table_info(m.name)), ' ') FROM (SELECT name FROM sqlite_schema ORDER BY name) m"
    var texts: [String] = []
    for file in [file, fresh] { try file.other { texts.append(try run(names, on: $0)) } }
    #expect(texts[0] == texts[1])
    #expect(texts[0].contains("reset_codes:address,account,code_hash,issued_ms,requester"))
    #expect(texts[0].contains("recovery_codes:id,account,code_hash,used"))
    #expect(texts[0].contains("one_time_codes:account,secret,step,used"))
    #expect(texts[0].contains("remembered_devices:id,account,token_hash,created_ms,expires_ms"))
  }

  @Test func `many that open it at once bring it up to date once`() async throws {
    let path = file.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let count = try TemporaryFile.store(at: path).accounts().count
          #expect(count == 1)
        }
      }
      try await group.waitForAll()
    }
  }

  /// What version 2 added to version 1.
  private static let version2 = [
    "ALTER TABLE accounts ADD COLUMN reset TEXT",
    """
    CREATE TABLE reset_codes (
      address TEXT PRIMARY KEY,
      account INTEGER,
      code_hash TEXT NOT NULL,
      issued_ms INTEGER NOT NULL,
      tries INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "PRAGMA user_version = 2",
  ]

  /// What version 3 added to version 2.
  private static let version3 = [
    "ALTER TABLE accounts ADD COLUMN password_expired INTEGER NOT NULL DEFAULT 0",
    """
    CREATE TABLE recovery_codes (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      code_hash TEXT NOT NULL,
      used TEXT
    ) STRICT
    """,
    "CREATE INDEX recovery_codes_by_account ON recovery_codes (account)",
    "PRAGMA user_version = 3",
  ]

  /// What version 4 changed in version 3, for a file in which nothing was counted for accounts.
  private static let version4 = [
    "ALTER TABLE tries ADD COLUMN seen_ms INTEGER",
    "UPDATE tries SET subject = 'name:' || substr(subject, 9) WHERE subject LIKE 'unknown:%'",
    "DELETE FROM reset_codes WHERE tries >= 5",
    "ALTER TABLE reset_codes DROP COLUMN tries",
    "ALTER TABLE reset_codes ADD COLUMN requester TEXT",
    "PRAGMA user_version = 4",
  ]

  /// What version 5 added to version 4.
  private static let version5 = [
    """
    CREATE TABLE one_time_codes (
      account INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
      secret TEXT NOT NULL,
      step INTEGER NOT NULL,
      used TEXT
    ) STRICT
    """,
    "PRAGMA user_version = 5",
  ]

  /// Takes away what versions 7 and 8 added to version 6.
  private static let withoutVersion7 = [
    "ALTER TABLE accounts DROP COLUMN email_proof", "ALTER TABLE accounts DROP COLUMN codes_required",
    "DROP TABLE passkeys", "DROP TABLE remembered_devices", "ALTER TABLE accounts DROP COLUMN user_handle",
    "PRAGMA user_version = 6",
  ]

  private static let version1 = [
    """
    CREATE TABLE accounts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      email TEXT NOT NULL,
      email_key TEXT NOT NULL UNIQUE,
      user_name TEXT NOT NULL,
      user_name_key TEXT NOT NULL UNIQUE,
      password_hash TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      registration TEXT UNIQUE
    ) STRICT
    """,
    """
    CREATE TABLE tries (
      subject TEXT PRIMARY KEY,
      known INTEGER NOT NULL,
      failures INTEGER NOT NULL,
      first_ms INTEGER NOT NULL,
      last_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX tries_by_age ON tries (known, last_ms)",
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID",
    "INSERT INTO settings VALUES ('unknownTries', 0)",
    """
    CREATE TRIGGER unknown_added AFTER INSERT ON tries WHEN NEW.known = 0 BEGIN
      UPDATE settings SET value = value + 1 WHERE name = 'unknownTries';
    END
    """,
    """
    CREATE TRIGGER unknown_removed AFTER DELETE ON tries WHEN OLD.known = 0 BEGIN
      UPDATE settings SET value = value - 1 WHERE name = 'unknownTries';
    END
    """,
    "INSERT INTO settings VALUES ('identifierSetting', '$5$rounds=1000$abcdefghijklmnop')",
    "PRAGMA application_id = 0x6C6F6769", "PRAGMA user_version = 1", "PRAGMA journal_mode = WAL",
  ]
}
