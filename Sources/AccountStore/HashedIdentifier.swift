/// The comparable form of a name, and the keyed hash under which failures with the name are counted.
struct HashedIdentifier {
  let key: NameKey
  let hash: String

  /// A number that is the same for the same hash.
  static func lot(of hash: String) -> UInt32 { hash.utf8.reduce(5381) { ($0 &* 33) ^ UInt32($1) } }
}

extension AccountStore {
  func hashed(_ key: NameKey) throws(AccountStoreError) -> HashedIdentifier {
    HashedIdentifier(key: key, hash: try hasher.hash(text: key.text, setting: identifierSetting))
  }

  /// All that failed logins of an account are counted under. `typed` spares hashing the name that was just typed once more.
  func loginSubjects(
    of account: Account, typed: HashedIdentifier? = nil
  ) throws(AccountStoreError) -> [FailureCounts.Subject] {
    var subjects: [FailureCounts.Subject] = []
    for key in [NameKey(identifier: account.email), NameKey(identifier: account.userName)] {
      if let typed, typed.key == key {
        subjects.append(.name(hash: typed.hash))
      } else {
        subjects.append(.name(hash: try hashed(key).hash))
      }
    }
    // In the order in which a login counts, so that on a server no two wait for each other.
    return subjects + [.account(account.id), .proof(account.id)]
  }

  /// Forgets failed logins. To be called in a transaction.
  func forget(_ subjects: [FailureCounts.Subject]) throws(AccountStoreError) {
    for subject in subjects { try FailureCounts.clear(subject, in: database) }
    options.deferredFailures.remove(subjects)
  }
}

extension PasswordHasher {
  /// The hash of a text that is no secret.
  package func hash(text: String, setting: String) throws(AccountStoreError) -> String {
    var text = text
    return try text.withUTF8 { utf8 in
      Result { () throws(AccountStoreError) in try hash(UnsafeRawBufferPointer(utf8), setting: setting) }
    }.get()
  }
}
