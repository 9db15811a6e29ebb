public import System

/// A problem found in an accounts file.
public enum AccountFileFinding: Equatable, Sendable {
  /// The file is not an accounts database.
  case foreign
  case newer(Int64)
  /// The definitions of the tables differ from those of this version of the program.
  case tables
  /// A problem that SQLite itself reports about the file's pages or indexes.
  case pages(String)
  /// Rows of this table refer to accounts that do not exist.
  case references(table: String)
  /// Another user could write the file or replace it.
  case untrusted(PathProblem)
  case readableByEveryone
  /// The accounts have a key for the secrets of one-time codes, but the key file does not contain
  /// this key or cannot be used.
  case key(KeyProblem)
  /// The key file has the right key, but the key cannot decrypt this account's secret.
  case secret(account: Int64)

  /// One sentence for users.
  public var explanation: String {
    switch self {
    case .foreign: "The file is not an accounts database."
    case .newer(let version):
      "The tables have version \(version), of a newer version of this program, which knows \(SQLiteSchema.version)."
    case .tables: "The tables are not those of version \(SQLiteSchema.version)."
    case .pages(let text): "SQLite: \(text)"
    case .references(let table): "Rows of the table \(table) belong to no account, and nothing uses them."
    case .untrusted(let problem): "Others could replace the file: \(problem)."
    case .readableByEveryone: "The file can be read by everyone."
    case .key(let problem): AccountStoreError.keyUnusable(problem).explanation
    case .secret(let account):
      "The secret of the one-time codes of account \(account) is damaged: turn its codes off (one-time-codes IDENTIFIER --off)."
    }
  }
}

extension AccountStore {
  /// Checks the file at `path`, which must exist, and returns every problem found. Changes nothing
  /// in it.
  public static func findings(at path: String, busyTimeoutMs: Int32 = 5_000) throws(AccountStoreError)
    -> [AccountFileFinding]
  {
    var findings: [AccountFileFinding] = []
    do throws(AccountStoreError) {
      try AccountFile.requireTrusted(path)
    } catch {
      guard case .untrusted(let problem) = error else { throw error }
      findings.append(.untrusted(problem))
    }
    if AccountFile.isReadableByEveryone(path) { findings.append(.readableByEveryone) }
    do throws(AccountStoreError) {
      try AccountFile.requireLog(of: path, timeoutMs: busyTimeoutMs)
      let database = try SQLiteDatabase(path: path, busyTimeoutMs: busyTimeoutMs)
      findings +=
        try SQLiteSchema.findings(in: database, allowsMore: false)
        + pages(of: database) + references(of: database)
      if try SQLiteSchema.findings(in: database, allowsMore: true).isEmpty {
        findings += try keyFindings(KeyFile(path: keyFile(of: path)), in: database)
      }
    } catch {
      switch error {
      case .damaged: findings.append(.pages("database disk image is malformed"))
      case .notADatabase: findings.append(.foreign)
      default: throw error
      }
    }
    return findings
  }

  /// Checks the key file and the secrets encrypted with its key.
  package func keyFindings() throws(AccountStoreError) -> [AccountFileFinding] {
    try Self.keyFindings(keyFile, in: database)
  }

  /// Checks the database before use; throws `.damaged` if its tables are not those of this version.
  /// In a file of at most `maximumBytes`, also checks every page and index.
  ///
  /// Damaged values inside rows are not looked for, because each affects only one account.
  public func requireIntact(maximumBytes: Int64) throws(AccountStoreError) {
    guard let database = file else { return }
    var isWhole = try SQLiteSchema.findings(in: database, allowsMore: true).isEmpty
    let size = try database.rows(
      "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    ) { $0.integer(0) }.first
    if isWhole, let size, size <= maximumBytes { isWhole = try Self.pages(of: database).isEmpty }
    guard isWhole else { throw .damaged }
  }

  private static func pages(of database: SQLiteDatabase) throws(AccountStoreError) -> [AccountFileFinding] {
    try database.rows("PRAGMA integrity_check") { $0.text(0) }.filter { $0 != "ok" }.map { .pages($0) }
  }

  private static func references(of database: SQLiteDatabase) throws(AccountStoreError) -> [AccountFileFinding] {
    let tables = try database.rows("PRAGMA foreign_key_check") { $0.text(0) }
    return Set(tables).sorted().map { .references(table: $0) }
  }

  /// Copies the accounts, as of one moment, into a new file (mode 0600) at `path`, which must not
  /// exist. The copy is checked before it gets its name; when this returns, it is on disk.
  ///
  /// Other programs may use the accounts meanwhile. The key file is not copied, so the copy alone
  /// does not reveal one-time codes.
  public func backUp(to path: String) throws(AccountStoreError) {
    guard !AccountFile.isThere(path) else { throw .unavailable }
    guard let database = file else { throw .unavailable }
    var generator = SystemRandomNumberGenerator()
    let draft = path + "." + String(generator.next(), radix: 36) + ".part"
    try AccountFile.create(draft, allowsSharedFolder: true)
    defer { AccountFile.remove(draft) }
    try database.copy(to: draft, timeoutMs: options.busyTimeoutMs)
    let isWhole = try Self.findings(at: draft).allSatisfy {
      switch $0 {
      case .untrusted, .key, .secret, .references: true
      default: false
      }
    }
    guard isWhole else { throw .damaged }
    try AccountFile.link(draft, to: path)
  }
}
