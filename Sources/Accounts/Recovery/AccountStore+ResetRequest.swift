import SecretMemory

extension AccountStore {
  /// Makes a code for the account with this email address, at `now` (wall-clock milliseconds since 1970), in place of a
  /// former one. When `.taken` is returned its hash is on disk.
  ///
  /// `requester` names the session that asks, if it is known: wrong codes of others do not delay this one's.
  ///
  /// An address without an account is counted as well, and gets a row with the hash of a code that is never shown: the
  /// same statements and the same hashing, so that the time reveals nothing.
  public func requestReset(
    email: String, requester: String? = nil, now: Int64
  ) throws(AccountStoreError) -> ResetRequestOutcome {
    let now = Self.bounded(now)
    let key: NameKey
    do throws(ValueProblem) { key = try EmailAddress(email).key } catch {
      return .refused([RefusedValue(.email, error)])
    }
    let address = try hashed(key)
    let wait = try database.transaction { () throws(AccountStoreError) in try admitRequest(address, now: now) }
    if let wait { return .throttled(retryAfterMs: wait) }

    return .taken(try issue(address, requester: requester, now: now))
  }

  /// Makes a code for an account as an administrator asks for it, which nothing limits. Nil if there is no such account, or it is
  /// disabled.
  public func issueReset(identifier: String, now: Int64) throws(AccountStoreError) -> IssuedCode? {
    guard let account = try account(identifier: identifier) else { return nil }
    return try issue(try hashed(NameKey(identifier: account.email)), requester: nil, now: Self.bounded(now))
  }

  private func issue(
    _ address: HashedIdentifier, requester: String?, now: Int64
  ) throws(AccountStoreError) -> IssuedCode? {
    let code = ResetCode.fresh()
    let hash = try code.withBytes { bytes throws(AccountStoreError) in
      try hasher.hash(bytes, setting: try PasswordHasher.setting(cost: options.hashCost))
    }
    let account = try database.transaction { () throws(AccountStoreError) in
      try store(codeHash: hash, address, requester: requester, now: now)
    }
    guard let account else { return nil }
    return IssuedCode(address: account.email, code: code)
  }

  /// A request that has to wait is not counted. Nothing is counted for all addresses together: whoever used that up would keep everybody else out.
  private func admitRequest(_ address: HashedIdentifier, now: Int64) throws(AccountStoreError) -> Int64? {
    let counts = FailureCounts(throttle: .resetRequests, maximumUnknown: options.maximumUnknownIdentifiers)
    return try counts.count(.resetRequest(hash: address.hash), now: now, in: database)
  }

  private func store(
    codeHash: String, _ address: HashedIdentifier, requester: String?, now: Int64
  ) throws(AccountStoreError) -> Account? {
    let row = try row(identifierKey: address.key)
    // A disabled account is treated like one that is not there.
    let account = row.flatMap { $0.isDisabled ? nil : $0.account }
    if let account {
      guard try database.hold(account.id) != nil else { throw .damaged }
    } else {
      try database.holdNobody(lot: HashedIdentifier.lot(of: address.hash))
    }
    try database.sweep(
      "DELETE FROM reset_codes WHERE issued_ms <= ?1 OR issued_ms > ?2", .integer(now - ResetCode.lifetimeMs),
      .integer(now + Throttle.largestSkew))
    try database.run(
      """
      INSERT INTO reset_codes (address, account, code_hash, issued_ms, requester) VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (address) DO UPDATE SET account = ?2, code_hash = ?3, issued_ms = ?4, requester = ?5
      """, .text(address.hash), account.map { .integer($0.id) } ?? .null, .text(codeHash), .integer(now),
      requester.map { .text($0) } ?? .null)
    // Each code can be tried by the one who has asked for it.
    try FailureCounts.clear(.ownResetAttempt(hash: address.hash), in: database)
    return account
  }

  /// To be called in the transaction that changes the password or removes the account.
  func voidResetCodes(of account: Account) throws(AccountStoreError) {
    try database.run("DELETE FROM reset_codes WHERE account = ?1", .integer(account.id))
  }
}
