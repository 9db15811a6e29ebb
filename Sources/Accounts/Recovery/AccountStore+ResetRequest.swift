import SecretMemory

extension AccountStore {
  /// Creates a reset code for the account with this email address, at `now` (wall-clock
  /// milliseconds since 1970), replacing an earlier one. When `.taken` is returned, the hash of the
  /// code is on disk.
  ///
  /// A request for an address without an account is counted as well, and stores the hash of a code
  /// that is never shown. The statements and the hashing are the same, so that the time reveals
  /// nothing.
  ///
  /// - Parameter requester: The session that asks, if known. Wrong codes from other sessions do not
  ///   delay this session.
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

  /// Creates a reset code for an account on behalf of an administrator. Unlike `requestReset`, it
  /// is not throttled. Returns nil if there is no such account, or it is disabled.
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

  /// Counts a request for a reset code. If the request has to wait, counts nothing and returns the
  /// milliseconds to wait. There is no limit for all addresses together, because anyone could use
  /// it up and block everyone else.
  private func admitRequest(_ address: HashedIdentifier, now: Int64) throws(AccountStoreError) -> Int64? {
    let counts = FailureCounts(throttle: .resetRequests, maximumUnknown: options.maximumUnknownIdentifiers)
    return try counts.count(.resetRequest(hash: address.hash), now: now, in: database)
  }

  private func store(
    codeHash: String, _ address: HashedIdentifier, requester: String?, now: Int64
  ) throws(AccountStoreError) -> Account? {
    let row = try row(identifierKey: address.key)
    // A disabled account is treated like a missing one.
    let account = row.flatMap { $0.isDisabled ? nil : $0.account }
    if let account {
      guard try database.hold(account.id) != nil else { throw .damaged }
    } else {
      try database.holdPlaceholder(lot: HashedIdentifier.lot(of: address.hash))
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
    // A new code starts with a clean count for the session that requested it.
    try FailureCounts.clear(.ownResetAttempt(hash: address.hash), in: database)
    return account
  }

  /// Deletes an account's reset code. Call in the transaction that changes the password or removes
  /// the account.
  func voidResetCodes(of account: Account) throws(AccountStoreError) {
    try database.run("DELETE FROM reset_codes WHERE account = ?1", .integer(account.id))
  }
}
