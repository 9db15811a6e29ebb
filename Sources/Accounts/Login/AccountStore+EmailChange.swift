/// A change of an account's email address that waits for the code mailed to the new address. It
/// exists only in memory.
public final class PendingEmailChange: Sendable {
  public let account: Account
  /// The new address.
  public let email: String
  /// The code, and the address to which the mail is sent. If another account has the new address,
  /// the address is spelled as in that account.
  public let code: MailedCode
  /// Whether another account has the address. The mail then says so instead of giving a code, and
  /// no code is accepted.
  public let isTaken: Bool

  /// The stored hash of the account's password. A change of the password cancels the change of
  /// address.
  let passwordHash: String

  init(account: Account, email: String, code: MailedCode, isTaken: Bool, passwordHash: String) {
    self.account = account
    self.email = email
    self.code = code
    self.isTaken = isTaken
    self.passwordHash = passwordHash
  }
}

/// The result of requesting a change of address, or of requesting another code for the change.
public enum EmailChangeRequestOutcome: Sendable {
  /// The caller must mail the code to the new address.
  case pending(PendingEmailChange)
  case refused(ValueProblem)
  case throttled(retryAfterMs: Int64)
  /// The account no longer exists.
  case over
}

/// The result of entering the code that was mailed to the new address.
public enum EmailChangeOutcome: Equatable, Sendable {
  /// The account with its new address. The caller must mail a notice to the old address, which is
  /// in the `PendingEmailChange`.
  case changed(Account)
  /// Like `changed`. In addition, the passkeys and remembered devices that the account had were
  /// removed, because until now its user had never proved that the account's address is theirs.
  case changedRemovingFactors(Account)
  /// The code is wrong or has expired.
  case rejected
  /// Another account has taken the address meanwhile.
  case taken
  /// The account was removed or disabled, or its address or password was changed meanwhile.
  case over
}

extension AccountStore {
  /// Starts a change of a logged-in user's email address. The account does not change until the
  /// code is confirmed.
  ///
  /// - Parameters:
  ///   - concealsTaken: As with `beginSignUp`.
  ///   - client: As with `register`.
  ///   - now: Wall-clock time in milliseconds since 1970.
  public func beginEmailChange(
    of account: Int64, to email: String, concealsTaken: Bool, client: ClientAddress? = nil, now: Int64
  ) throws(AccountStoreError) -> EmailChangeRequestOutcome {
    let now = Self.bounded(now)
    let new: EmailAddress
    do throws(ValueProblem) { new = try EmailAddress(email) } catch { return .refused(error) }
    let email = new.text
    let address = try hashed(new.key)
    let limit = try takenNameLimit(of: client)
    return try database.transaction { () throws(AccountStoreError) -> EmailChangeRequestOutcome in
      guard let row = try self.row(id: account) else { return .over }
      let owner = row.account
      guard owner.email != email else { return .refused(.unchanged) }
      let holder = try self.row(identifierKey: address.key)?.account
      let other = holder?.id == account ? nil : holder
      let isTaken = other != nil
      if isTaken, !concealsTaken {
        if let wait = try limit.count(now: now, in: database) { return .throttled(retryAfterMs: wait) }
        return .refused(.taken)
      }
      if let wait = try admitConfirmation(address, now: now) { return .throttled(retryAfterMs: wait) }
      return .pending(
        PendingEmailChange(
          account: owner, email: email, code: MailedCode(address: other?.email ?? email, now: now), isTaken: isTaken,
          passwordHash: row.passwordHash))
    }
  }

  /// Replaces the code of a change of address with a new one, at `now`.
  public func renewCode(of change: PendingEmailChange, now: Int64) throws(AccountStoreError)
    -> EmailChangeRequestOutcome
  {
    let now = Self.bounded(now)
    let address = try hashed(NameKey(identifier: change.email))
    let wait = try database.transaction { () throws(AccountStoreError) in try admitConfirmation(address, now: now) }
    if let wait { return .throttled(retryAfterMs: wait) }
    return .pending(
      PendingEmailChange(
        account: change.account, email: change.email, code: MailedCode(address: change.code.issued.address, now: now),
        isTaken: change.isTaken, passwordHash: change.passwordHash))
  }

  /// Changes an account's address if `code` is the one mailed to the new address, at `now`. When
  /// `.changed` is returned, the change is on disk and mailed reset codes are void. Repeating the
  /// call with the same code returns `.changed`, even if the first call returned
  /// `.changedRemovingFactors`.
  public func confirm(
    _ change: PendingEmailChange, code typed: UnsafeRawBufferPointer, now: Int64
  ) throws(AccountStoreError) -> EmailChangeOutcome {
    let now = Self.bounded(now)
    guard change.code.matches(typed, now: now), !change.isTaken else { return .rejected }
    let new = try hashed(NameKey(identifier: change.email))
    let outcome = try holding(change.account.id) { held throws(AccountStoreError) -> EmailChangeOutcome in
      guard let owner = try account(id: held.id) else { return .over }
      if owner.email == change.email { return .changed(owner) }
      guard owner.email == change.account.email else { return .over }
      if let holder = try row(identifierKey: new.key)?.account, holder.id != owner.id { return .taken }
      try database.run(
        """
        UPDATE accounts SET email = ?1, email_key = ?2, registration = NULL
        WHERE id = ?3 AND password_hash = ?4 AND disabled_ms IS NULL
        """,
        .text(change.email), .text(new.key.text), .integer(owner.id), .text(change.passwordHash))
      guard database.changes == 1 else { return .over }
      try voidResetCodes(of: owner)
      try forget([.ownName(owner.id, isEmail: true)])
      guard let changed = try account(id: owner.id) else { throw .damaged }
      return try proveAddress(of: changed, reset: nil) ? .changedRemovingFactors(changed) : .changed(changed)
    }
    return outcome ?? .over
  }
}
