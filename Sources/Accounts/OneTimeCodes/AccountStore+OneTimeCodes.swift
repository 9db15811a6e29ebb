import SecretMemory

/// The codes of an authenticator app (TOTP, RFC 6238) that an account demands after its password, from the first code that was right until
/// they are turned off.
extension AccountStore {
  /// The result of giving an account a secret.
  public enum Enrolment: Equatable, Sendable {
    /// The account demands codes from now on.
    case done
    /// This is not the secret's code of the time; nothing has changed.
    case wrongCode
    case noSuchAccount
  }

  /// Has an account demand codes of the secret, in place of a former one, if `code` shows at `now` (wall-clock milliseconds since 1970) that
  /// somebody has the secret. When `.done` is returned it is on disk. The code is used by that. It makes the key file if the accounts have no key yet.
  public func enrol(
    identifier: String, secret: OneTimeSecret, code: UnsafeRawBufferPointer, now: Int64
  ) throws(AccountStoreError) -> Enrolment {
    try enrol(identifier: identifier, passwordHash: nil, secret: secret, code: code, now: now)
  }

  /// - Parameter passwordHash: that of the account if the account must not have another password meanwhile, nor be disabled.
  func enrol(
    identifier: String, passwordHash: String?, secret: OneTimeSecret, code typed: UnsafeRawBufferPointer, now: Int64
  ) throws(AccountStoreError) -> Enrolment {
    let folded = NameKey(identifier: identifier)
    guard let step = Self.step(of: typed, secret, after: -1, now: Self.bounded(now)) else { return .wrongCode }
    let enrolment = try holding(identifierKey: folded) { row throws(AccountStoreError) -> Enrolment in
      let account = row.account
      if let passwordHash, !row.isCurrent(passwordHash) { return .noSuchAccount }
      let sealed = try SealedSecret(secret, account: account.id, key: try keyForSecrets())
      try database.run(
        """
        INSERT INTO one_time_codes (account, secret, step) VALUES (?1, ?2, ?3)
        ON CONFLICT (account) DO UPDATE SET secret = ?2, step = ?3, used = NULL
        """, .integer(account.id), .text(sealed.text), .integer(step))
      if passwordHash == nil { try requireCodes(of: account) }
      try FailureCounts.clearCodes(of: account.id, in: database)
      return .done
    }
    return enrolment ?? .noSuchAccount
  }

  /// Lets an account log in without one-time codes from now on. Nil if there is no such account.
  public func removeOneTimeCodes(identifier: String) throws(AccountStoreError) -> Account? {
    let key = NameKey(identifier: identifier)
    return try holding(identifierKey: key) { row throws(AccountStoreError) in
      let account = row.account
      try database.run("DELETE FROM one_time_codes WHERE account = ?1", .integer(account.id))
      try endRequirement(of: account)
      try FailureCounts.clearCodes(of: account.id, in: database)
      return account
    }
  }

  /// Uses a code for a login whose password was right, at `now` (wall-clock milliseconds since 1970). Unless the result is `.rejected`, the
  /// use is on disk when this returns.
  ///
  /// The codes of the step at that time, the one before and the one after are right, as long as no code of that step or a later one was
  /// used (RFC 6238, section 5.2). The attempt is counted together with wrong recovery codes, also if the text cannot be a code: each may end
  /// in a notice. `key` is the idempotency key: if the code was used but the answer was lost, the same key with the same code gets
  /// the same answer.
  public func useOneTimeCode(
    _ typed: UnsafeRawBufferPointer, for login: PendingLogin, key: String, now: Int64
  ) throws(AccountStoreError) -> CodeOutcome {
    let now = Self.bounded(now)
    // Read for each check: an idle service holds no key, and a key file that is put back works at
    // once.
    let fileKey = try keyFile.read()
    // Counting, checking and using are one transaction: if it fails, nothing was told about the code.
    let outcome = try holding(login.account.id) { account throws(AccountStoreError) -> CodeOutcome in
      guard account.isCurrent(login.passwordHash), let stored = try storedCodes(of: account.id) else { return .over }
      let secret = try opened(stored.secret, of: login.account.id, key: fileKey)
      let failures = FailureCounts(throttle: .recoveryAttempts, maximumUnknown: options.maximumUnknownIdentifiers)
      switch try failures.judge(.recovery(login.account.id), now: now, in: database) {
      case .wait(let wait): return .throttled(retryAfterMs: wait)
      case .locked: return .locked
      case .counted: break
      }
      // Counted as well: whoever knows a key must not be able to try codes.
      if stored.use == key {
        guard Self.step(of: typed, secret, in: stored.step...stored.step) != nil else { return .rejected }
        try FailureCounts.clearCodes(of: login.account.id, in: database)
        return try afterCode(login, now: now)
      }
      guard let step = Self.step(of: typed, secret, after: stored.step, now: now) else { return .rejected }
      // Whoever comes second changes no row, whatever the transactions do.
      try database.run(
        "UPDATE one_time_codes SET step = ?1, used = ?2 WHERE account = ?3 AND step < ?1", .integer(step), .text(key),
        .integer(login.account.id))
      guard database.changes == 1 else { return .rejected }
      try FailureCounts.clearCodes(of: login.account.id, in: database)
      return try afterCode(login, now: now)
    }
    return outcome ?? .over
  }

  private struct StoredCodes {
    let secret: SealedSecret
    /// The last step of which a code was used.
    let step: Int64
    /// The idempotency key of that use; empty if the use was the enrolment.
    let use: String
  }

  private func storedCodes(of account: Int64) throws(AccountStoreError) -> StoredCodes? {
    try database.rows("SELECT secret, step, used FROM one_time_codes WHERE account = ?1", .integer(account)) {
      StoredCodes(secret: SealedSecret(stored: $0.text(0)), step: $0.integer(1), use: $0.text(2))
    }.first
  }

  /// The step whose code this is, if none of it or a later one was used.
  private static func step(
    of typed: UnsafeRawBufferPointer, _ secret: OneTimeSecret, after used: Int64, now: Int64
  ) -> Int64? {
    let current = OneTimeCode.step(atMs: now)
    guard let step = step(of: typed, secret, in: max(0, current - 1)...(current + 1)), step > used else { return nil }
    return step
  }

  private static func step(
    of typed: UnsafeRawBufferPointer, _ secret: OneTimeSecret, in steps: ClosedRange<Int64>
  ) -> Int64? {
    guard let code = TypedCode.digits(typed, count: OneTimeCode.standard.digits) else { return nil }
    return secret.withBytes { OneTimeCode.standard.step(of: code, in: steps, secret: $0) }
  }
}
