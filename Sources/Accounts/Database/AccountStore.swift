/// Accounts in a database: their names, the hashes of their passwords, their encrypted secrets of one-time codes, and counts of failures.
///
/// All methods are synchronous. A store is one connection and belongs to one thread at a time. Any number of stores, in
/// any number of processes, may use one database at once. Passwords come as bytes, are never copied into a `String` and
/// never reach the database; the copies that the store makes in memory are wiped before a call returns.
public final class AccountStore {
  /// What an administrator may choose.
  public struct Options: Sendable {
    /// libcrypt's cost of yescrypt, 1 to 11. The default, 5, takes about 25 ms.
    public var hashCost: UInt = 5
    /// How long to wait for another program's lock, in milliseconds. Below a flow's request timeout.
    public var busyTimeoutMs: Int32 = 5_000
    /// How many names that were typed are remembered for throttling, whether or not they are somebody's. When there are more,
    /// the oldest are forgotten; what is counted for accounts stays.
    public var maximumUnknownIdentifiers: Int64 = 100_000
    /// The file with a key that goes into the hash of every password; `nil` for none.
    public var pepperFile: String?
    /// Whether the next new password replaces the pepper before, by that of `pepperFile` or by none. Hashes with another pepper are then void:
    /// they are like wrong passwords, until a new password is set.
    public var replacesPepper = false
    /// What new passwords have to be.
    public var passwordRules = PasswordRules()
    /// Shared by the stores of a process that have one file.
    public var deferredFailures = DeferredFailures()
    /// Likewise.
    public var unknownNames = UnknownNames()

    public init() {}
  }

  package let database: HoldingDatabase
  /// The database, if it is a file.
  let file: SQLiteDatabase?
  let hasher = PasswordHasher()
  let options: Options
  let keyFile: KeyFile
  /// The id of the key that this store has made.
  var madeKeyID: String?
  /// The cost of a hash that is made now.
  let hashParameters: String
  /// The pepper and the cost of the hash of a password that is set now.
  let currentParameters: String
  let pepper: Pepper?
  /// See `PasswordHasher.identifierSetting()`.
  package let identifierSetting: String

  /// Opens an accounts file; makes it (mode 0600) and its directory (mode 0700) if there is none.
  ///
  /// - Parameter identity: the file that has to be at the path. If another one is there, or none, the error is `.moved`.
  public convenience init(
    path: String, options: Options = Options(), identity: FileIdentity? = nil
  ) throws(AccountStoreError) {
    if let identity, FileIdentity(path: path) != identity { throw .moved }
    try AccountFile.create(path)
    try AccountFile.requireTrusted(path)
    try AccountFile.requireLog(of: path, timeoutMs: options.busyTimeoutMs)
    let database = try SQLiteDatabase(path: path, busyTimeoutMs: options.busyTimeoutMs)
    try SQLiteSchema.prepare(database, timeoutMs: options.busyTimeoutMs)
    database.noteFiles()
    if let identity, FileIdentity(path: path) != identity { throw .moved }
    try self.init(database: database, keyFile: Self.keyFile(of: path), options: options)
  }

  /// Uses a database that has this version's tables.
  ///
  /// - Parameter keyFile: the path of the file with the key of the secrets of one-time codes, which is made with the first secret.
  package init(
    database: any AccountDatabase, keyFile: String, options: Options
  ) throws(AccountStoreError) {
    let settings = try database.rows("SELECT value FROM settings WHERE name = 'identifierSetting'") { $0.text(0) }
    guard let identifierSetting = settings.first else { throw .notADatabase }
    // Each login makes such hashes.
    guard PasswordHasher.isIdentifierSetting(identifierSetting) else { throw .damaged }
    let setting = try PasswordHasher.setting(cost: options.hashCost)
    self.options = options
    self.keyFile = KeyFile(path: keyFile)
    self.identifierSetting = identifierSetting
    hashParameters = String(PasswordHasher.parameters(of: setting))
    pepper = try Self.pepper(at: options.pepperFile, isOther: options.replacesPepper, in: database)
    currentParameters = (pepper?.prefix ?? "") + hashParameters
    self.database = HoldingDatabase(database)
    file = database as? SQLiteDatabase
  }

  /// The path of the key file of an accounts file.
  public static func keyFile(of path: String) -> String { path + ".key" }

  /// Whether the file at the path is still the one that was opened, and likewise what SQLite has beside it. If not, writes to
  /// this store are refused.
  public var isCurrent: Bool { database.isCurrent }

  /// The file that was opened, if the database is one.
  public var identity: FileIdentity? { file?.identity }

  /// The file that was opened, and what SQLite has beside it.
  package var openFiles: OpenFiles? { file?.openFiles }

  /// Saves what is only in a log that was removed or replaced: writes it to the database. To be called when the store is not
  /// current, before it is closed.
  public func rescueLog() { file?.rescueLog() }

  /// A setting for the hashes of identifiers, of which accounts have one for good.
  package static func identifierSetting() -> String { PasswordHasher.identifierSetting() }

  /// Limits a time to values with which the arithmetic of `Throttle` cannot overflow.
  static func bounded(_ now: Int64) -> Int64 {
    min(max(now, 0), latest)
  }

  static let latest = Int64.max / 4
}
