extension AccountStore {
  /// FailureCounts to log in with an email address or a user name, at `now` (wall-clock milliseconds since 1970).
  ///
  /// The attempt is counted before the password is checked. An unknown identifier costs the same work as a known one:
  /// the same statements, the same identifier hash, and a password hash of the same cost as the stored ones.
  public func login(
    identifier: String, password: UnsafeRawBufferPointer, now: Int64
  ) throws(AccountStoreError) -> LoginOutcome {
    let now = Self.bounded(now)
    var refused: [RefusedValue] = []
    if let problem = AccountValues.problem(text: identifier) { refused.append(RefusedValue(.identifier, problem)) }
    if let problem = AccountValues.problem(password: password) { refused.append(RefusedValue(.password, problem)) }
    guard refused.isEmpty else { return .refused(refused) }

    let candidate = try hashed(identifier)
    let admission = try database.transaction { () throws(AccountStoreError) in try admit(candidate, now: now) }
    switch admission {
    case .wait(let milliseconds): return .throttled(retryAfterMs: milliseconds)
    case .verify(let row, let hash):
      let matches = try hasher.verify(password, against: hash)
      guard let row, matches else { return .rejected }
      return try succeed(row, password: password)
    }
  }

  private enum Admission {
    case wait(Int64)
    /// The hash to compare with: the account's own, or one of the same cost if there is no account.
    case verify(AccountRow?, hash: String)
  }

  private func admit(_ candidate: HashedIdentifier, now: Int64) throws(AccountStoreError) -> Admission {
    let row = try row(identifierKey: candidate.key)
    let substitute = try substituteSetting(identifierHash: candidate.hash)
    let subject: FailureCounts.Subject =
      if let row { .account(row.account.id) } else { .unknown(hash: candidate.hash) }
    if let wait = try loginFailures.count(subject, now: now, in: database) { return .wait(wait) }
    return .verify(row, hash: row?.passwordHash ?? substitute)
  }

  /// A setting with the cost of the hash of some stored account. The account is the same for the same identifier as
  /// long as no account comes or goes. So the time reveals nothing, even while hashes of several costs are stored.
  package func substituteSetting(identifierHash: String) throws(AccountStoreError) -> String {
    let lot = identifierHash.utf8.reduce(UInt32(5381)) { ($0 &* 33) ^ UInt32($1) }
    let stored = try database.rows(
      """
      SELECT password_hash FROM accounts WHERE id > ?1 % max(1, (SELECT max(id) FROM accounts)) ORDER BY id LIMIT 1
      """, .integer(Int64(lot))
    ) { $0.text(0) }.first
    let parameters = stored.map { String(PasswordHasher.parameters(of: $0)) } ?? currentParameters
    return parameters + "......................"
  }

  private func succeed(_ row: AccountRow, password: UnsafeRawBufferPointer) throws(AccountStoreError) -> LoginOutcome {
    var renewed: String?
    if PasswordHasher.parameters(of: row.passwordHash) != currentParameters {
      renewed = try hasher.hash(password, setting: try PasswordHasher.setting(cost: options.hashCost))
    }
    return try database.transaction { () throws(AccountStoreError) -> LoginOutcome in
      try FailureCounts.clear(.account(row.account.id), in: database)
      var hash = row.passwordHash
      if let renewed {
        // Not if the password was changed meanwhile.
        try database.run(
          "UPDATE accounts SET password_hash = ?1 WHERE id = ?2 AND password_hash = ?3", .text(renewed),
          .integer(row.account.id), .text(row.passwordHash))
        if database.changes == 1 { hash = renewed }
      }
      guard let demand = try demand(of: row.account.id) else { return .rejected }
      guard demand != .nothing else { return .accepted(row.account) }
      return .pending(PendingLogin(account: row.account, passwordHash: hash, demand: demand))
    }
  }

  private var loginFailures: FailureCounts {
    FailureCounts(throttle: .logins, maximumUnknown: options.maximumUnknownIdentifiers)
  }
}
