extension AccountStore {
  /// Attempts to log in with an email address or a user name, at `now` (wall-clock milliseconds
  /// since 1970).
  ///
  /// The attempt is counted before the password is checked: once for the typed name, whether or not
  /// it belongs to an account, and once for the account. Only the count of the name shows in an
  /// answer, as a delay or a lock. So until a login succeeds, the two names of one user are
  /// indistinguishable from two unknown names.
  ///
  /// An unknown identifier costs the same work as a known one: the same statements, the same
  /// identifier hash, and a password hash of the same cost as the stored ones.
  ///
  /// If the disk is full, failures are counted in memory.
  ///
  /// - Parameters:
  ///   - canUsePasskeys: Whether the login may ask for a passkey as the second factor.
  ///   - device: The token of a device. A remembered device needs no second factor. The token is
  ///     checked only after the password was right.
  public func login(
    identifier: String, password: UnsafeRawBufferPointer, canUsePasskeys: Bool = false,
    device: UnsafeRawBufferPointer? = nil, now: Int64
  ) throws(AccountStoreError) -> LoginOutcome {
    let now = Self.bounded(now)
    var refused: [RefusedValue] = []
    if let problem = AccountValues.problem(identifier: identifier) {
      refused.append(RefusedValue(.identifier, problem))
    }
    if let problem = AccountValues.problem(password: password) { refused.append(RefusedValue(.password, problem)) }
    guard refused.isEmpty else { return .refused(refused) }

    // Checked before the attempt is counted: a missing pepper is not a wrong password.
    try requirePepper()
    let candidate = try hashed(NameKey(identifier: identifier))
    let factors = SecondFactors(canUsePasskeys: canUsePasskeys, device: device, now: now)
    // If the password changes while it is checked, the login is repeated against the new one.
    for _ in 0..<Self.maximumAttempts {
      switch try admit(candidate, now: now) {
      case .wait(let milliseconds): return .throttled(retryAfterMs: milliseconds)
      case .locked: return .locked
      case .verify(let row, let hash, let isOpen, let isLast):
        let match = try match(password, hash)
        guard let row, match != .none, isOpen else { return isLast ? .rejectedLocking(row?.account) : .rejected }
        let renewed = match == .outdated && !row.isDisabled ? try renewedHash(of: password) : nil
        if let outcome = try succeed(row, candidate, renewed: renewed, factors) { return outcome }
      }
    }
    return .rejected
  }

  /// How many times a password is checked at most, if the account's password changes during each
  /// check.
  static let maximumAttempts = 3

  /// Returns a new hash to replace an outdated one. Nil if no new hash can be made. Without a
  /// pepper, the normal form of an older password may be too long to be hashed. On a full disk, the
  /// id of the pepper cannot be stored.
  private func renewedHash(of password: UnsafeRawBufferPointer) throws(AccountStoreError) -> String? {
    let length = PasswordText.withNormal(password) { $0.count }
    guard pepper != nil || length <= AccountValues.maximumBytes else { return nil }
    do throws(AccountStoreError) {
      return try newHash(of: password)
    } catch {
      guard error.isFull else { throw error }
      return nil
    }
  }

  private enum Admission {
    case wait(Int64)
    case locked
    /// The password must be compared with `hash`: the account's own, or one of the same cost if
    /// there is no account. `isOpen` is whether the account's own count allows the attempt; if not,
    /// even the right password is rejected like a wrong one. `isLast` is whether the name becomes
    /// locked if this attempt fails.
    case verify(AccountRow?, hash: String, isOpen: Bool, isLast: Bool)
  }

  private func admit(_ candidate: HashedIdentifier, now: Int64) throws(AccountStoreError) -> Admission {
    do throws(AccountStoreError) {
      // Outside the transaction: a transaction that has read the newest account conflicts with
      // every insertion of an account.
      let substitute = try substituteSetting(identifierHash: candidate.hash, now: now)
      // The first call creates a hash key, which takes too long for a transaction.
      _ = nameSubject(candidate, of: nil)
      let (admission, subjects) = try database.transaction { () throws(AccountStoreError) in
        let row = try row(identifierKey: candidate.key)
        let name = nameSubject(candidate, of: row)
        let account = FailureCounts.Subject(accountOf: row, or: candidate)
        let deferred = options.deferredFailures
        let isLast: Bool
        switch try nameFailures.judge(name, deferred: deferred.record(of: name), now: now, in: database) {
        case .wait(let wait): return (Admission.wait(wait), [name, account])
        case .locked: return (.locked, [name, account])
        case .counted(let last): isLast = last
        }
        let isOpen = try accountFailures.countWithoutWait(
          account, deferred: deferred.record(of: account), now: now, in: database)
        return (.verify(row, hash: row?.comparable ?? substitute, isOpen: isOpen, isLast: isLast), [name, account])
      }
      // Only an attempt that may be checked has written the deferred counts.
      if case .verify = admission { options.deferredFailures.remove(subjects) }
      return admission
    } catch {
      guard error.isFull else { throw error }
      return try admitWithoutWriting(candidate, now: now)
    }
  }

