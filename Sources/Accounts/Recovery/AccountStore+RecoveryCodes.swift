import SecretMemory

/// Recovery codes. As soon as an account has recovery codes, its logins require a second factor
/// after the password, until the codes are turned off. Its logins require a second factor even when
/// all codes are used; an account without another second factor then needs new codes from an
/// administrator.
extension AccountStore {
  /// Replaces the codes of an account with `count` new ones (limited by `RecoveryCode.counts`).
  /// When this returns, their hashes are on disk. Returns nil if there is no such account.
  public func printRecoveryCodes(identifier: String, count: Int) throws(AccountStoreError) -> PrintedCodes? {
    guard let account = try account(identifier: identifier) else { return nil }
    let codes = try prepareRecoveryCodes(for: account, count: count)
    return try store(codes) ? codes.printed : nil
  }

  /// Like `printRecoveryCodes(identifier:count:)`. Returns nil if the account was removed or
  /// disabled, or has another password.
  public func printRecoveryCodes(for owner: AccountOwner, count: Int) throws(AccountStoreError) -> PrintedCodes? {
    let codes = try prepareRecoveryCodes(for: owner.account, count: count)
    return try store(codes, passwordHash: owner.passwordHash) ? codes.printed : nil
  }

  /// Returns the account's owner and the number of recovery codes if the account has recovery codes
  /// and all of them are used. Otherwise returns nil.
  public func spentRecoveryCodes(of account: Account) throws(AccountStoreError) -> (owner: AccountOwner, count: Int)? {
    let found = try database.rows(
      """
      SELECT password_hash, (SELECT count(*) FROM recovery_codes WHERE account = ?1),
        (SELECT count(*) FROM recovery_codes WHERE account = ?1 AND used IS NULL) FROM accounts WHERE id = ?1
      """, .integer(account.id)
    ) { (hash: $0.text(0), count: $0.integer(1), left: $0.integer(2)) }.first
    guard let found, found.count > 0, found.left == 0 else { return nil }
    return (AccountOwner(account: account, passwordHash: found.hash), Int(found.count))
  }

  /// Generates `count` new codes (limited by `RecoveryCode.counts`), which are not valid until they
  /// are stored.
  public func prepareRecoveryCodes(for account: Account, count: Int) throws(AccountStoreError) -> PreparedCodes {
    let count = min(max(count, RecoveryCode.counts.lowerBound), RecoveryCode.counts.upperBound)
    let setting = try PasswordHasher.setting(cost: options.hashCost)
    var characters = SecretBytes()
    var hashes: [String] = []
    for _ in 0..<count {
      let code = RecoveryCode.fresh()
      hashes.append(try code.withBytes { bytes throws(AccountStoreError) in try hasher.hash(bytes, setting: setting) })
      code.withBytes { characters.append($0) }
    }
    return PreparedCodes(
      printed: PrintedCodes(account: account, count: count, characters: characters), hashes: hashes)
  }

  /// Replaces the codes of an account with prepared ones. Returns false if the account was removed
  /// or, if `passwordHash` is given, was disabled or has another password.
  func store(_ codes: PreparedCodes, passwordHash: String? = nil) throws(AccountStoreError) -> Bool {
    let account = codes.printed.account
    let isStored = try holding(account.id) { held throws(AccountStoreError) in
      if let passwordHash, !held.isCurrent(passwordHash) { return false }
      try database.run("DELETE FROM recovery_codes WHERE account = ?1", .integer(account.id))
      for hash in codes.hashes {
        try database.run(
          "INSERT INTO recovery_codes (account, code_hash) VALUES (?1, ?2)", .integer(account.id), .text(hash))
      }
      if passwordHash == nil { try requireCodes(of: account) }
      try FailureCounts.clearCodes(of: account.id, in: database)
      return true
    }
    return isStored ?? false
  }

  /// Removes the requirement of recovery codes from an account. Returns nil if there is no such
  /// account.
  public func removeRecoveryCodes(identifier: String) throws(AccountStoreError) -> Account? {
    let key = NameKey(identifier: identifier)
    return try holding(identifierKey: key) { row throws(AccountStoreError) in
      let account = row.account
      try database.run("DELETE FROM recovery_codes WHERE account = ?1", .integer(account.id))
      try endRequirement(of: account)
      try FailureCounts.clearCodes(of: account.id, in: database)
      return account
    }
  }

