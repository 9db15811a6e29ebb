/// A login whose password was right, and which has to meet a demand before it is accepted.
///
/// A pending login is valid as long as the account has this password: every change of the password, by whatever way, ends it.
public struct PendingLogin: Equatable, Sendable {
  public let account: Account
  /// The stored hash of the password that was right.
  let passwordHash: String
  /// The next demand. Never `.nothing`.
  public let demand: Demand

  package init(account: Account, passwordHash: String, demand: Demand) {
    self.account = account
    self.passwordHash = passwordHash
    self.demand = demand
  }

  /// What an account demands beyond its password, one after another.
  public enum Demand: Equatable, Sendable {
    case recoveryCode
    /// The password has expired.
    case newPassword
    case nothing
  }
}

extension AccountStore {
  /// The first demand of the account. Nil if the account is gone.
  func demand(of account: Int64, hasGivenCode: Bool = false) throws(AccountStoreError) -> PendingLogin.Demand? {
    let found = try database.rows(
      """
      SELECT password_expired, EXISTS (SELECT 1 FROM recovery_codes WHERE account = ?1) FROM accounts WHERE id = ?1
      """, .integer(account)
    ) { (isExpired: $0.integer(0) != 0, asksForCode: $0.integer(1) != 0) }.first
    guard let found else { return nil }
    if found.asksForCode, !hasGivenCode { return .recoveryCode }
    return found.isExpired ? .newPassword : .nothing
  }

  /// Whether the account still has the password that was right.
  func isCurrent(_ login: PendingLogin) throws(AccountStoreError) -> Bool {
    try !database.rows(
      "SELECT 1 FROM accounts WHERE id = ?1 AND password_hash = ?2", .integer(login.account.id),
      .text(login.passwordHash)
    ) { $0.integer(0) }.isEmpty
  }
}

/// The result of using a recovery code.
public enum RecoveryOutcome: Equatable, Sendable {
  case accepted(Account)
  /// The code was right, and the account demands still more.
  case pending(PendingLogin)
  /// A wrong or used code: the same answer after the same work.
  case rejected
  /// Too many attempts; the code was not checked. Milliseconds until the next attempt counts.
  case throttled(retryAfterMs: Int64)
  /// The account is gone, has another password or no codes any more: the login has to begin again.
  case over
}

/// The result of replacing an expired password.
public enum NewPasswordOutcome: Equatable, Sendable {
  case accepted(Account)
  case refused(ValueProblem)
  /// The account is gone or has another password: the login has to begin again.
  case over
}
