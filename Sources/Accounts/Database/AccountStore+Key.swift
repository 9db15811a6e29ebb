import SecretMemory

/// Each set of accounts has one permanent key, which encrypts the secrets of one-time codes. The
/// settings table stores the id of this key, so that no host creates a second key and every host
/// can check its own key file.
extension AccountStore {
  static func keyID(in database: any AccountDatabase) throws(AccountStoreError) -> String? {
    try database.rows("SELECT value FROM settings WHERE name = 'key'") { $0.text(0) }.first
  }

  /// Checks the key file and the secrets encrypted with its key. A secret that the right key cannot
  /// decrypt is reported for its account.
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

  /// Decrypts an account's secret with the key of the key file. Throws `.damaged` if the key file
  /// has the key of these accounts but this key cannot decrypt the secret.
  func opened(
    _ secret: SealedSecret, of account: Int64, key: borrowing SecretBytes
  ) throws(AccountStoreError) -> OneTimeSecret {
    if !secret.isOpened(account: account, key: key), try Self.keyID(in: database) == KeyFile.id(of: key) {
      throw .damaged
    }
    return try secret.open(account: account, key: key)
  }

  /// Checks the key file without reading the secrets. Returns nil if it is usable, or if the
  /// accounts have no key yet.
  package func keyProblem() throws(AccountStoreError) -> KeyProblem? {
    guard let noted = try Self.keyID(in: database) else { return nil }
    do throws(AccountStoreError) {
      return KeyFile.id(of: try keyFile.read()) == noted ? nil : .invalid
    } catch {
      guard case .keyUnusable(let problem) = error else { throw error }
      return problem
    }
  }

  /// Returns the key of the accounts, creating it if there is none.
  func keyForSecrets() throws(AccountStoreError) -> SecretBytes {
    // Looked up each time: another process may have replaced the key, and the transaction that
    // stored its id may have been rolled back.
    if let noted = try Self.keyID(in: database) { return try key(with: noted) }
    let key = try newKey()
    try database.run(
      "INSERT INTO settings (name, value) VALUES ('key', ?1) ON CONFLICT (name) DO NOTHING",
      .text(KeyFile.id(of: key)))
    // Another host may have stored its key first.
    guard let noted = try Self.keyID(in: database), noted != KeyFile.id(of: key) else { return key }
    return try self.key(with: noted)
  }

  private func newKey() throws(AccountStoreError) -> SecretBytes {
    let isThere = try keyFile.readIfThere() != nil
    let key = try keyFile.make()
    if !isThere { madeKeyID = KeyFile.id(of: key) }
    return key
  }

  /// Returns the key in the key file, which must have this id.
  ///
  /// If this store and another host created a key at the same moment, the id may be that of the
  /// other host's key. In this case, removes this key file and throws. Nothing was encrypted with
  /// the key in it.
  private func key(with id: String) throws(AccountStoreError) -> SecretBytes {
    let key = try keyFile.read()
    let found = KeyFile.id(of: key)
    guard found != id else { return key }
    guard found == madeKeyID else { throw .keyUnusable(.invalid) }
    keyFile.remove()
    throw .keyUnusable(.missing)
  }

  /// Creates the key of the accounts if there is none, and returns its id.
  ///
  /// - Parameter replaces: Whether a lost key is replaced by the key in the key file or, if there
  ///   is none, by a new key. If there are encrypted secrets, which the replacement would make
  ///   unreadable, nothing is replaced and the result is nil.
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
