import SecretMemory

/// The key of the secrets of one-time codes, of which accounts have one for good. Its id is among their settings, so that no host makes a second one, and
/// each host tells whether its file has this one.
extension AccountStore {
  static func keyID(in database: any AccountDatabase) throws(AccountStoreError) -> String? {
    try database.rows("SELECT value FROM settings WHERE name = 'key'") { $0.text(0) }.first
  }

  /// What is wrong with the key file, or with the secrets under its key. A secret that the accounts' key does not open is the trouble of its account.
  static func keyFindings(
    _ keyFile: KeyFile, in database: any AccountDatabase
  ) throws(AccountStoreError) -> [AccountFileFinding] {
    guard let noted = try keyID(in: database) else { return [] }
    do throws(AccountStoreError) {
      let key = try keyFile.read()
      guard KeyFile.id(of: key) == noted else { return [.key(.invalid)] }
      let secrets = try database.rows("SELECT account, secret FROM one_time_codes ORDER BY account") {
        (account: $0.integer(0), secret: SealedSecret(stored: $0.text(1)))
      }
      return secrets.filter { !$0.secret.isOpened(account: $0.account, key: key) }.map { .secret(account: $0.account) }
    } catch {
      guard case .keyUnusable(let problem) = error else { throw error }
      return [.key(problem)]
    }
  }

  /// The secret of an account, with the key of the key file. One that the accounts' key does not open is damaged.
  func opened(
    _ secret: SealedSecret, of account: Int64, key: borrowing SecretBytes
  ) throws(AccountStoreError) -> OneTimeSecret {
    if !secret.isOpened(account: account, key: key), try Self.keyID(in: database) == KeyFile.id(of: key) {
      throw .damaged
    }
    return try secret.open(account: account, key: key)
  }

  /// What is wrong with the key file, without a look at the secrets. Nil if nothing is, or the accounts have no key yet.
  package func keyProblem() throws(AccountStoreError) -> KeyProblem? {
    guard let noted = try Self.keyID(in: database) else { return nil }
    do throws(AccountStoreError) {
      return KeyFile.id(of: try keyFile.read()) == noted ? nil : .invalid
    } catch {
      guard case .keyUnusable(let problem) = error else { throw error }
      return problem
    }
  }

  /// The key of the accounts, made if they have none.
  func keyForSecrets() throws(AccountStoreError) -> SecretBytes {
    // Looked up each time: another process may have replaced the key, and a transaction that noted it may have been rolled back.
    if let noted = try Self.keyID(in: database) { return try key(with: noted) }
    let key = try newKey()
    try database.run(
      "INSERT INTO settings (name, value) VALUES ('key', ?1) ON CONFLICT (name) DO NOTHING",
      .text(KeyFile.id(of: key)))
    // Another host may have been first.
    guard let noted = try Self.keyID(in: database), noted != KeyFile.id(of: key) else { return key }
    return try self.key(with: noted)
  }

  private func newKey() throws(AccountStoreError) -> SecretBytes {
    let isThere = try keyFile.readIfThere() != nil
    let key = try keyFile.make()
    if !isThere { madeKeyID = KeyFile.id(of: key) }
    return key
  }

  /// The key in the file, which has to have this id. One that was made here at the same moment as another elsewhere is taken away: nothing is under it.
  private func key(with id: String) throws(AccountStoreError) -> SecretBytes {
    let key = try keyFile.read()
    let found = KeyFile.id(of: key)
    guard found != id else { return key }
    guard found == madeKeyID else { throw .keyUnusable(.invalid) }
    keyFile.remove()
    throw .keyUnusable(.missing)
  }

  /// Makes the key of the accounts if they have none. Returns its id.
  ///
  /// - Parameter replaces: whether the key in the file, or else a new one, takes the place of one that is lost. Nil is returned if there are secrets, which
  ///   would be lost with it.
  package func makeKey(replaces: Bool = false) throws(AccountStoreError) -> String? {
    try database.transaction { () throws(AccountStoreError) in
      if replaces {
        guard try database.rows("SELECT 1 FROM one_time_codes LIMIT 1", row: { _ in 0 }).isEmpty else { return nil }
        try database.run("DELETE FROM settings WHERE name = 'key'")
      }
      return KeyFile.id(of: try keyForSecrets())
    }
  }
}
