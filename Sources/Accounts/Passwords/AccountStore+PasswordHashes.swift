import SecretMemory

/// How a typed password compares with a stored hash.
enum PasswordMatch {
  case none
  case current
  /// The password matches, but its hash does not have the current scheme, cost and pepper.
  case outdated
  /// Like `outdated`, but the typed text is so long that the hash scheme ignores its end. A
  /// different text may therefore match as well. No new hash is made from the typed text, because
  /// it may not be the user's password.
  case outdatedInPart
}

extension AccountStore {
  /// Returns why a new password is refused for an account. Nil if it is allowed.
  func problem(
    newPassword: UnsafeRawBufferPointer, of account: Account
  ) throws(AccountStoreError) -> ValueProblem? {
    try options.passwordRules.problem(
      newPassword: newPassword, names: account.names, asksForCode: try asksForCode(account.id))
  }

  /// Whether an account requires a code after its password.
  func asksForCode(_ account: Int64) throws(AccountStoreError) -> Bool {
    try !database.rows(
      """
      SELECT 1 FROM accounts WHERE id = ?1 AND (EXISTS (SELECT 1 FROM recovery_codes WHERE account = ?1)
        OR EXISTS (SELECT 1 FROM one_time_codes WHERE account = ?1))
      """, .integer(account)
    ) { $0.integer(0) }.isEmpty
  }

  /// Hashes a new password with the current scheme, cost and pepper.
  func newHash(of password: UnsafeRawBufferPointer) throws(AccountStoreError) -> String {
    try recordPepperID()
    let setting = try PasswordHasher.setting(cost: options.hashCost)
    return try PasswordText.withNormal(password) { normal throws(AccountStoreError) in
      guard let pepper else { return try hasher.hash(normal, setting: setting) }
      let hash = try pepper.with(normal) { code throws(AccountStoreError) in try hasher.hash(code, setting: setting) }
      return pepper.prefix + hash
    }
  }

  /// Compares a password with a stored hash. Tries the normal form of the password first. If the
  /// hash has no pepper, then tries the typed bytes, because such a hash may have been made before
  /// passwords were normalised.
  ///
  /// The work depends only on the text and on the scheme and cost of the hash, unless the password
  /// matches. A stored value that is not a hash, or whose check would take too long, never matches;
  /// the work is then that of a new hash.
  func match(_ password: UnsafeRawBufferPointer, _ stored: String) throws(AccountStoreError) -> PasswordMatch {
    try requirePepper()
    let isCurrent = PasswordHasher.parameters(of: stored) == currentParameters
    let (id, rest) = Pepper.parts(of: stored)
    let hash = String(rest)
    func compare(_ bytes: UnsafeRawBufferPointer) throws(AccountStoreError) -> PasswordMatch {
      guard try verify(bytes, against: hash) else { return .none }
      if isCurrent { return .current }
      return PasswordHasher.covers(hash, byteCount: bytes.count) ? .outdated : .outdatedInPart
    }
    guard id == nil else {
      guard let pepper, pepper.id == id.map(String.init) else {
        try requirePepper()
        // The pepper of this hash was replaced: the same work, without a possible match.
        _ = try verify(password, against: hash)
        return .none
      }
      return try PasswordText.withNormal(password) { normal throws(AccountStoreError) -> PasswordMatch in
        try pepper.with(normal, compare)
      }
    }
    guard let normal = PasswordText.normal(password), normal.count <= AccountValues.maximumBytes else {
      return try compare(password)
    }
    let match = try normal.withBytes { bytes throws(AccountStoreError) in try compare(bytes) }
    if match != .none { return match }
    let typed = try compare(password)
    // The typed text matches but is not in normal form, as a current hash requires.
    return typed == .current ? .outdated : typed
  }

  /// What follows a setting in place of the hash itself, so that a password can be compared
  /// although no hash is stored. The comparison takes the usual work.
  static let noHash = "......................"

  /// Whether the text matches the hash. The stored value may be anything: a damaged one affects
  /// only its account.
  func verify(_ text: UnsafeRawBufferPointer, against hash: String) throws(AccountStoreError) -> Bool {
    let isSetting = hash.hasSuffix(Self.noHash) && PasswordHasher.isSetting(hash)
    if isSetting || AccountRow.isHash(hash) { return try hasher.verify(text, against: hash) }
    _ = try hasher.verify(text, against: hashParameters + Self.noHash)
    return false
  }

  /// Throws if the stored hashes use a different pepper from the one that this store was given.
  /// Otherwise all passwords would seem wrong.
  func requirePepper() throws(AccountStoreError) {
    guard let noted = try Self.pepperID(in: database), noted != pepper?.id else { return }
    throw .pepperUnusable(pepper == nil ? .missing : .invalid)
  }

  /// Stores the id of the pepper in the database before the first hash uses it, so that a missing
  /// or different pepper is detected.
  func recordPepperID() throws(AccountStoreError) {
    if options.replacesPepper {
      try database.transaction { () throws(AccountStoreError) in
        try database.run("DELETE FROM settings WHERE name = 'pepper'")
        if let pepper { try database.run("INSERT INTO settings VALUES ('pepper', ?1)", .text(pepper.id)) }
      }
    } else if let pepper, try Self.pepperID(in: database) == nil {
      try database.run(
        "INSERT INTO settings VALUES ('pepper', ?1) ON CONFLICT (name) DO NOTHING", .text(pepper.id))
    }
    try requirePepper()
  }

  /// Reads the pepper from the file at `path`. Returns nil if `path` is nil.
  ///
  /// - Parameter isOther: Whether this pepper is to replace the one that the stored hashes use. In
  ///   this case, and also if no stored hash has a pepper yet, a missing file is created.
  static func pepper(
    at path: String?, isOther: Bool, in database: any AccountDatabase
  ) throws(AccountStoreError) -> Pepper? {
    guard let path else { return nil }
    let noted = try pepperID(in: database)
    let pepper: Pepper
    do throws(AccountStoreError) {
      let file = KeyFile(path: path)
      pepper = Pepper(noted == nil || isOther ? try file.make() : try file.read())
    } catch {
      guard case .keyUnusable(let problem) = error else { throw error }
      throw .pepperUnusable(problem)
    }
    guard noted == nil || isOther || noted == pepper.id else { throw .pepperUnusable(.invalid) }
    return pepper
  }

  static func pepperID(in database: any AccountDatabase) throws(AccountStoreError) -> String? {
    try database.rows("SELECT value FROM settings WHERE name = 'pepper'") { $0.text(0) }.first
  }
}
