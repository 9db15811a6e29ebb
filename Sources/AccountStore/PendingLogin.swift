/// A login whose password was right, and which asks for more before it is accepted.
///
/// It is good as long as the account has this very password: whoever sets another, by whatever way, ends it.
public struct PendingLogin: Equatable, Sendable {
  public let account: Account
  /// The stored hash that the password was found to have.
  let passwordHash: String
  /// What is asked for next. Never `.nothing`.
  public let demand: Demand

  package init(account: Account, passwordHash: String, demand: Demand) {
    self.account = account
    self.passwordHash = passwordHash
    self.demand = demand
  }

  /// What an account asks for beyond its password, one after another.
  public enum Demand: Equatable, Sendable {
    case recoveryCode
    /// The password has expired.
    case newPassword
    case nothing
  }
}

extension AccountStore {
  /// What the account asks for first. Nil when it is gone.
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

  /// Whether the login's account still has the password that was right.
  func isCurrent(_ login: PendingLogin) throws(AccountStoreError) -> Bool {
    try !database.rows(
      "SELECT 1 FROM accounts WHERE id = ?1 AND password_hash = ?2", .integer(login.account.id),
      .text(login.passwordHash)
    ) { $0.integer(0) }.isEmpty
  }
}

/// What came of a recovery code.
public enum RecoveryOutcome: Equatable, Sendable {
  case accepted(Account)
  /// The code was right, and the account asks for still more.
  case pending(PendingLogin)
  /// A wrong or used code: the same answer after the same work.
  case rejected
  /// Too many tries; nothing was looked at. Milliseconds until the next try counts.
  case throttled(retryAfterMs: Int64)
  /// The account is gone, has another password, or no codes any more: log in again.
  case over
}

/// What came of choosing another password for one that has expired.
public enum NewPasswordOutcome: Equatable, Sendable {
  case accepted(Account)
  case refused(ValueProblem)
  /// The account is gone or has another password: log in again.
  case over
}