  /// Uses a recovery code for a login whose password was right, at `now` (wall-clock milliseconds
  /// since 1970). If the code is accepted, its use is on disk when this returns.
  ///
  /// The attempt is counted before the code is checked. After a hundred wrong codes, none is
  /// checked until new ones are printed, another kind of factor succeeds, or an administrator
  /// unlocks the account. A text that cannot be a code is treated like a wrong code.
  ///
  /// - Parameter key: The idempotency key. If the code was used but the answer was lost, the same
  ///   key with the same code gets the same answer, and no other code is used. Such a repetition is
  ///   counted like any other attempt.
  public func useRecoveryCode(
    _ typed: UnsafeRawBufferPointer, for login: PendingLogin, key: String, now: Int64
  ) throws(AccountStoreError) -> CodeOutcome {
    let now = Self.bounded(now)
    let admission = try holding(login.account.id) { account throws(AccountStoreError) in
      try admitRecovery(login, account, key: key, now: now)
    }
    switch admission ?? .over {
    case .wait(let milliseconds): return .throttled(retryAfterMs: milliseconds)
    case .locked: return .locked
    case .over: return .over
    case .compare(let stored, let setting):
      // Whether the text can be a code, and the time of finding out, depend on the text alone.
      guard let code = RecoveryCode.normal(typed) else { return .rejected }
      let hash = try code.withBytes { bytes throws(AccountStoreError) in try hasher.hash(bytes, setting: setting) }
      // Constant time: all codes are compared to their end, including used ones.
      let match = stored.reduce(nil as StoredCode?) { PasswordHasher.isSame(hash, $1.hash) ? $1 : $0 }
      let outcome = try holding(login.account.id) { account throws(AccountStoreError) in
        try use(match, of: login, account, key: key, now: now)
      }
      return outcome ?? .over
    }
  }

  /// Returns which code was used by the attempt with this idempotency key. Nil if that attempt has
  /// used none.
  public func recoveryCodeUse(key: String, of account: Account) throws(AccountStoreError) -> RecoveryCodeUse? {
    let uses = try database.rows(
      "SELECT used FROM recovery_codes WHERE account = ?1 ORDER BY id", .integer(account.id)
    ) { $0.text(0) }
    guard let index = uses.firstIndex(of: key) else { return nil }
    return RecoveryCodeUse(number: index + 1, count: uses.count, left: uses.count { $0.isEmpty })
  }

  private struct StoredCode {
    let id: Int64
    let hash: String
  }

  private enum RecoveryAdmission {
    case wait(Int64)
    case locked
    case over
    /// The code must be compared with these hashes, which all have the same setting.
    case compare([StoredCode], setting: String)
  }

  private func admitRecovery(
    _ login: PendingLogin, _ account: HeldAccount, key: String, now: Int64
  ) throws(AccountStoreError) -> RecoveryAdmission {
    guard account.isCurrent(login.passwordHash) else { return .over }
    let all = try database.rows(
      "SELECT id, code_hash, used FROM recovery_codes WHERE account = ?1 ORDER BY id", .integer(login.account.id)
    ) { (code: StoredCode(id: $0.integer(0), hash: $0.text(1)), use: $0.text(2)) }
    guard let setting = all.first?.code.hash else { return .over }
    var throttle = Throttle.recoveryAttempts
    throttle.limit = nil
    let failures = FailureCounts(throttle: throttle, maximumUnknown: options.maximumUnknownIdentifiers)
    let own = FailureCounts(throttle: .recoveryCodes, maximumUnknown: options.maximumUnknownIdentifiers)
    let subject = FailureCounts.Subject.recoveryCode(login.account.id)
    if try own.isLocked(subject, now: now, in: database) { return .locked }
    if let wait = try failures.count(.recovery(login.account.id), now: now, in: database) { return .wait(wait) }
    // A concurrent attempt may have been the hundredth meanwhile.
    guard try own.countWithoutWait(subject, now: now, in: database) else { return .locked }
    // If this attempt was committed before, only the code that it used is compared.
    let again = all.filter { $0.use == key }
    return .compare((again.isEmpty ? all : again).map(\.code), setting: setting)
  }

  /// Marks a code as used. For a wrong code, the same statements run with the id 0, which no code
  /// has. If the login ended while the code was compared, the attempt does not count as a failure.
  private func use(
    _ code: StoredCode?, of login: PendingLogin, _ account: HeldAccount, key: String, now: Int64
  ) throws(AccountStoreError) -> CodeOutcome {
    guard account.isCurrent(login.passwordHash) else {
      try FailureCounts.takeBack(.recovery(account.id), in: database)
      try FailureCounts.takeBack(.recoveryCode(account.id), in: database)
      return .over
    }
    try database.run(
      "UPDATE recovery_codes SET used = ?1 WHERE id = ?2 AND account = ?3 AND (used IS NULL OR used = ?1)", .text(key),
      .integer(code?.id ?? 0), .integer(login.account.id))
    guard database.changes == 1 else {
      let has = try database.rows("SELECT id FROM recovery_codes WHERE account = ?1 LIMIT 1", .integer(account.id)) {
        _ in 0
      }
      return has.isEmpty ? .over : .rejected
    }
    try FailureCounts.clearCodes(of: login.account.id, in: database)
    return try afterCode(login, now: now)
  }
}
