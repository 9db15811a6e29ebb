import SecretMemory

extension AccountStore {
  /// Sets a new password for the account with this email address if `code` is the mailed one, at
  /// `now` (wall-clock milliseconds since 1970). When `.done` is returned, the password is on disk
  /// and the user can log in at once.
  ///
  /// The attempt is counted before the code is checked. A text that cannot be a code is refused and
  /// not counted. This reveals nothing, because it depends only on the text.
  ///
  /// - Parameters:
  ///   - key: The idempotency key. If the password was set but the answer was lost, the same key
  ///     with the same address and password is accepted again.
  ///   - requester: The session, as in `requestReset`.
  public func resetPassword(
    email: String, code typed: UnsafeRawBufferPointer, password: UnsafeRawBufferPointer, key: String? = nil,
    requester: String? = nil, now: Int64
  ) throws(AccountStoreError) -> ResetOutcome {
    let now = Self.bounded(now)
    var refused: [RefusedValue] = []
    var name: NameKey?
    do throws(ValueProblem) { name = try EmailAddress(email).key } catch { refused.append(RefusedValue(.email, error)) }
    let isCode = ResetCode.normal(typed) != nil
    if !isCode { refused.append(RefusedValue(.resetCode, .invalid)) }
    // Without the code, the answer must not reveal whether there is an account or what it requires.
    let problem = try options.passwordRules.problem(newPassword: password)
    if let problem { refused.append(RefusedValue(.password, problem)) }
    guard refused.isEmpty, let name, let code = ResetCode.normal(typed) else { return .refused(refused) }

    try requirePepper()
    let address = try hashed(name)
    let admission = try database.transaction { () throws(AccountStoreError) in
      try admitReset(address, key: key, requester: requester, now: now)
    }
    switch admission {
    case .wait(let milliseconds): return .throttled(retryAfterMs: milliseconds)
    case .again(let row): return try repeated(row, password, now: now)
    case .verify(let account, let hash):
      let matches = try code.withBytes { bytes throws(AccountStoreError) in try verify(bytes, against: hash) }
      guard let account, matches, let owner = try self.account(id: account) else { return .rejected }
      if let problem = try self.problem(newPassword: password, of: owner) {
        // The code was right and stays usable for another password.
        try database.transaction { () throws(AccountStoreError) in
          try FailureCounts.clear(.ownResetAttempt(hash: address.hash), in: database)
        }
        return .refused([RefusedValue(.password, problem)])
      }
      return try replacePassword(of: account, address, codeHash: hash, password: password, key: key, now: now)
    }
  }

  private func repeated(
    _ row: AccountRow, _ password: UnsafeRawBufferPointer, now: Int64
  ) throws(AccountStoreError) -> ResetOutcome {
    switch try repetition(of: password, row, now: now) {
    case .same: row.isTaken(by: row.reset) ? .doneRemovingFactors : .done
    case .other: .rejected
    case .early(let wait): .throttled(retryAfterMs: wait)
    }
  }

  private enum Admission {
    case wait(Int64)
    /// The request is a repetition: a reset with the same idempotency key has already set the
    /// password of this account.
    case again(AccountRow)
    /// The typed code must be compared with `hash`: the hash of the mailed code, or one of the same
    /// cost if there is no valid code.
    case verify(account: Int64?, hash: String)
  }

  private func admitReset(
    _ address: HashedIdentifier, key: String?, requester: String?, now: Int64
  ) throws(AccountStoreError) -> Admission {
    if let row = try carriedOut(address, key: key) { return .again(row) }
    let code = try database.rows(
      "SELECT account, code_hash, issued_ms, requester FROM reset_codes WHERE address = ?1", .text(address.hash)
    ) { (account: $0.integer(0), hash: $0.text(1), issued: $0.integer(2), requester: $0.text(3)) }.first
    let usable = code.flatMap {
      $0.issued > now - ResetCode.lifetimeMs && $0.issued <= now + Throttle.tolerance ? $0 : nil
    }
    // A missing requester reads as an empty string, which no session has.
    let isRequester = requester.map { !$0.isEmpty && $0 == usable?.requester } ?? false
    let subject: FailureCounts.Subject =
      if usable == nil {
        .vainResetAttempt(hash: address.hash)
      } else if isRequester {
        .ownResetAttempt(hash: address.hash)
      } else {
        .otherResetAttempt(hash: address.hash)
      }
    let failures = FailureCounts(
      throttle: isRequester ? .ownResetAttempts : .otherResetAttempts,
      maximumUnknown: options.maximumUnknownIdentifiers)
    if let wait = try failures.count(subject, now: now, in: database) { return .wait(wait) }
    guard let usable else { return .verify(account: nil, hash: hashParameters + Self.noHash) }
    // SQLite reads the NULL of an unknown address as 0, which is not the id of an account.
    return .verify(account: usable.account == 0 ? nil : usable.account, hash: usable.hash)
  }

  /// Returns the account with this address if a reset with this idempotency key has already set its
  /// password.
  private func carriedOut(_ address: HashedIdentifier, key: String?) throws(AccountStoreError) -> AccountRow? {
    guard let key, let row = try row(identifierKey: address.key), row.isReset(by: key) else { return nil }
    return row
  }

  private func replacePassword(
    of account: Int64, _ address: HashedIdentifier, codeHash: String, password: UnsafeRawBufferPointer, key: String?,
    now: Int64
  ) throws(AccountStoreError) -> ResetOutcome {
    let hash = try newHash(of: password)
    let outcome = try holding(account) { _ throws(AccountStoreError) -> ResetOutcome? in
      // Of two concurrent attempts with the same code, only one still finds the row.
      try database.run(
        "DELETE FROM reset_codes WHERE address = ?1 AND code_hash = ?2 AND account = ?3", .text(address.hash),
        .text(codeHash), .integer(account))
      guard database.changes == 1 else { return nil }
      try database.run(
        """
        UPDATE accounts SET password_hash = ?1, password_expired = 0, registration = NULL, reset = ?2
        WHERE id = ?3 AND disabled_ms IS NULL
        """, .text(hash), key.map { .text($0) } ?? .null, .integer(account))
      guard database.changes == 1 else { return nil }
      guard let owner = try self.account(id: account) else { return nil }
      let takes = try proveAddress(of: owner, reset: key ?? "")
      try passwordChanged(of: owner)
      try forget(
        try loginSubjects(of: owner) + [
          .ownResetAttempt(hash: address.hash), .otherResetAttempt(hash: address.hash),
          .resetRequest(hash: address.hash),
        ])
      return takes ? .doneRemovingFactors : .done
    }
    if let outcome = outcome ?? nil { return outcome }
    // The attempt that used the code may have been this same reset, repeated with its idempotency
    // key.
    guard let row = try carriedOut(address, key: key) else { return .rejected }
    return try repeated(row, password, now: now)
  }
}
