/// A login whose password was right and that must meet a demand before it is accepted.
///
/// A pending login is valid as long as the account has this password: any change of the password
/// ends it.
public struct PendingLogin: Equatable, Sendable {
  public let account: Account
  /// The stored hash of the password that was right.
  let passwordHash: String
  /// What the user must give next. Never `.nothing`.
  public let demand: Demand
  /// The other ways in which the user may continue: meeting any of them also meets `demand`.
  public let otherWays: [Demand]
  /// The ids of the account's passkeys if the user may give a passkey next. Otherwise empty.
  public let passkeys: [[UInt8]]
  /// When the password was right, in milliseconds since 1970.
  public let passwordMs: Int64
  /// Whether the user has given the second factor, or a remembered device replaced it.
  let hasGivenCode: Bool
  /// Whether a remembered device replaced the second factor.
  public let usedRememberedDevice: Bool
  /// Whether this is a proof, which authorises changes of the account.
  let isProof: Bool
  /// The minimum length of a new password, in characters.
  public let minimumPasswordLength: Int
  /// A token with which the login can continue in another process. Nil if none could be made, or if
  /// the user has already given more than the password; see `AccountStore.resume`.
  public let resume: String?

  package init(
    account: Account, passwordHash: String, demand: Demand, otherWays: [Demand] = [], passkeys: [[UInt8]] = [],
    hasGivenCode: Bool = false, usedRememberedDevice: Bool = false,
    minimumPasswordLength: Int = PasswordRules().minimumLength, passwordMs: Int64, resume: String? = nil
  ) {
    self.account = account
    self.passwordHash = passwordHash
    self.demand = demand
    self.otherWays = otherWays
    self.passkeys = passkeys
    self.hasGivenCode = hasGivenCode
    self.usedRememberedDevice = usedRememberedDevice
    isProof = false
    self.minimumPasswordLength = minimumPasswordLength
    self.passwordMs = passwordMs
    self.resume = resume
  }

  /// Creates a proof, which authorises changes of the account.
  init(provenBy account: Account, passwordHash: String, passwordMs: Int64) {
    self.account = account
    self.passwordHash = passwordHash
    demand = .newPassword
    otherWays = []
    passkeys = []
    hasGivenCode = true
    usedRememberedDevice = false
    isProof = true
    minimumPasswordLength = PasswordRules().minimumLength
    self.passwordMs = passwordMs
    resume = nil
  }

  /// This login as a proof, for a logged-in user who has met all demands of the login.
  package var proof: PendingLogin {
    PendingLogin(provenBy: account, passwordHash: passwordHash, passwordMs: passwordMs)
  }

  /// Returns the same login with `way` as its demand. Nil if `way` is neither the demand nor one of
  /// its alternatives.
  package func choosing(_ way: Demand) -> PendingLogin? {
    guard way != demand else { return self }
    guard otherWays.contains(way) else { return nil }
    return PendingLogin(
      account: account, passwordHash: passwordHash, demand: way, otherWays: [demand] + otherWays.filter { $0 != way },
      passkeys: passkeys, minimumPasswordLength: minimumPasswordLength, passwordMs: passwordMs, resume: resume)
  }

  /// What an account requires beyond its password. If it requires several things, a login demands
  /// one after another.
  public enum Demand: Equatable, Sendable {
    /// The use of one of the account's passkeys.
    case passkey
    /// A code from an authenticator app.
    case oneTimeCode
    case recoveryCode
    /// A new password, because the current one has expired.
    case newPassword
    case nothing
  }
}

extension AccountStore {
  /// Returns the first demand that a login to the account must meet. Nil if the account was removed
  /// or disabled.
  ///
  /// - Parameter hasGivenCode: Whether the user has given a second factor, or a remembered device
  ///   replaces it, so that no code is demanded any more.
  func demand(of account: Int64, hasGivenCode: Bool = false) throws(AccountStoreError) -> PendingLogin.Demand? {
    let found = try database.rows(
      """
      SELECT password_expired, EXISTS (SELECT 1 FROM recovery_codes WHERE account = ?1),
        EXISTS (SELECT 1 FROM one_time_codes WHERE account = ?1)
      FROM accounts WHERE id = ?1 AND disabled_ms IS NULL
      """, .integer(account)
    ) { (isExpired: $0.integer(0) != 0, hasRecoveryCodes: $0.integer(1) != 0, hasOneTimeCodes: $0.integer(2) != 0) }
    .first
    guard let found else { return nil }
    if !hasGivenCode {
      if found.hasOneTimeCodes { return .oneTimeCode }
      if found.hasRecoveryCodes { return .recoveryCode }
    }
    return found.isExpired ? .newPassword : .nothing
  }

