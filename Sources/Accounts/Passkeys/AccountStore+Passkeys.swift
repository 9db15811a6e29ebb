import WebAuthn

/// The passkeys of accounts. Signatures are checked by `RelyingParty`, outside of this store.
extension AccountStore {
  /// The maximum number of passkeys of an account. Their ids must fit into a request to a browser.
  public static let maximumPasskeys = 10
  private static let userHandleLength = 32

  /// Returns the passkeys of an account, oldest first.
  public func passkeys(of account: Account) throws(AccountStoreError) -> [Passkey] {
    try database.rows(
      """
      SELECT id, account, public_key, counter, backup_eligible, backed_up, created_ms, used_ms, challenge, used
      FROM passkeys WHERE account = ?1 ORDER BY created_ms, id LIMIT ?2
      """, .integer(account.id), .integer(Int64(Self.maximumPasskeys)), row: Self.passkey)
  }

  /// Like `passkeys(of:)`, by an email address or user name. Returns nil if there is no such
  /// account.
  public func passkeys(identifier: String) throws(AccountStoreError) -> [Passkey]? {
    guard let account = try account(identifier: identifier) else { return nil }
    return try passkeys(of: account)
  }

  /// Returns the passkey with this id, and the user handle by which its authenticator knows the
  /// account.
  public func passkey(id: [UInt8]) throws(AccountStoreError) -> (passkey: Passkey, userHandle: [UInt8])? {
    let found = try database.rows(
      """
      SELECT passkeys.id, account, public_key, counter, backup_eligible, backed_up, passkeys.created_ms, used_ms, challenge, used,
        user_handle
      FROM passkeys JOIN accounts ON accounts.id = account WHERE passkeys.id = ?1
      """, .text(Base64URL.encode(id))
    ) { (passkey: Self.passkey($0), handle: $0.text(10)) }.first
    guard let found else { return nil }
    guard let handle = Base64URL.decode(found.handle) else { throw .damaged }
    return (found.passkey, handle)
  }

