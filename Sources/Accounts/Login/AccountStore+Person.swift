/// The result of asking a person who is in for the password once more.
public enum ProofOutcome: Equatable, Sendable {
  /// Nothing more is asked for: changes can be made with this.
  case proven(PendingLogin)
  /// The password is right, and a code is asked for.
  case pending(PendingLogin)
  case rejected
  /// Too many attempts; the password was not checked. Milliseconds until the next attempt counts.
  case throttled(retryAfterMs: Int64)
  /// There were so many wrong passwords that none is checked any more, until the person logs in anew or gets another password.
  case locked
  /// An administrator has disabled the account.
  case disabled
  /// There is no such account (any more).
  case gone
}

/// What a person who is in changes about the own account. Each change needs a proof: a login that has met all demands but, perhaps, another
/// password. A proof ends with the password that it was given with.
extension AccountStore {
  /// Checks the password of the person whose user name or email address `principal` is, at `now` (wall-clock milliseconds since 1970).
  ///
  /// Wrong ones are counted apart from those of logins, so that nobody who is not in can use up the person's tries.
  public func prove(
    principal: String, password: UnsafeRawBufferPointer, now: Int64
  ) throws(AccountStoreError) -> ProofOutcome {
    let now = Self.bounded(now)
    let key = NameKey(identifier: principal)
    // Before the try is counted: without the pepper it is no wrong password.
    try requirePepper()
    // Where the password became another one while it was looked at, this comes after that.
    for _ in 0..<Self.mostTries {
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

  /// What a right password proves. Nil if the account is gone or has another hash meanwhile.
  private func proof(of row: AccountRow, now: Int64) throws(AccountStoreError) -> ProofOutcome? {
    let outcome = try holding(row.account.id) { held throws(AccountStoreError) -> ProofOutcome? in
      guard held.passwordHash == row.passwordHash else {
        // It is counted anew.
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

  /// Whether this change was carried out before and only its answer was lost: whether the account's password was set by the change of this
  /// key, and is `password`.
  public func hasSetPassword(
    principal: String, key: String, password: UnsafeRawBufferPointer, now: Int64
  ) throws(AccountStoreError) -> Bool {
    guard let row = try row(identifierKey: NameKey(identifier: principal)), row.isReset(by: key),
      AccountValues.problem(password: password) == nil
    else { return false }
    // Too early is told by what follows, which counts the same tries.
    return try repetition(of: password, row, now: Self.bounded(now)) == .same
  }

  /// As `enrol(identifier:secret:code:now:)`. `.noSuchAccount` if the proof is over.
  public func enrol(
    by proof: PendingLogin, secret: OneTimeSecret, code: UnsafeRawBufferPointer, now: Int64
  ) throws(AccountStoreError) -> Enrolment {
    guard try isCurrent(proof) else { return .noSuchAccount }
    return try enrol(
      identifier: proof.account.userName, passwordHash: proof.passwordHash, secret: secret, code: code, now: now)
  }

  /// Lets the person log in without one-time codes, and without the recovery codes that stood in for them: otherwise every login would use
  /// one up. Returns false if the proof is over, or there were no one-time codes.
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

  /// Whether the account asks for one-time codes.
  public func hasOneTimeCodes(_ proof: PendingLogin) throws(AccountStoreError) -> Bool {
    try !database.rows("SELECT 1 FROM one_time_codes WHERE account = ?1", .integer(proof.account.id)) {
      $0.integer(0)
    }.isEmpty
  }

  /// Puts codes that were made before in place of the former ones. Returns false if the proof is over.
  public func storeRecoveryCodes(_ codes: PreparedCodes, by proof: PendingLogin) throws(AccountStoreError) -> Bool {
    try store(codes, passwordHash: proof.passwordHash)
  }

  /// Removes the account for good. Returns false if the proof is over.
  public func delete(by proof: PendingLogin) throws(AccountStoreError) -> Bool {
    try remove(identifier: proof.account.userName, passwordHash: proof.passwordHash) != nil
  }
}
