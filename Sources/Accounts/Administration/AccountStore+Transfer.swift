import SecretMemory

/// Export and import of accounts.
extension AccountStore {
  /// Returns up to `limit` accounts in order of id, starting after the given id. The result
  /// contains the hashes of passwords and recovery codes, which allow offline guessing.
  public func exportedAccounts(after id: Int64, limit: Int) throws(AccountStoreError) -> [TransferredAccount] {
    // One transaction, so that accounts and their codes come from the same snapshot.
    try database.transaction { () throws(AccountStoreError) in
      let rows = try database.rows(
        """
        SELECT id, email, user_name, created_ms, last_login_ms, password_hash, password_expired, disabled_ms IS NOT NULL,
          attributes, secret, step, email_proof, codes_required
        FROM accounts LEFT JOIN one_time_codes ON account = id WHERE id > ?1 ORDER BY id LIMIT ?2
        """, .integer(id), .integer(Int64(limit))
      ) { row in
        let hash = row.text(5)
        var account = TransferredAccount(
          email: row.text(1), userName: row.text(2), passwordHash: hash == AccountRow.noPassword ? nil : hash)
        account.id = row.integer(0)
        account.createdMs = row.integer(3)
        account.lastLoginMs = row.optionalInteger(4)
        account.isPasswordExpired = row.integer(6) != 0
        account.isDisabled = row.integer(7) != 0
        account.attributes = row.optionalText(8)
        account.isEmailProven = AddressProof(stored: row.text(11)) != .none
        account.requiresCodes = row.integer(12) != 0
        if let step = row.optionalInteger(10) { account.oneTimeCodes = .init(secret: row.text(9), step: step) }
        return account
      }
      var accounts: [TransferredAccount] = []
      for var account in rows {
        account.recoveryCodes = try database.rows(
          "SELECT code_hash, used IS NOT NULL FROM recovery_codes WHERE account = ?1 ORDER BY id",
          .integer(account.id ?? 0)
        ) { .init(hash: $0.text(0), isUsed: $0.integer(1) != 0) }
        accounts.append(account)
      }
      return accounts
    }
  }

  /// Adds accounts in one transaction; when this returns, they are on disk. An account that cannot
  /// be imported does not affect the others.
  ///
  /// - Parameter now: Wall-clock time in milliseconds since 1970.
  public func importAccounts(
    _ accounts: [TransferredAccount], now: Int64
  ) throws(AccountStoreError) -> [ImportOutcome] {
    try database.transaction { () throws(AccountStoreError) in
      var outcomes: [ImportOutcome] = []
      for account in accounts { outcomes.append(try importAccount(account, now: Self.bounded(now))) }
      return outcomes
    }
  }

  private func importAccount(_ account: TransferredAccount, now: Int64) throws(AccountStoreError) -> ImportOutcome {
    // Other systems may use the address as the user name.
    let named = account.userName.flatMap {
      NameKey(identifier: $0) == NameKey(identifier: account.email) ? nil : $0
    }
    let names = Names(email: account.email, userName: named)
    var refused = names.refused
    guard refused.isEmpty, let email = names.email else { return .refused(refused) }
    let free = named == nil ? try freeName(for: email) : names.userName
    guard let userName = free else { return .refused([RefusedValue(.userName, .invalid)]) }
    let (emailKey, nameKey) = (email.key, userName.key)
    let taken = try rows(emailKey: emailKey, userNameKey: nameKey)
    if taken.count == 1, taken[0].emailKey == emailKey, named == nil || taken[0].userNameKey == nameKey {
      return .alreadyThere
    }
    if taken.contains(where: { $0.emailKey == emailKey }) { refused.append(RefusedValue(.email, .taken)) }
    if taken.contains(where: { $0.userNameKey == nameKey }) { refused.append(RefusedValue(.userName, .taken)) }
    guard refused.isEmpty else { return .refused(refused) }
    let (pepper, foreign) = Pepper.parts(of: account.passwordHash ?? "")
    if let pepper, try Self.pepperID(in: database) ?? self.pepper?.id != String(pepper) { return .unusablePepper }
    var hash = AccountRow.noPassword
    if pepper != nil || !ImportedHash.isNone(String(foreign)) {
      do throws(ImportedHash.Problem) {
        hash = (account.passwordHash ?? "").dropLast(foreign.count) + (try ImportedHash(String(foreign)).text)
      } catch {
        return .unusableHash(error)
      }
    }
    // All recovery codes must share one hash setting, because checking a code computes one hash.
    let settings = Set(account.recoveryCodes.map { PasswordHasher.setting(of: $0.hash) })
    guard settings.count <= 1, account.recoveryCodes.count <= RecoveryCode.counts.upperBound,
      account.recoveryCodes.allSatisfy({ $0.hash.hasPrefix("$y$") && (try? ImportedHash($0.hash)) != nil })
    else { return .unusableRecoveryCode }
    var secret: OneTimeSecret?
    if let codes = account.oneTimeCodes {
      guard let opened = try opened(codes, account: account.id ?? 0) else { return .unusableSecret }
      secret = opened
    }
    if pepper != nil { try recordPepperID() }
    try insert(account, email, userName, hash, secret, now: now)
    return .imported
  }

