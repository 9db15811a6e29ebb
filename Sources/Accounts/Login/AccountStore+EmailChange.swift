/// A change of an account's address that waits for the code that was mailed to the new one. It is only in memory.
public final class PendingEmailChange: Sendable {
  public let account: Account
  /// The new address.
  public let email: String
  /// Where another account has the address, the code goes there as that account's person has typed it.
  public let code: MailedCode
  /// Whether another account has the address, which its mail says instead of the code. Then no code is right.
  public let isTaken: Bool

  /// The stored hash of the account's password: every change of the password ends the change of address.
  let passwordHash: String

  init(account: Account, email: String, code: MailedCode, isTaken: Bool, passwordHash: String) {
    self.account = account
    self.email = email
    self.code = code
    self.isTaken = isTaken
    self.passwordHash = passwordHash
  }
}

/// The result of asking for another address, or for another code for it.
public enum EmailChangeRequestOutcome: Sendable {
  /// The code has to be mailed to the new address.
  case pending(PendingEmailChange)
  case refused(ValueProblem)
  case throttled(retryAfterMs: Int64)
  /// The account is gone.
  case over
}

/// The result of typing the code that was mailed to a new address.
public enum EmailChangeOutcome: Equatable, Sendable {
  /// The account with its new address. The old one, to which a notice has to be mailed, is that of the `PendingEmailChange`.
  case changed(Account)
  /// The same, and that was the first proof of an address of the account: its passkeys and remembered devices from before are gone.
  case changedTaking(Account)
  /// A wrong or expired code.
  case rejected
  /// Another account got the address meanwhile.
  case taken
  /// The account is gone or disabled, or got another address or password meanwhile.
  case over
}

extension AccountStore {
  /// Begins a change of the address of an account whose person is in, at `now` (wall-clock milliseconds since 1970). Nothing changes before
  /// the code was right.
  ///
  /// - Parameters:
  ///   - concealsTaken: as with `beginSignUp`.
  ///   - client: as with `register`.
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

  /// Makes another code for a change of address in place of the one before, at `now`.
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

  /// Gives an account its new address if `code` is the one that was mailed there, at `now`. When `.changed` is returned it is on disk; mailed
  /// reset codes are void then. The same code again gets the same answer.
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
      return try proveAddress(of: changed, reset: nil) ? .changedTaking(changed) : .changed(changed)
    }
    return outcome ?? .over
  }
}
