import SecretMemory

/// How a typed password compares with a stored hash.
enum PasswordMatch {
  case none
  case current
  /// It is the password, but its hash is not made as hashes are made now.
  case outdated
  /// As far as the hash tells it is the password, and it is not made as hashes are made now. But the hash does not have all of a text of this length, so what
  /// was typed may be another text: it takes the place of nothing.
  case outdatedInPart
}

extension AccountStore {
  /// What is wrong with a new password for an account.
  func problem(
    newPassword: UnsafeRawBufferPointer, of account: Account
  ) throws(AccountStoreError) -> ValueProblem? {
    try options.passwordRules.problem(
      newPassword: newPassword, names: account.names, asksForCode: try asksForCode(account.id))
  }

  /// Whether an account asks for a code after its password.
  func asksForCode(_ account: Int64) throws(AccountStoreError) -> Bool {
    try !database.rows(
      """
      SELECT 1 FROM accounts WHERE id = ?1 AND (EXISTS (SELECT 1 FROM recovery_codes WHERE account = ?1)
        OR EXISTS (SELECT 1 FROM one_time_codes WHERE account = ?1))
      """, .integer(account)
    ) { $0.integer(0) }.isEmpty
  }

  /// The hash of a password that is set now.
  func newHash(of password: UnsafeRawBufferPointer) throws(AccountStoreError) -> String {
    try notePepper()
    let setting = try PasswordHasher.setting(cost: options.hashCost)
    return try PasswordText.withNormal(password) { normal throws(AccountStoreError) in
      guard let pepper else { return try hasher.hash(normal, setting: setting) }
      let hash = try pepper.with(normal) { code throws(AccountStoreError) in try hasher.hash(code, setting: setting) }
      return pepper.prefix + hash
    }
  }

  /// Compares the normal form, and with a hash without a pepper then what was typed, since such hashes can be older than the normal form.
  /// The work depends only on the text and on how the hash is made, unless it is the password. What is no hash, or one that takes too long, is that of no
  /// password, after the work of a new one.
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
        // The pepper of this hash was replaced: the same work for nothing.
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
    // What was typed is not in its normal form, as a hash that is made now has it.
    return typed == .current ? .outdated : typed
  }

  /// What stands for the hash in a setting that is compared with in place of one.
  static let noHash = "......................"

  /// Whether a text is that of a hash. What is stored may be anything: that of one account is the trouble of that account.
  func verify(_ text: UnsafeRawBufferPointer, against hash: String) throws(AccountStoreError) -> Bool {
    let isSetting = hash.hasSuffix(Self.noHash) && PasswordHasher.isSetting(hash)
    if isSetting || AccountRow.isHash(hash) { return try hasher.verify(text, against: hash) }
    _ = try hasher.verify(text, against: hashParameters + Self.noHash)
    return false
  }

  /// Throws if the hashes have another pepper than this store was given: all passwords would seem to be wrong.
  func requirePepper() throws(AccountStoreError) {
    guard let noted = try Self.pepperID(in: database), noted != pepper?.id else { return }
    throw .pepperUnusable(pepper == nil ? .missing : .invalid)
  }

  /// Notes in the accounts file which pepper the hashes have, before there is one with it, so that none or another is noticed.
  func notePepper() throws(AccountStoreError) {
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

  /// The pepper in a file, which is made if hashes have none or if it `isOther` than theirs. Nil without a path.
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
