import SecretMemory

extension AccountStore {
  /// Makes a code for the account with this email address, at `now` (wall-clock milliseconds since 1970), instead of any
  /// that was made before. When `.taken` is returned its hash is on disk.
  ///
  /// An address that no account has is counted, and gets a row with the hash of a code that nobody will ever see: the same
  /// statements and the same hashing, so that time tells nothing.
  public func requestReset(email: String, now: Int64) throws(AccountStoreError) -> ResetRequestOutcome {
    let now = Self.bounded(now)
    if let problem = AccountValues.problem(email: email) { return .refused([RefusedValue(.email, problem)]) }
    let address = try hashed(email)
    let wait = try database.transaction { () throws(AccountStoreError) in try admitRequest(address, now: now) }
    if let wait { return .throttled(retryAfterMs: wait) }

    let code = ResetCode.fresh()
    let hash = try code.withBytes { bytes throws(AccountStoreError) in
      try hasher.hash(bytes, setting: try PasswordHasher.setting(cost: options.hashCost))
    }
    let account = try database.transaction { () throws(AccountStoreError) in
      try store(codeHash: hash, address, now: now)
    }
    guard let account else { return .taken(nil) }
    return .taken(IssuedCode(address: account.email, code: code))
  }

  /// A request that has to wait is not counted, neither for its address nor in all.
  private func admitRequest(_ address: HashedIdentifier, now: Int64) throws(AccountStoreError) -> Int64? {
    let one = Tries(throttle: .resetRequests, maximumUnknown: options.maximumUnknownIdentifiers)
    let all = Tries(throttle: .allResetRequests, maximumUnknown: options.maximumUnknownIdentifiers)
    if let wait = try one.wait(.resetRequest(hash: address.hash), now: now, in: database) { return wait }
    if let wait = try all.count(.allResetRequests, now: now, in: database) { return wait }
    return try one.count(.resetRequest(hash: address.hash), now: now, in: database)
  }

  private func store(
    codeHash: String, _ address: HashedIdentifier, now: Int64
  ) throws(AccountStoreError) -> Account? {
    let account = try row(identifierKey: address.key)?.account
    try database.run(
      "DELETE FROM reset_codes WHERE issued_ms <= ?1 OR issued_ms > ?2", .integer(now - ResetCode.lifetimeMs),
      .integer(now + Throttle.tolerance))
    try database.run(
      """
      INSERT INTO reset_codes (address, account, code_hash, issued_ms, tries) VALUES (?1, ?2, ?3, ?4, 0)
      ON CONFLICT (address) DO UPDATE SET account = ?2, code_hash = ?3, issued_ms = ?4, tries = 0
      """, .text(address.hash), account.map { .integer($0.id) } ?? .null, .text(codeHash), .integer(now))
    return account
  }

  /// To be called in the transaction that sets another password or removes the account.
  func voidResetCodes(of account: Account) throws(AccountStoreError) {
    try database.run("DELETE FROM reset_codes WHERE account = ?1", .integer(account.id))
  }
}
