/// Locking and disabling of accounts.
extension AccountStore {
  /// Clears all failure counts of an account, so that passwords and codes are checked again.
  /// Returns nil if there is no such account.
  public func unlock(identifier: String) throws(AccountStoreError) -> Account? {
    let key = NameKey(identifier: identifier)
    return try holding(identifierKey: key) { row throws(AccountStoreError) in
      let account = row.account
      try forget(try loginSubjects(of: account))
      try FailureCounts.clearCodes(of: account.id, in: database)
      return account
    }
  }

  /// Disables an account from `now` (wall-clock milliseconds since 1970) on: it allows no login and
  /// no mailed codes. Pending logins end. Returns nil if there is no such account.
  public func disable(identifier: String, now: Int64) throws(AccountStoreError) -> Account? {
    let key = NameKey(identifier: identifier)
    return try holding(identifierKey: key) { row throws(AccountStoreError) in
      let account = row.account
      try database.run(
        "UPDATE accounts SET disabled_ms = coalesce(disabled_ms, ?1) WHERE id = ?2", .integer(Self.bounded(now)),
        .integer(account.id))
      try voidResetCodes(of: account)
      return account
    }
  }

  /// Enables a disabled account. Returns nil if there is no such account.
  public func enable(identifier: String) throws(AccountStoreError) -> Account? {
    let key = NameKey(identifier: identifier)
    return try holding(identifierKey: key) { row throws(AccountStoreError) in
      let account = row.account
      try database.run("UPDATE accounts SET disabled_ms = NULL WHERE id = ?1", .integer(account.id))
      return account
    }
  }
}
