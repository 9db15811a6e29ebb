import SecretMemory

extension AccountStore {
  /// Sets another password for the account with this email address if `code` is the one that was mailed, at `now`
  /// (wall-clock milliseconds since 1970). When `.done` is returned it is on disk, and the account can log in at once.
  ///
  /// A try is counted before the code is looked at. A code that cannot be one is refused without counting: that depends on
  /// nothing but what was typed. `key` names this reset for good: if it was carried out but its answer was lost, the same
  /// key with the same address and password is done again, as a registration is.
  public func resetPassword(
    email: String, code typed: UnsafeRawBufferPointer, password: UnsafeRawBufferPointer, key: String? = nil, now: Int64
  ) throws(AccountStoreError) -> ResetOutcome {
    let now = Self.bounded(now)
    var refused: [RefusedValue] = []
    if let problem = AccountValues.problem(email: email) { refused.append(RefusedValue(.email, problem)) }
    let isCode = ResetCode.normal(typed) != nil
    if !isCode { refused.append(RefusedValue(.resetCode, .invalid)) }
    if let problem = AccountValues.problem(newPassword: password) { refused.append(RefusedValue(.password, problem)) }
    guard refused.isEmpty, let code = ResetCode.normal(typed) else { return .refused(refused) }

    let address = try hashed(email)
    let admission = try database.transaction { () throws(AccountStoreError) in
      try admitReset(address, key: key, now: now)
    }
    switch admission {
    case .wait(let milliseconds): return .throttled(retryAfterMs: milliseconds)
    case .again(let row): return try hasher.verify(password, against: row.passwordHash) ? .done : .rejected
    case .verify(let account, let hash):
      let matches = try code.withBytes { bytes throws(AccountStoreError) in try hasher.verify(bytes, against: hash) }
      guard let account, matches else { return .rejected }
      return try replacePassword(of: account, address, codeHash: hash, password: password, key: key)
    }
  }

  private enum Admission {
    case wait(Int64)
    /// This very reset, committed before.
    case again(AccountRow)
    /// Compare with this hash: that of the code which was mailed to the account, or for want of one another that costs
    /// as much.
    case verify(account: Int64?, hash: String)
  }

  private func admitReset(
    _ address: HashedIdentifier, key: String?, now: Int64
  ) throws(AccountStoreError) -> Admission {
    if let row = try carriedOut(address, key: key) { return .again(row) }
    let tries = Tries(throttle: .resetTries, maximumUnknown: options.maximumUnknownIdentifiers)
    if let wait = try tries.count(.resetTry(hash: address.hash), now: now, in: database) { return .wait(wait) }
    let usable = try database.rows(
      """
      SELECT account, code_hash FROM reset_codes WHERE address = ?1 AND tries < ?2 AND issued_ms > ?3 AND issued_ms <= ?4
      """, .text(address.hash), .integer(ResetCode.maximumTries), .integer(now - ResetCode.lifetimeMs),
      .integer(now + Throttle.tolerance)
    ) { (account: $0.integer(0), hash: $0.text(1)) }.first
    guard let usable else { return .verify(account: nil, hash: currentParameters + "......................") }
    try database.run("UPDATE reset_codes SET tries = tries + 1 WHERE address = ?1", .text(address.hash))
    // No account has the id 0, which is what SQLite makes of the null in a row for nobody's address.
    return .verify(account: usable.account == 0 ? nil : usable.account, hash: usable.hash)
  }

  /// The account whose password this very reset has set.
  private func carriedOut(_ address: HashedIdentifier, key: String?) throws(AccountStoreError) -> AccountRow? {
    guard let key, let row = try row(identifierKey: address.key), row.reset == key else { return nil }
    return row
  }

  private func replacePassword(
    of account: Int64, _ address: HashedIdentifier, codeHash: String, password: UnsafeRawBufferPointer, key: String?
  ) throws(AccountStoreError) -> ResetOutcome {
    let hash = try hasher.hash(password, setting: try PasswordHasher.setting(cost: options.hashCost))
    let isFirst = try database.transaction { () throws(AccountStoreError) in
      // Of two that have tried the same code at once only one still finds it.
      try database.run(
        "DELETE FROM reset_codes WHERE address = ?1 AND code_hash = ?2", .text(address.hash), .text(codeHash))
      guard database.changes == 1 else { return false }
      try database.run(
        """
        UPDATE accounts SET password_hash = ?1, password_expired = 0, registration = NULL, reset = ?2 WHERE id = ?3
        """, .text(hash), key.map { .text($0) } ?? .null, .integer(account))
      guard database.changes == 1 else { return false }
      for subject in [Tries.Subject.account(account), .resetTry(hash: address.hash), .resetRequest(hash: address.hash)]
      {
        try Tries.clear(subject, in: database)
      }
      return true
    }
    if isFirst { return .done }
    // The other may have been this same reset, asked for twice.
    guard let row = try carriedOut(address, key: key) else { return .rejected }
    return try hasher.verify(password, against: row.passwordHash) ? .done : .rejected
  }
}
