/// What an administrator sees of an account.
public struct AccountStatus: Equatable, Sendable {
  public let account: Account
  /// How many recovery codes can still be used; nil if the account demands none.
  public let recoveryCodesLeft: Int64?
  public let isPasswordExpired: Bool
  /// Whether the account demands one-time codes.
  public let hasOneTimeCodes: Bool
  public let hasPasskeys: Bool
  public let isDisabled: Bool
  /// Whether somebody has typed a code that was mailed to the address, or an administrator vouches for it.
  public let isEmailProven: Bool
  /// Failures to log in since somebody logged in last, and wrong codes since one was right.
  public let failures, codeFailures: Int64
  /// Wrong recovery codes among these.
  public let recoveryCodeFailures: Int64
  /// When somebody logged in last, in milliseconds since 1970; nil if nobody has.
  public let lastLoginMs: Int64?
  /// The kind of the password's hash: `y` for yescrypt, `2b` for bcrypt and so on. Nil if no password lets in.
  public let hashKind: String?

  /// Whether no password is checked any more.
  public var isLocked: Bool { failures >= Throttle.consecutive }
  /// Whether no one-time code is checked any more.
  public var areCodesLocked: Bool { hasOneTimeCodes && codeFailures >= Throttle.consecutive }
  /// Whether no recovery code is checked any more.
  public var areRecoveryCodesLocked: Bool { recoveryCodesLeft != nil && recoveryCodeFailures >= Throttle.consecutive }
}

extension AccountStore {
  /// Up to `limit` accounts in the order of their ids, beginning after the given id.
  public func accountStatuses(after id: Int64 = 0, limit: Int = 1_000) throws(AccountStoreError) -> [AccountStatus] {
    try database.rows(
      """
      SELECT id, email, user_name, created_ms, password_expired,
        (SELECT count(*) FROM recovery_codes WHERE account = accounts.id),
        (SELECT count(*) FROM recovery_codes WHERE account = accounts.id AND used IS NULL),
        EXISTS (SELECT 1 FROM one_time_codes WHERE account = accounts.id), disabled_ms IS NOT NULL,
        (SELECT failures FROM tries WHERE subject = 'account:' || CAST(accounts.id AS TEXT)),
        (SELECT failures FROM tries WHERE subject = 'recovery:' || CAST(accounts.id AS TEXT)), last_login_ms, attributes, password_hash,
        EXISTS (SELECT 1 FROM passkeys WHERE account = accounts.id),
        (SELECT failures FROM tries WHERE subject = 'recoveryCode:' || CAST(accounts.id AS TEXT)), email_proof
      FROM accounts WHERE id > ?1 ORDER BY id LIMIT ?2
      """, .integer(id), .integer(Int64(limit))
    ) {
      AccountStatus(
        account: Account(
          id: $0.integer(0), email: $0.text(1), userName: $0.text(2), createdMs: $0.integer(3),
          attributes: $0.optionalText(12)),
        recoveryCodesLeft: $0.integer(5) == 0 ? nil : $0.integer(6), isPasswordExpired: $0.integer(4) != 0,
        hasOneTimeCodes: $0.integer(7) != 0, hasPasskeys: $0.integer(14) != 0, isDisabled: $0.integer(8) != 0,
        isEmailProven: AddressProof(stored: $0.text(16)) != .none,
        failures: $0.integer(9),
        codeFailures: $0.integer(10), recoveryCodeFailures: $0.integer(15), lastLoginMs: $0.optionalInteger(11),
        hashKind: PasswordHasher.checkedKind(of: $0.text(13)))
    }
  }

  /// The account with this email address or user name.
  public func accountStatus(identifier: String) throws(AccountStoreError) -> AccountStatus? {
    guard let account = try account(identifier: identifier) else { return nil }
    // A damaged file may have any numbers.
    let status = try accountStatuses(after: max(account.id, .min + 1) - 1, limit: 1).first
    return status?.account.id == account.id ? status : nil
  }
}
