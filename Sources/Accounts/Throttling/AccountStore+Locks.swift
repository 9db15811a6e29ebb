/// What keeps an account from being used, and ends that.
extension AccountStore {
  /// Forgets all failures of an account, so that passwords and codes are checked again. Nil if there is no such account.
  public func unlock(identifier: String) throws(AccountStoreError) -> Account? {
    let key = NameKey(identifier: identifier)
    return try holding(identifierKey: key) { row throws(AccountStoreError) in
      let account = row.account
      try forget(try loginSubjects(of: account))
      try FailureCounts.clearCodes(of: account.id, in: database)
      return account
    }
  }

  /// Has nobody use an account from `now` (wall-clock milliseconds since 1970) on: no login, and no mailed code. Logins that wait for a code
  /// end. Nil if there is no such account.
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

  /// Lets a disabled account be used again. Nil if there is no such account.
  public func enable(identifier: String) throws(AccountStoreError) -> Account? {
    let key = NameKey(identifier: identifier)
    return try holding(identifierKey: key) { row throws(AccountStoreError) in
      let account = row.account
      try database.run("UPDATE accounts SET disabled_ms = NULL WHERE id = ?1", .integer(account.id))
      return account
    }
  }
}