  /// Whether logins to the account need a second factor on devices that are not remembered.
  public func demandsSecondFactor(_ account: Account) throws(AccountStoreError) -> Bool {
    switch try demand(of: account.id) {
    case .oneTimeCode, .recoveryCode: true
    case .passkey, .newPassword, .nothing, nil: false
    }
  }

  /// Returns the ways to meet a demand for a code, the preferred one first. Empty for any other
  /// demand.
  ///
  /// An account that has passkeys, but neither one-time codes nor recovery codes, creates no such
  /// demand: its password alone is enough.
  func secondFactors(
    for demand: PendingLogin.Demand, of account: Int64, canUsePasskeys: Bool
  ) throws(AccountStoreError) -> [PendingLogin.Demand] {
    guard demand == .oneTimeCode || demand == .recoveryCode else { return [] }
    let has = try database.rows(
      """
      SELECT EXISTS (SELECT 1 FROM passkeys WHERE account = ?1),
        EXISTS (SELECT 1 FROM recovery_codes WHERE account = ?1 AND used IS NULL)
      """, .integer(account)
    ) { (passkeys: $0.integer(0) != 0, recoveryCodes: $0.integer(1) != 0) }.first
    var ways: [PendingLogin.Demand] = []
    if has?.passkeys == true, canUsePasskeys { ways.append(.passkey) }
    if demand == .oneTimeCode { ways.append(.oneTimeCode) }
    if has?.recoveryCodes == true { ways.append(.recoveryCode) }
    // With all recovery codes used, the account still requires one.
    return ways.isEmpty ? [demand] : ways
  }

  /// The outcome of a login whose code was right.
  func afterCode(_ login: PendingLogin, now: Int64) throws(AccountStoreError) -> CodeOutcome {
    switch try demand(of: login.account.id, hasGivenCode: true) {
    case nil: return .over
    case .nothing:
      try recordLogin(of: login.account, now: now)
      return .accepted(login.account)
    case let demand?:
      return .pending(
        PendingLogin(
          account: login.account, passwordHash: login.passwordHash, demand: demand, hasGivenCode: true,
          minimumPasswordLength: options.passwordRules.minimum(asksForCode: true), passwordMs: login.passwordMs))
    }
  }

  /// Whether the account of a pending login still has the password that was right, and is not
  /// disabled.
  func isCurrent(_ login: PendingLogin) throws(AccountStoreError) -> Bool {
    try isCurrent(login.account, login.passwordHash)
  }

  func isCurrent(_ account: Account, _ passwordHash: String) throws(AccountStoreError) -> Bool {
    try !database.rows(
      "SELECT 1 FROM accounts WHERE id = ?1 AND password_hash = ?2 AND disabled_ms IS NULL", .integer(account.id),
      .text(passwordHash)
    ) { $0.integer(0) }.isEmpty
  }
}

/// The result of giving a second factor: a one-time code, a recovery code or a passkey.
public enum CodeOutcome: Equatable, Sendable {
  case accepted(Account)
  /// The code was right, and the account requires another step.
  case pending(PendingLogin)
  /// The code is wrong or was used before. Both cases do the same work.
  case rejected
  /// There were too many attempts; the code was not checked. The next attempt is checked after
  /// `retryAfterMs` milliseconds.
  case throttled(retryAfterMs: Int64)
  /// There were so many wrong codes that codes of this kind are not checked any more.
  case locked
  /// The account was removed or disabled, or has another password or no codes any more: the login
  /// must start again.
  case over
}

/// The result of replacing an expired password.
public enum NewPasswordOutcome: Equatable, Sendable {
  case accepted(Account)
  case refused(ValueProblem)
  /// The account was removed or disabled, or has another password: the login must start again.
  case over
}
