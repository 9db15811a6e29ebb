/// What administrators can do to accounts: find, remove and add them, and set or expire their
/// passwords. None of these operations is throttled.
extension AccountStore {
  /// Returns the account with this email address or user name.
  public func account(identifier: String) throws(AccountStoreError) -> Account? {
    let key = NameKey(identifier: identifier)
    return try row(identifierKey: key)?.account
  }

  /// Removes an account permanently, with its failure counts. Returns nil if there is no such
  /// account.
  public func remove(identifier: String) throws(AccountStoreError) -> Account? {
    try remove(identifier: identifier, passwordHash: nil)
  }

  /// - Parameter passwordHash: If not nil, the account is removed only if its password still has
  ///   this hash and the account is not disabled.
  func remove(identifier: String, passwordHash: String?) throws(AccountStoreError) -> Account? {
    let key = NameKey(identifier: identifier)
    let removed = try holding(identifierKey: key) { row throws(AccountStoreError) -> Account? in
      let account = row.account
      if let passwordHash, !row.isCurrent(passwordHash) { return nil }
      try database.run("DELETE FROM accounts WHERE id = ?1", .integer(account.id))
      try forget(try loginSubjects(of: account))
      try FailureCounts.clearCodes(of: account.id, in: database)
      try voidResetCodes(of: account)
      return account
    }
    return removed ?? nil
  }

  /// Creates an account. Unlike `register`, it is not throttled.
  public func add(
    email: String, userName: String, password: UnsafeRawBufferPointer, now: Int64
  ) throws(AccountStoreError) -> RegistrationOutcome {
    try register(
      email: email, userName: userName, password: password, attributes: nil, key: nil, limit: nil,
      now: Self.bounded(now))
  }

  /// The result of setting a password.
  public enum PasswordChange: Equatable, Sendable {
    case changed(Account)
    case noSuchAccount
    case refused(ValueProblem)
  }

  /// Sets the password of an account and clears its failure counts, so that the user can log in at
  /// once. Revokes mailed reset codes and remembered devices.
  public func setPassword(
    identifier: String, password: UnsafeRawBufferPointer
  ) throws(AccountStoreError) -> PasswordChange {
    let key = NameKey(identifier: identifier)
    guard let owner = try row(identifierKey: key)?.account else { return .noSuchAccount }
    if let problem = try problem(newPassword: password, of: owner) { return .refused(problem) }
    let hash = try newHash(of: password)
    let changed = try holding(identifierKey: key) { row throws(AccountStoreError) -> Account in
      let account = row.account
      try database.run(
        """
        UPDATE accounts SET password_hash = ?1, password_expired = 0, registration = NULL, reset = NULL WHERE id = ?2
        """, .text(hash), .integer(account.id))
      try forget(try loginSubjects(of: account))
      try passwordChanged(of: account)
      return account
    }
    return changed.map { .changed($0) } ?? .noSuchAccount
  }

  /// Marks the password of an account as expired: after the next login, the user must choose a new
  /// password. Returns nil if there is no such account.
  public func expirePassword(identifier: String) throws(AccountStoreError) -> Account? {
    let key = NameKey(identifier: identifier)
    return try holding(identifierKey: key) { row throws(AccountStoreError) in
      try database.run("UPDATE accounts SET password_expired = 1 WHERE id = ?1", .integer(row.account.id))
      return row.account
    }
  }
}
