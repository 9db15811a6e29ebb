/// Accounts in a database: names, hashes of passwords, encrypted secrets of one-time codes, and
/// counts of failures.
///
/// All methods are synchronous. A store has one connection and belongs to one thread at a time. Any
/// number of stores, in any number of processes, may use one database at once.
///
/// Passwords are passed as bytes, are never copied into a `String`, and never reach the database.
/// The store wipes its own copies in memory before a call returns.
public final class AccountStore {
  /// Settings that an administrator may choose.
  public struct Options: Sendable {
    /// libcrypt's cost of yescrypt, 1 to 11. The default, 5, takes about 25 ms.
    public var hashCost: UInt = 5
    /// How long to wait while another program has the database locked, in milliseconds. Must be
    /// shorter than a flow's request timeout.
    public var busyTimeoutMs: Int32 = 5_000
    /// The maximum number of typed names kept for throttling, whether or not they belong to an
    /// account. If there are more, the oldest names are deleted, but the failure counts of accounts
    /// are kept.
    public var maximumUnknownIdentifiers: Int64 = 100_000
    /// The path of the file with the pepper: a key that goes into the hash of every password. Nil
    /// if there is no pepper.
    public var pepperFile: String?
    /// Whether the pepper is replaced when a password is next set: by the one in `pepperFile`, or
    /// by none if `pepperFile` is nil. From then on, a password that was hashed with another pepper
    /// never matches, so its account needs a new password.
    public var replacesPepper = false
    /// The rules for new passwords.
    public var passwordRules = PasswordRules()
    /// Login failures that could not be written yet because the disk was full. Shared by the stores
    /// of a process that use the same file.
    public var deferredFailures = DeferredFailures()
    /// The key with which typed names that belong to no account are hashed. Shared by the stores of
    /// a process that use the same file.
    public var unknownNames = UnknownNames()

    public init() {}
  }

  package let database: HeldAccountDatabase
  /// The database, if it is an SQLite file.
  let file: SQLiteDatabase?
  let hasher = PasswordHasher()
  let options: Options
  let keyFile: KeyFile
  /// The id of the key that this store has written to the key file. Nil if it has created no key.
  var madeKeyID: String?
  /// The scheme and cost of new hashes, as text. Each new hash begins with this text, after the
  /// prefix of the pepper.
  let hashParameters: String
  /// The prefix of the pepper, if there is one, followed by `hashParameters`. The hash of each new
  /// password begins with this text.
  let currentParameters: String
  let pepper: Pepper?
  /// The setting for the hashes of typed names. See `PasswordHasher.identifierSetting()`.
  package let identifierSetting: String

  /// Opens an accounts file. Creates the file (mode 0600) and its directory (mode 0700) if they do
  /// not exist.
  ///
  /// - Parameter identity: The file expected at the path. Throws `.moved` if there is another file
  ///   or none.
  public convenience init(
    path: String, options: Options = Options(), identity: FileIdentity? = nil
  ) throws(AccountStoreError) {
    if let identity, FileIdentity(path: path) != identity { throw .moved }
    try AccountFile.create(path)
    try AccountFile.requireTrusted(path)
    try AccountFile.requireLog(of: path, timeoutMs: options.busyTimeoutMs)
    let database = try SQLiteDatabase(path: path, busyTimeoutMs: options.busyTimeoutMs)
    try SQLiteSchema.prepare(database, timeoutMs: options.busyTimeoutMs)
    database.recordOpenFiles()
    if let identity, FileIdentity(path: path) != identity { throw .moved }
    try self.init(database: database, keyFile: Self.keyFile(of: path), options: options)
  }

  /// Creates a store on a database that has the tables of this version.
  ///
  /// - Parameter keyFile: The path of the file with the key for the secrets of one-time codes. The
  ///   file is created with the first secret.
  package init(
    database: any AccountDatabase, keyFile: String, options: Options
  ) throws(AccountStoreError) {
    let settings = try database.rows("SELECT value FROM settings WHERE name = 'identifierSetting'") { $0.text(0) }
    guard let identifierSetting = settings.first else { throw .notADatabase }
    // Every login computes hashes with this setting.
    guard PasswordHasher.isIdentifierSetting(identifierSetting) else { throw .damaged }
    let setting = try PasswordHasher.setting(cost: options.hashCost)
    self.options = options
    self.keyFile = KeyFile(path: keyFile)
    self.identifierSetting = identifierSetting
    hashParameters = String(PasswordHasher.parameters(of: setting))
    pepper = try Self.pepper(at: options.pepperFile, isOther: options.replacesPepper, in: database)
    currentParameters = (pepper?.prefix ?? "") + hashParameters
    self.database = HeldAccountDatabase(database)
    file = database as? SQLiteDatabase
  }

  /// The path of the key file that belongs to an accounts file.
  public static func keyFile(of path: String) -> String { path + ".key" }

  /// Whether the paths of the accounts file, of SQLite's log and of the log's index still lead to
  /// the files that were opened. If not, writes are refused.
  public var isCurrent: Bool { database.isCurrent }

  /// The file that was opened. Nil if the database is not a file.
  public var identity: FileIdentity? { file?.identity }

  /// The files that SQLite has open: the database, its log and its index.
  package var openFiles: OpenFiles? { file?.openFiles }

  /// If SQLite's log was removed while it was open, writes the content of the log to the database.
  /// Does nothing if another log has the name now. Call when the store is not current, before
  /// closing it.
  public func rescueLog() { file?.rescueLog() }

  /// Returns a new setting for the hashes of typed names. A set of accounts keeps its setting
  /// permanently.
  package static func identifierSetting() -> String { PasswordHasher.identifierSetting() }

  /// Clamps a time to a range in which the arithmetic of `Throttle` cannot overflow.
  static func bounded(_ now: Int64) -> Int64 {
    min(max(now, 0), latest)
  }

  static let latest = Int64.max / 4
}
