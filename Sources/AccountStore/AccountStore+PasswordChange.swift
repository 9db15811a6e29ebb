/// The result of changing a password with the current one.
public enum PasswordChangeOutcome: Equatable, Sendable {
  case changed(Account)
  /// The current password is wrong.
  case rejected
  /// Too many attempts; the current password was not checked. Milliseconds until the next attempt counts.
  case throttled(retryAfterMs: Int64)
  /// What is wrong with the new password.
  case refused(ValueProblem)
  /// The account is gone, or got another password meanwhile.
  case over
}

extension AccountStore {
  /// Sets another password for an account whose person is in and types the current one, at `now` (wall-clock milliseconds since 1970).
  /// When `.changed` is returned it is on disk. It ends the expiry, mailed reset codes and logins that wait for a code.
  ///
  /// Wrong current passwords are counted apart from those of logins, so that nobody else can use up the person's tries: after the fifth
  /// the next one has to wait. `key` is the idempotency key: if the password was changed but the answer was lost, the same key with the
  /// same new password gets the same answer.
  public func changePassword(
    of account: Int64, from current: UnsafeRawBufferPointer, to new: UnsafeRawBufferPointer, key: String, now: Int64
  ) throws(AccountStoreError) -> PasswordChangeOutcome {
    let now = Self.bounded(now)
    guard AccountValues.problem(password: current) == nil else { return .rejected }
    guard let owner = try self.account(id: account) else { return .over }
    if let problem = try problem(newPassword: new, of: owner) { return .refused(problem) }
    try requirePepper()
    let subject = FailureCounts.Subject.passwordChange(account)
    let failures = FailureCounts(throttle: .passwordChanges, maximumUnknown: options.maximumUnknownIdentifiers)
    let (row, wait) = try database.transaction { () throws(AccountStoreError) -> (AccountRow?, Int64?) in
      guard let row = try self.row(id: account) else { return (nil, nil) }
      return (row, row.isReset(by: key) ? nil : try failures.count(subject, now: now, in: database))
    }
    guard let row else { return .over }
    if row.isReset(by: key) { return try match(new, row.passwordHash) == .none ? .over : .changed(row.account) }
    if let wait { return .throttled(retryAfterMs: wait) }
    guard try match(current, row.passwordHash) != .none else { return .rejected }
    let isUnchanged = try match(new, row.passwordHash) != .none
    let hash = isUnchanged ? row.passwordHash : try newHash(of: new)
    return try database.transaction { () throws(AccountStoreError) -> PasswordChangeOutcome in
      try FailureCounts.clear(subject, in: database)
      guard !isUnchanged else { return .refused(.unchanged) }
      try database.run(
        """
        UPDATE accounts SET password_hash = ?1, password_expired = 0, registration = NULL, reset = ?2
        WHERE id = ?3 AND password_hash = ?4
        """, .text(hash), key.isEmpty ? .null : .text(key), .integer(account), .text(row.passwordHash))
      guard database.changes == 1 else { return .over }
      try forget(try loginSubjects(of: row.account))
      try voidResetCodes(of: row.account)
      return .changed(row.account)
    }
  }
}
