import SecretMemory

/// The key of a typed name, and the hash of this key with the database's salt.
struct HashedIdentifier {
  let key: NameKey
  let hash: String

  /// A 32-bit number derived from the hash of a name.
  static func lot(of hash: String) -> UInt32 { hash.utf8.reduce(5381) { ($0 &* 33) ^ UInt32($1) } }

  /// A 64-bit number derived from the hash of a name: FNV-1a with the finaliser of MurmurHash3, so
  /// that any of its bits can be used alone.
  static func number(of hash: String) -> UInt64 {
    var number = hash.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    number = (number ^ number >> 33) &* 0xFF51_AFD7_ED55_8CCD
    number = (number ^ number >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return number ^ number >> 33
  }
}

extension AccountStore {
  func hashed(_ key: NameKey) throws(AccountStoreError) -> HashedIdentifier {
    HashedIdentifier(key: key, hash: try hasher.hash(text: key.text, setting: identifierSetting))
  }

  /// The subject under which failed logins with a name are counted. The work is the same whether or
  /// not an account has the name.
  func nameSubject(_ name: HashedIdentifier, of row: AccountRow?) -> FailureCounts.Subject {
    let hash = options.unknownNames.hash(name) { () throws(AccountStoreError) in try nameKey() }
    guard let row else { return .name(hash: hash) }
    return .ownName(row.account.id, isEmail: row.emailKey == name.key)
  }

  /// Returns the key with which unknown names are hashed. It is not stored in the database, but
  /// derived from the pepper. Without a pepper, it is derived from the key in the key file, which
  /// is created if it does not exist.
  private func nameKey() throws(AccountStoreError) -> SecretBytes {
    if let pepper { return pepper.key(for: UnknownNames.use) }
    let key = try keyForSecrets()
    return key.withBytes { CryptoKey.derived(from: $0, for: UnknownNames.use) }
  }

  /// All subjects under which failed logins of an account are counted.
  func loginSubjects(of account: Account) throws(AccountStoreError) -> [FailureCounts.Subject] {
    // In the order in which a login counts them, so that transactions on a server cannot deadlock.
    [
      .ownName(account.id, isEmail: true), .ownName(account.id, isEmail: false), .account(account.id),
      .proof(account.id),
    ]
  }

  /// Clears the failure counts of these subjects. Call in a transaction.
  func forget(_ subjects: [FailureCounts.Subject]) throws(AccountStoreError) {
    for subject in subjects { try FailureCounts.clear(subject, in: database) }
    options.deferredFailures.remove(subjects)
  }
}

extension PasswordHasher {
  /// Returns the hash of a text that is not a secret.
  package func hash(text: String, setting: String) throws(AccountStoreError) -> String {
    var text = text
    return try text.withUTF8 { utf8 in
      Result { () throws(AccountStoreError) in try hash(UnsafeRawBufferPointer(utf8), setting: setting) }
    }.get()
  }
}
