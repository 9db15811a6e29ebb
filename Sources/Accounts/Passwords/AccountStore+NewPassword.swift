/// The hash of a new password that is not stored yet.
public struct PreparedPassword: Sendable {
  let hash: String
}

/// The result of checking and hashing a new password.
public enum PasswordPreparation: Sendable {
  case ready(PreparedPassword)
  case refused(ValueProblem)
}

extension AccountStore {
  /// Sets a new password for a login whose password was right but has expired, or for a logged-in
  /// user with a proof. When `.accepted` is returned, the new password is on disk.
  ///
  /// - Parameter key: The idempotency key. If the change was made but its answer was lost, the same
  ///   key with the same password is accepted again; other passwords are counted as failures.
  public func replaceExpiredPassword(
    of login: PendingLogin, with password: UnsafeRawBufferPointer, key: String, now: Int64
  ) throws(AccountStoreError) -> NewPasswordOutcome {
    if let problem = try problem(newPassword: password, of: login.account) { return .refused(problem) }
    if let repeated = try repetition(of: login, password, key: key, now: now) { return repeated }
    if try match(password, login.passwordHash) != .none { return .refused(.unchanged) }
    let prepared = PreparedPassword(hash: try newHash(of: password))
    if let outcome = try replace(login, with: prepared, key: key, now: now) { return outcome }
    return try repetition(of: login, password, key: key, now: now) ?? .over
  }

  /// Checks a new password against the rules and hashes it, so that it can be refused before the
  /// user is asked for a code. `replacePassword` can store the result later.
  public func preparePassword(
    _ password: UnsafeRawBufferPointer, for login: PendingLogin
  ) throws(AccountStoreError) -> PasswordPreparation {
    if let problem = try problem(newPassword: password, of: login.account) { return .refused(problem) }
    if try match(password, login.passwordHash) != .none { return .refused(.unchanged) }
    return .ready(PreparedPassword(hash: try newHash(of: password)))
  }

  /// Like `replaceExpiredPassword(of:with:key:now:)`, with a password that `preparePassword` has
  /// checked.
  public func replacePassword(
    of login: PendingLogin, with password: PreparedPassword, key: String, now: Int64
  ) throws(AccountStoreError) -> NewPasswordOutcome {
    try replace(login, with: password, key: key, now: now) ?? .over
  }

  /// Stores a new password. Returns nil if a change with this idempotency key was carried out
  /// meanwhile.
  private func replace(
    _ login: PendingLogin, with password: PreparedPassword, key: String, now: Int64
  ) throws(AccountStoreError) -> NewPasswordOutcome? {
    let outcome = try holding(login.account.id) { held throws(AccountStoreError) -> NewPasswordOutcome? in
      // The same change was carried out meanwhile.
      if held.isReset(by: key) { return nil }
      // Codes may have been turned on meanwhile.
      guard let demand = try demand(of: login.account.id, hasGivenCode: login.hasGivenCode),
        login.isProof || demand == .newPassword
      else { return .over }
      try database.run(
        """
        UPDATE accounts SET password_hash = ?1, password_expired = 0, registration = NULL, reset = ?2
        WHERE id = ?3 AND password_hash = ?4
        """, .text(password.hash), key.isEmpty ? .null : .text(key), .integer(login.account.id),
        .text(login.passwordHash))
      guard database.changes == 1 else { return .over }
      try forget(try loginSubjects(of: login.account))
      try passwordChanged(of: login.account)
      try recordLogin(of: login.account, now: Self.bounded(now))
      return .accepted(login.account)
    }
    // Nil: the account was removed.
    return outcome ?? .over
  }

  /// Returns the answer to a repeated change of the password with this idempotency key. Nil if the
  /// password was not set with this key.
  private func repetition(
    of login: PendingLogin, _ password: UnsafeRawBufferPointer, key: String, now: Int64
  ) throws(AccountStoreError) -> NewPasswordOutcome? {
    guard let row = try row(id: login.account.id), row.isReset(by: key) else { return nil }
    return try repetition(of: password, row, now: Self.bounded(now)) == .same ? .accepted(login.account) : .over
  }
}
