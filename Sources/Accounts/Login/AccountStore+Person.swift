/// The result of asking a logged-in user for the password again.
public enum ProofOutcome: Equatable, Sendable {
  /// The password is right, and the account requires nothing more. The value authorises changes of
  /// the account.
  case proven(PendingLogin)
  /// The password is right, and the account requires a code.
  case pending(PendingLogin)
  case rejected
  /// There were too many attempts; the password was not checked. The next attempt is checked after
  /// `retryAfterMs` milliseconds.
  case throttled(retryAfterMs: Int64)
  /// There were so many wrong passwords that none is checked any more until the user logs in again
  /// or gets a new password.
  case locked
  /// An administrator has disabled the account.
  case disabled
  /// The account does not exist any more.
  case gone
}

/// Changes that a logged-in user makes to the user's own account. Each change needs a proof, which
/// is a pending login that has met all demands except, perhaps, the demand for a new password. A
/// proof becomes invalid when the password changes.
extension AccountStore {
  /// Checks the password of a logged-in user, at `now` (wall-clock milliseconds since 1970).
  /// `principal` is the user name or email address.
  ///
  /// Wrong passwords are counted separately from those of logins, so that someone who is not logged
  /// in cannot use up the user's attempts.
  public func prove(
    principal: String, password: UnsafeRawBufferPointer, now: Int64
  ) throws(AccountStoreError) -> ProofOutcome {
    let now = Self.bounded(now)
    let key = NameKey(identifier: principal)
    // Checked before the attempt is counted: a missing pepper is not a wrong password.
    try requirePepper()
    // If the password changes while it is checked, the check is repeated against the new one.
    for _ in 0..<Self.maximumAttempts {
      let (found, verdict) = try database.transaction {
        () throws(AccountStoreError) -> (AccountRow?, FailureCounts.Verdict) in
        guard let row = try row(identifierKey: key) else { return (nil, .locked) }
        let failures = FailureCounts(throttle: .proofs, maximumUnknown: options.maximumUnknownIdentifiers)
        return (row, try failures.judge(.proof(row.account.id), now: now, in: database))
      }
      guard let row = found else { return .gone }
      switch verdict {
      case .wait(let wait): return .throttled(retryAfterMs: wait)
      case .locked: return .locked
      case .counted: break
      }
      guard AccountValues.problem(password: password) == nil,
        try match(password, row.passwordHash) != .none
      else { return .rejected }
      if let outcome = try proof(of: row, now: now) { return outcome }
    }
    return .rejected
  }

  /// Returns the outcome of `prove` after the password was right. Nil if the account was removed or
  /// its password hash changed while the password was checked.
  private func proof(of row: AccountRow, now: Int64) throws(AccountStoreError) -> ProofOutcome? {
    let outcome = try holding(row.account.id) { held throws(AccountStoreError) -> ProofOutcome? in
      guard held.passwordHash == row.passwordHash else {
        // The repeated check counts the attempt again.
        try FailureCounts.takeBack(.proof(held.id), in: database)
        return nil
      }
      guard !held.isDisabled else { return .disabled }
      try FailureCounts.clear(.proof(held.id), in: database)
      switch try self.outcome(of: row, passwordHash: row.passwordHash, SecondFactors(now: now)) {
      case .pending(let login) where login.demand != .newPassword: return .pending(login)
      case .accepted, .pending:
        return .proven(PendingLogin(provenBy: row.account, passwordHash: row.passwordHash, passwordMs: now))
      default: return .gone
      }
    }
    return outcome ?? nil
  }

  /// Whether an earlier request with this idempotency key has already set the account's password to
  /// `password`. If so, only the answer to that request was lost.
  public func hasSetPassword(
    principal: String, key: String, password: UnsafeRawBufferPointer, now: Int64
  ) throws(AccountStoreError) -> Bool {
    guard let row = try row(identifierKey: NameKey(identifier: principal)), row.isReset(by: key),
      AccountValues.problem(password: password) == nil
    else { return false }
    // A throttled comparison needs no special result: the check that follows uses the same count.
    return try repetition(of: password, row, now: Self.bounded(now)) == .same
  }

  /// Like `enrol(identifier:secret:code:now:)`. Returns `.noSuchAccount` if the proof is no longer
  /// valid.
  public func enrol(
    by proof: PendingLogin, secret: OneTimeSecret, code: UnsafeRawBufferPointer, now: Int64
  ) throws(AccountStoreError) -> Enrolment {
    guard try isCurrent(proof) else { return .noSuchAccount }
    return try enrol(
      identifier: proof.account.userName, passwordHash: proof.passwordHash, secret: secret, code: code, now: now)
  }

  /// Removes the one-time codes of the account, and also the recovery codes that back them up,
  /// because otherwise every login would use up a recovery code. Returns false if the proof is no
  /// longer valid or there are no one-time codes.
  public func removeOneTimeCodes(by proof: PendingLogin) throws(AccountStoreError) -> Bool {
    let isRemoved = try holding(proof.account.id) { held throws(AccountStoreError) in
      guard held.isCurrent(proof.passwordHash) else { return false }
      let account = SQLValue.integer(held.id)
      try database.run("DELETE FROM one_time_codes WHERE account = ?1", account)
      guard database.changes == 1 else { return false }
      try database.run("DELETE FROM recovery_codes WHERE account = ?1", account)
      try endRequirement(of: proof.account)
      try FailureCounts.clearCodes(of: proof.account.id, in: database)
      return true
    }
    return isRemoved ?? false
  }

  /// Whether the account requires one-time codes.
  public func hasOneTimeCodes(_ proof: PendingLogin) throws(AccountStoreError) -> Bool {
    try !database.rows("SELECT 1 FROM one_time_codes WHERE account = ?1", .integer(proof.account.id)) {
      $0.integer(0)
    }.isEmpty
  }

  /// Replaces the recovery codes of the account with prepared ones. Returns false if the proof is
  /// no longer valid.
  public func storeRecoveryCodes(_ codes: PreparedCodes, by proof: PendingLogin) throws(AccountStoreError) -> Bool {
    try store(codes, passwordHash: proof.passwordHash)
  }

  /// Removes the account permanently. Returns false if the proof is no longer valid.
  public func delete(by proof: PendingLogin) throws(AccountStoreError) -> Bool {
    try remove(identifier: proof.account.userName, passwordHash: proof.passwordHash) != nil
  }
}
