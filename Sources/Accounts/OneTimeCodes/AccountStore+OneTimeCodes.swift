import SecretMemory

/// One-time codes of an authenticator app (TOTP, RFC 6238). An account requires them after the
/// password, from its enrolment until they are turned off.
extension AccountStore {
  /// The result of enrolling an account for one-time codes.
  public enum Enrolment: Equatable, Sendable {
    /// The account requires codes from now on.
    case done
    /// The code is not the current code of the secret; nothing has changed.
    case wrongCode
    case noSuchAccount
  }

  /// Enrols an account for one-time codes, replacing an earlier secret, if `code` is a code of the
  /// secret at `now` (wall-clock milliseconds since 1970). The code proves that the user has the
  /// secret, and is then used up.
  ///
  /// When `.done` is returned, the secret is on disk. Creates the key file if the accounts have no
  /// key yet.
  public func enrol(
    identifier: String, secret: OneTimeSecret, code: UnsafeRawBufferPointer, now: Int64
  ) throws(AccountStoreError) -> Enrolment {
    try enrol(identifier: identifier, passwordHash: nil, secret: secret, code: code, now: now)
  }

  /// - Parameter passwordHash: If not nil, the account is enrolled only if it still has this hash
  ///   and is not disabled.
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

  /// Removes the requirement of one-time codes from an account. Returns nil if there is no such
  /// account.
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

  /// Uses a code for a login whose password was right, at `now` (wall-clock milliseconds since
  /// 1970). If the code is accepted, its use is on disk when this returns.
  ///
  /// Accepts the code of the current step, of the step before it and of the step after it. Refuses
  /// a code if a code of its own step or of a later step was used before (RFC 6238, section 5.2).
  /// Each attempt is counted together with wrong recovery codes, even if the text cannot be a code,
  /// because each attempt may cause a notice to the user.
  ///
  /// - Parameter key: The idempotency key. If the code was used but the answer was lost, the same
  ///   key with the same code gets the same answer.
  public func useOneTimeCode(
    _ typed: UnsafeRawBufferPointer, for login: PendingLogin, key: String, now: Int64
  ) throws(AccountStoreError) -> CodeOutcome {
    let now = Self.bounded(now)
    // Read for each check: an idle service holds no key, and a key file that is put back works at
    // once.
    let fileKey = try keyFile.read()
    // One transaction for counting, checking and using: if it fails, nothing was revealed about the
    // code.
    let outcome = try holding(login.account.id) { account throws(AccountStoreError) -> CodeOutcome in
      guard account.isCurrent(login.passwordHash), let stored = try storedCodes(of: account.id) else { return .over }
      let secret = try opened(stored.secret, of: login.account.id, key: fileKey)
      let failures = FailureCounts(throttle: .recoveryAttempts, maximumUnknown: options.maximumUnknownIdentifiers)
      switch try failures.judge(.recovery(login.account.id), now: now, in: database) {
      case .wait(let wait): return .throttled(retryAfterMs: wait)
      case .locked: return .locked
      case .counted: break
      }
      // Counted as well: knowing an idempotency key must not allow guessing codes.
      if stored.use == key {
        guard Self.step(of: typed, secret, in: stored.step...stored.step) != nil else { return .rejected }
        try FailureCounts.clearCodes(of: login.account.id, in: database)
        return try afterCode(login, now: now)
      }
      guard let step = Self.step(of: typed, secret, after: stored.step, now: now) else { return .rejected }
      // The second of two concurrent uses changes no row, whatever the isolation level.
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
    /// The last step whose code was used.
    let step: Int64
    /// The idempotency key of the request that used the last code. Empty if the enrolment used it.
    let use: String
  }

  private func storedCodes(of account: Int64) throws(AccountStoreError) -> StoredCodes? {
    try database.rows("SELECT secret, step, used FROM one_time_codes WHERE account = ?1", .integer(account)) {
      StoredCodes(secret: SealedSecret(stored: $0.text(0)), step: $0.integer(1), use: $0.text(2))
    }.first
  }

  /// Returns the step of the code. Nil if the code is wrong, or if a code of that step or a later
  /// one was used.
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
