/// A login whose password was right, and which has to meet a demand before it is accepted.
///
/// A pending login is valid as long as the account has this password: every change of the password, by whatever way, ends it.
public struct PendingLogin: Equatable, Sendable {
  public let account: Account
  /// The stored hash of the password that was right.
  let passwordHash: String
  /// The next demand. Never `.nothing`.
  public let demand: Demand
  /// What will do in place of the demand.
  public let otherWays: [Demand]
  /// The ids of the account's passkeys, if one of them will do.
  public let passkeys: [[UInt8]]
  /// When the password was right, in milliseconds since 1970.
  public let passwordMs: Int64
  /// Whether the second factor was right already.
  let hasGivenCode: Bool
  /// Whether a remembered device stood in for the second factor.
  public let isSpared: Bool
  /// Whether all demands were met, so that the person may change the account.
  let isProof: Bool
  /// The fewest characters of a new password.
  public let minimumPasswordLength: Int
  /// From what the login can go on elsewhere, as long as nothing but the password was given; see `AccountStore.resume`.
  public let resume: String?

  package init(
    account: Account, passwordHash: String, demand: Demand, otherWays: [Demand] = [], passkeys: [[UInt8]] = [],
    hasGivenCode: Bool = false, isSpared: Bool = false,
    minimumPasswordLength: Int = PasswordRules().minimumLength, passwordMs: Int64, resume: String? = nil
  ) {
    self.account = account
    self.passwordHash = passwordHash
    self.demand = demand
    self.otherWays = otherWays
    self.passkeys = passkeys
    self.hasGivenCode = hasGivenCode
    self.isSpared = isSpared
    isProof = false
    self.minimumPasswordLength = minimumPasswordLength
    self.passwordMs = passwordMs
    self.resume = resume
  }

  /// A proof with which the account can be changed.
  init(provenBy account: Account, passwordHash: String, passwordMs: Int64) {
    self.account = account
    self.passwordHash = passwordHash
    demand = .newPassword
    otherWays = []
    passkeys = []
    hasGivenCode = true
    isSpared = false
    isProof = true
    minimumPasswordLength = PasswordRules().minimumLength
    self.passwordMs = passwordMs
    resume = nil
  }

  /// What becomes of a login that has met its demands where a person who is in was asked for it.
  package var proof: PendingLogin {
    PendingLogin(provenBy: account, passwordHash: passwordHash, passwordMs: passwordMs)
  }

  /// The same login with another of its ways as the demand. Nil if that is none of them.
  package func choosing(_ way: Demand) -> PendingLogin? {
    guard way != demand else { return self }
    guard otherWays.contains(way) else { return nil }
    return PendingLogin(
      account: account, passwordHash: passwordHash, demand: way, otherWays: [demand] + otherWays.filter { $0 != way },
      passkeys: passkeys, minimumPasswordLength: minimumPasswordLength, passwordMs: passwordMs, resume: resume)
  }

  /// What an account demands beyond its password, one after another.
  public enum Demand: Equatable, Sendable {
    /// The use of one of the account's passkeys.
    case passkey
    /// A code of an authenticator app.
    case oneTimeCode
    case recoveryCode
    /// The password has expired.
    case newPassword
    case nothing
  }
}

extension AccountStore {
  /// The first demand of the account. Nil if the account is gone or disabled. A code of either kind meets the demand for one.
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

  /// Whether logins to the account need a second factor where no device is remembered.
  public func demandsSecondFactor(_ account: Account) throws(AccountStoreError) -> Bool {
    switch try demand(of: account.id) {
    case .oneTimeCode, .recoveryCode: true
    case .passkey, .newPassword, .nothing, nil: false
    }
  }

  /// What meets a demand for a code, the preferred one first. Empty if the demand is another.
  ///
  /// An account has to demand a code of one of the kinds for this. Passkeys alone do not make the password insufficient.
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
    // When all codes are used, the account still asks for one.
    return ways.isEmpty ? [demand] : ways
  }

  /// What becomes of a login whose code was right.
  func afterCode(_ login: PendingLogin, now: Int64) throws(AccountStoreError) -> CodeOutcome {
    switch try demand(of: login.account.id, hasGivenCode: true) {
    case nil: return .over
    case .nothing:
      try noteLogin(of: login.account, now: now)
      return .accepted(login.account)
    case let demand?:
      return .pending(
        PendingLogin(
          account: login.account, passwordHash: login.passwordHash, demand: demand, hasGivenCode: true,
          minimumPasswordLength: options.passwordRules.minimum(asksForCode: true), passwordMs: login.passwordMs))
    }
  }

  /// Whether the account still has the password that was right, and is not disabled.
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

/// The result of using a code as a second factor.
public enum CodeOutcome: Equatable, Sendable {
  case accepted(Account)
  /// The code was right, and the account demands still more.
  case pending(PendingLogin)
  /// A wrong or used code: the same answer after the same work.
  case rejected
  /// Too many attempts; the code was not checked. Milliseconds until the next attempt counts.
  case throttled(retryAfterMs: Int64)
  /// There were so many wrong codes that none of this kind is checked any more.
  case locked
  /// The account is gone or disabled, has another password or no codes any more: the login has to begin again.
  case over
}

/// The result of replacing an expired password.
public enum NewPasswordOutcome: Equatable, Sendable {
  case accepted(Account)
  case refused(ValueProblem)
  /// The account is gone or disabled or has another password: the login has to begin again.
  case over
}