  /// Returns the permission to register a passkey, for a user who has just authenticated. Nil if
  /// the account was removed or disabled.
  public func passkeyHolder(of account: Account) throws(AccountStoreError) -> PasskeyHolder? {
    let found = try database.rows(
      "SELECT password_hash, user_handle FROM accounts WHERE id = ?1 AND disabled_ms IS NULL", .integer(account.id)
    ) { (hash: $0.text(0), handle: $0.text(1)) }.first
    guard let found else { return nil }
    var generator = SystemRandomNumberGenerator()
    // Stored with the first passkey.
    let fresh = (0..<Self.userHandleLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    guard let handle = found.handle.isEmpty ? fresh : Base64URL.decode(found.handle) else { throw .damaged }
    return PasskeyHolder(
      owner: AccountOwner(account: account, passwordHash: found.hash), userHandle: handle,
      ids: try passkeys(of: account).map(\.id))
  }

  /// Registers a passkey for an account, at `now` (wall-clock milliseconds since 1970). When
  /// `.done` is returned, the passkey is on disk.
  ///
  /// - Parameter key: The idempotency key. If the passkey was registered but the answer was lost,
  ///   the same key with the same passkey gets the same answer.
  public func addPasskey(
    _ new: NewPasskey, to holder: PasskeyHolder, key: String, now: Int64
  ) throws(AccountStoreError) -> PasskeyEnrolment {
    let now = Self.bounded(now)
    let id = Base64URL.encode(new.id)
    let enrolment = try holding(holder.owner.account.id) { _ throws(AccountStoreError) -> PasskeyEnrolment in
      let account = holder.owner.account.id
      if let known = try passkey(id: new.id)?.passkey {
        return known.account == account && known.publicKey == new.publicKey && known.lastUse.key == key ? .done : .known
      }
      // Another request may have set a user handle meanwhile, and any change of the password
      // invalidates the holder.
      try database.run(
        """
        UPDATE accounts SET user_handle = ?1
        WHERE id = ?2 AND password_hash = ?3 AND coalesce(user_handle, ?1) = ?1 AND disabled_ms IS NULL
        """, .text(Base64URL.encode(holder.userHandle)), .integer(account), .text(holder.owner.passwordHash))
      guard database.changes == 1 else { return .over }
      guard try passkeys(of: holder.owner.account).count < Self.maximumPasskeys else { return .tooMany }
      try database.run(
        """
        INSERT INTO passkeys (id, account, public_key, counter, backup_eligible, backed_up, created_ms, used)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """, .text(id), .integer(account), .text(Base64URL.encode(new.publicKey)), .integer(Int64(new.counter)),
        .integer(new.isBackupEligible ? 1 : 0), .integer(new.isBackedUp ? 1 : 0), .integer(now), .text(key))
      return .done
    }
    return enrolment ?? .over
  }

  /// Removes a passkey of an account. Returns whether the account had it.
  public func removePasskey(id: [UInt8], of account: Account) throws(AccountStoreError) -> Bool {
    try removePasskey(id: id, of: account, passwordHash: nil)
  }

  /// - Parameter passwordHash: If not nil, the passkey is removed only if the account still has
  ///   this hash and is not disabled.
  func removePasskey(id: [UInt8], of account: Account, passwordHash: String?) throws(AccountStoreError) -> Bool {
    let isRemoved = try holding(account.id) { held throws(AccountStoreError) in
      if let passwordHash, !held.isCurrent(passwordHash) { return false }
      try database.run(
        "DELETE FROM passkeys WHERE id = ?1 AND account = ?2", .text(Base64URL.encode(id)), .integer(account.id))
      return database.changes == 1
    }
    return isRemoved ?? false
  }

  /// Logs in to an account with a passkey alone, at `now` (wall-clock milliseconds since 1970).
  /// When `.accepted` is returned, the use is on disk.
  ///
  /// Each challenge is accepted once, even if several processes receive it at once. The passkey's
  /// counter must increase with each use, unless its authenticator does not count.
  ///
  /// - Parameter key: The idempotency key. The same use with the same key gets the same answer.
  public func logIn(by use: PasskeyUse, key: String, now: Int64) throws(AccountStoreError) -> PasskeyLogin {
    let login = try holding(use.passkey.account) { _ throws(AccountStoreError) -> PasskeyLogin in
      let now = Self.bounded(now)
      switch try record(use, key: key, now: now) {
      case .done:
        guard let account = try account(id: use.passkey.account) else { return .over }
        // As with a password, only the authenticated owner learns that the account is disabled.
        guard try demand(of: account.id) != nil else { return .disabled }
        try recordLogin(of: account, now: now)
        return .accepted(account)
      case .spent: return .rejected
      case .gone: return .over
      }
    }
    return login ?? .over
  }

  /// Like `logIn(by:key:now:)`, but uses the passkey as the second factor of a login whose password
  /// was right.
  public func useAsSecondFactor(
    _ use: PasskeyUse, for login: PendingLogin, key: String, now: Int64
  ) throws(AccountStoreError) -> CodeOutcome {
    let outcome = try holding(login.account.id) { account throws(AccountStoreError) -> CodeOutcome in
      guard account.isCurrent(login.passwordHash) else { return .over }
      guard use.passkey.account == login.account.id else { return .rejected }
      switch try record(use, key: key, now: Self.bounded(now)) {
      case .done:
        try FailureCounts.clearCodes(of: login.account.id, in: database)
        return try afterCode(login, now: Self.bounded(now))
      case .spent: return .rejected
      case .gone: return .over
      }
    }
    return outcome ?? .over
  }

  private enum Recording { case done, spent, gone }

  private func record(_ use: PasskeyUse, key: String, now: Int64) throws(AccountStoreError) -> Recording {
    let challenge = Base64URL.encode(use.challenge)
    // The second of two concurrent uses changes no row, whatever the isolation level.
    try database.run(
      """
      UPDATE passkeys SET counter = ?1, backed_up = ?2, used_ms = ?3, used = ?4, challenge = ?5
      WHERE id = ?6 AND account = ?7 AND public_key = ?8 AND coalesce(challenge, '') <> ?5 AND (counter < ?1 OR counter = 0 AND ?1 = 0)
      """, .integer(Int64(use.counter)), .integer(use.isBackedUp ? 1 : 0), .integer(now), .text(key), .text(challenge),
      .text(Base64URL.encode(use.passkey.id)), .integer(use.passkey.account),
      .text(Base64URL.encode(use.passkey.publicKey)))
    if database.changes == 1 { return .done }
    guard let known = try passkey(id: use.passkey.id)?.passkey else { return .gone }
    return known.repeats(challenge: use.challenge, key: key) && known.publicKey == use.passkey.publicKey
      ? .done : .spent
  }

  private static func passkey(_ row: any SQLRow) -> Passkey {
    // A damaged file may contain anything. An invalid key is refused when it is used.
    Passkey(
      id: Base64URL.decode(row.text(0)) ?? [], account: row.integer(1), publicKey: Base64URL.decode(row.text(2)) ?? [],
      counter: UInt32(clamping: row.integer(3)), isBackupEligible: row.integer(4) != 0, isBackedUp: row.integer(5) != 0,
      createdMs: row.integer(6), usedMs: row.optionalInteger(7), lastUse: (row.text(8), row.text(9)))
  }
}