  /// Returns a free user name made from the part of the address before the `@`, with random digits
  /// added if that name is taken. Nil if none of the candidates is free.
  private func freeName(for email: EmailAddress) throws(AccountStoreError) -> UserName? {
    let local = String(email.text.prefix { $0 != "@" })
    let base = (try? UserName(local)) == nil ? "user" : local
    var name = base
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<Self.maximumCandidates {
      guard let candidate = try? UserName(name) else { return nil }
      // The caller has yet to check whether the address itself is taken.
      let rows = try rows(emailKey: email.key, userNameKey: candidate.key)
      if rows.allSatisfy({ $0.emailKey == email.key }) { return candidate }
      name = base + "-" + String(Int.random(in: 100_000...999_999, using: &generator))
    }
    return nil
  }

  /// How many candidate names `freeName` checks.
  private static var maximumCandidates: Int { 8 }

  private func opened(
    _ codes: TransferredAccount.SealedCodes, account: Int64
  ) throws(AccountStoreError) -> OneTimeSecret? {
    do throws(AccountStoreError) {
      return try SealedSecret(stored: codes.secret).open(account: account, key: try keyFile.read())
    } catch {
      guard case .keyUnusable = error else { throw error }
      return nil
    }
  }

  private func insert(
    _ account: TransferredAccount, _ email: EmailAddress, _ userName: UserName, _ hash: String,
    _ secret: OneTimeSecret?, now: Int64
  ) throws(AccountStoreError) {
    let id = try database.inserted(
      """
      INSERT INTO accounts (email, email_key, user_name, user_name_key, password_hash, created_ms, password_expired,
        disabled_ms, last_login_ms, attributes, email_proof, codes_required)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
      RETURNING id
      """,
      .text(email.text), .text(email.key.text), .text(userName.text), .text(userName.key.text), .text(hash),
      .integer(Self.bounded(account.createdMs ?? now)), .integer(account.isPasswordExpired ? 1 : 0),
      account.isDisabled ? .integer(now) : .null, account.lastLoginMs.map { .integer(Self.bounded($0)) } ?? .null,
      account.attributes.map { .text($0) } ?? .null,
      account.isEmailProven ? .text(AddressProof.given.stored) : .null, .integer(account.requiresCodes ? 1 : 0))
    for code in account.recoveryCodes {
      try database.run(
        "INSERT INTO recovery_codes (account, code_hash, used) VALUES (?1, ?2, ?3)", .integer(id), .text(code.hash),
        code.isUsed ? .text("imported") : .null)
    }
    if let secret, let codes = account.oneTimeCodes {
      let sealed = try SealedSecret(secret, account: id, key: try keyForSecrets())
      try database.run(
        "INSERT INTO one_time_codes (account, secret, step) VALUES (?1, ?2, ?3)", .integer(id), .text(sealed.text),
        .integer(Self.bounded(codes.step)))
    }
  }
}
