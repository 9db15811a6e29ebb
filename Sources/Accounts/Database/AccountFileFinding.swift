public import System

/// Something that is not right about an accounts file.
public enum AccountFileFinding: Equatable, Sendable {
  /// It is no accounts file.
  case foreign
  case newer(Int64)
  /// The tables are not those of this version.
  case tables
  /// What SQLite says of its pages and indexes.
  case pages(String)
  /// Rows that refer to accounts that are not there.
  case references(table: String)
  /// Somebody else could write the file, or lead its path to another.
  case untrusted(PathProblem)
  case readableByEveryone
  /// There are secrets of one-time codes, and the key file has not their key.
  case key(KeyProblem)
  /// The key file has the key, which does not open the secret of this account.
  case secret(account: Int64)

  /// One sentence for people.
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
  /// Everything that is found wrong with the file at a path, which must exist. Changes nothing in it.
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

  /// What is wrong with the key file, or with the secrets under its key.
  package func keyFindings() throws(AccountStoreError) -> [AccountFileFinding] {
    try Self.keyFindings(keyFile, in: database)
  }

  /// Looks at what was opened before it is used: whether the tables of this version are there, and for a file of at most
  /// `maximumBytes`, whether every page and index is whole. Throws `.damaged` if not. What is wrong within rows is the trouble of their accounts.
  public func requireWhole(maximumBytes: Int64) throws(AccountStoreError) {
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

  /// Copies the accounts, as of one moment, into a new file (mode 0600) that must not exist, and checks the copy, which has its name only then. When
  /// this returns, the copy is on disk. Others may use the accounts meanwhile. The key file is not copied, so that the copy alone
  /// tells nobody's codes.
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