  private func admitWithoutWriting(_ candidate: HashedIdentifier, now: Int64) throws(AccountStoreError) -> Admission {
    // Serialised, so that each of several concurrent attempts sees the earlier ones counted.
    let turn = WriteMutex.take(timeoutMs: options.busyTimeoutMs)
    guard turn.isTaken else { throw .locked }
    defer { WriteMutex.give() }
    let row = try row(identifierKey: candidate.key)
    let substitute = try substituteSetting(identifierHash: candidate.hash, now: now)
    let name = nameSubject(candidate, of: row)
    let account = FailureCounts.Subject(accountOf: row, or: candidate)
    let deferred = options.deferredFailures
    let nameRecord = try nameFailures.standing(name, deferred: deferred.record(of: name), now: now, in: database)
    let accountRecord = try accountFailures.standing(
      account, deferred: deferred.record(of: account), now: now, in: database)
    if Throttle.logins.isLocked(nameRecord) { return .locked }
    if let wait = Throttle.logins.wait(nameRecord, now: now) { return .wait(wait) }
    let isOpen = !Throttle.accountLogins.isLocked(accountRecord)
    guard deferred.count(name, .logins, now: now), !isOpen || deferred.count(account, .accountLogins, now: now) else {
      throw .full
    }
    let isLast = Throttle.logins.isLocked(Throttle.logins.counting(nameRecord, now: now))
    return .verify(row, hash: row?.comparable ?? substitute, isOpen: isOpen, isLast: isLast)
  }

  /// Completes a login with the right password. Returns nil if the account was removed or its
  /// password hash changed while the password was checked.
  private func succeed(
    _ row: AccountRow, _ candidate: HashedIdentifier, renewed: String?, _ factors: SecondFactors
  ) throws(AccountStoreError) -> LoginOutcome? {
    let subjects = try loginSubjects(of: row.account)
    func work(_ held: HeldAccount) throws(AccountStoreError) -> LoginOutcome? {
      guard held.passwordHash == row.passwordHash else {
        // The repeated check counts the attempt again.
        try FailureCounts.takeBack(nameSubject(candidate, of: row), in: database)
        try FailureCounts.takeBack(.account(held.id), in: database)
        return nil
      }
      // Only a user who knows the password learns that the account is disabled. The attempt stays
      // counted.
      guard !held.isDisabled else { return .disabled }
      try forget(subjects)
      var hash = row.passwordHash
      if let renewed {
        try database.run(
          "UPDATE accounts SET password_hash = ?1 WHERE id = ?2", .text(renewed), .integer(row.account.id))
        hash = renewed
      }
      let outcome = try outcome(of: row, passwordHash: hash, factors)
      if case .accepted = outcome { try recordLogin(of: row.account, now: factors.now) }
      return outcome
    }
    do throws(AccountStoreError) {
      // A power loss can only leave counts too high and the time of the last login too old.
      return try holding(row.account.id, isSynced: renewed != nil, work) ?? nil
    } catch {
      guard error.isFull else { throw error }
      guard !row.isDisabled else { return .disabled }
      // The failures already written stay, and the hash is renewed at a later login.
      options.deferredFailures.remove(subjects)
      return try outcome(of: row, passwordHash: row.passwordHash, factors)
    }
  }

  /// What decides whether a login needs a second factor, and which kinds of second factor the
  /// client can give.
  struct SecondFactors {
    var canUsePasskeys = false
    /// The token of the device on which the user logs in. Nil if the device has none.
    var device: UnsafeRawBufferPointer?
    /// If another process checked the password: when the password was typed, in milliseconds since
    /// 1970. Otherwise nil.
    var passwordMs: Int64?
    let now: Int64
  }

  func outcome(
    of row: AccountRow, passwordHash: String, _ factors: SecondFactors
  ) throws(AccountStoreError) -> LoginOutcome {
    let account = row.account.id
    guard var demand = try demand(of: account) else { return .rejected }
    let minimum = options.passwordRules.minimum(asksForCode: demand != .newPassword)
    var ways = try secondFactors(for: demand, of: account, canUsePasskeys: factors.canUsePasskeys)
    var isRemembered = false
    if !ways.isEmpty, let device = factors.device {
      isRemembered = try self.isRemembered(device, for: account, now: factors.now)
    }
    if isRemembered {
      ways = []
      demand = try self.demand(of: account, hasGivenCode: true) ?? .nothing
    }
    guard demand != .nothing else { return .accepted(row.account) }
    let passkeys = ways.contains(.passkey) ? try passkeys(of: row.account).map(\.id) : []
    let passwordMs = factors.passwordMs ?? factors.now
    return .pending(
      PendingLogin(
        account: row.account, passwordHash: passwordHash, demand: ways.first ?? demand,
        otherWays: Array(ways.dropFirst()), passkeys: passkeys, hasGivenCode: isRemembered,
        usedRememberedDevice: isRemembered, minimumPasswordLength: minimum, passwordMs: passwordMs,
        resume: isRemembered
          ? nil
          : resumeToken(for: row.account, passwordHash: passwordHash, passwordMs: passwordMs, now: factors.now)))
  }

  /// Stores the time of a login. Call in a transaction.
  func recordLogin(of account: Account, now: Int64) throws(AccountStoreError) {
    try database.run(
      "UPDATE accounts SET last_login_ms = ?1 WHERE id = ?2", .integer(now), .integer(account.id))
  }

  private var nameFailures: FailureCounts {
    FailureCounts(throttle: .logins, maximumUnknown: options.maximumUnknownIdentifiers)
  }

  private var accountFailures: FailureCounts {
    FailureCounts(throttle: .accountLogins, maximumUnknown: options.maximumUnknownIdentifiers)
  }
}
