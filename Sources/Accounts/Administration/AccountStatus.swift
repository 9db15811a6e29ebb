/// The state of an account, as an administrator sees it.
public struct AccountStatus: Equatable, Sendable {
  public let account: Account
  /// The number of recovery codes that can still be used. Nil if the account has none.
  public let recoveryCodesLeft: Int64?
  public let isPasswordExpired: Bool
  /// Whether login requires a one-time code.
  public let hasOneTimeCodes: Bool
  public let hasPasskeys: Bool
  public let isDisabled: Bool
  /// Whether the user has typed a code that was mailed to the address, or an administrator vouches
  /// for the address.
  public let isEmailProven: Bool
  /// `failures` counts the failed logins, and `codeFailures` the wrong one-time codes and recovery
  /// codes, each since the last success or unlock.
  public let failures, codeFailures: Int64
  /// How many of the `codeFailures` were wrong recovery codes.
  public let recoveryCodeFailures: Int64
  /// The time of the last login, in milliseconds since 1970. Nil if there was none.
  public let lastLoginMs: Int64?
  /// The scheme of the password's hash: `y` for yescrypt, `2b` for bcrypt and so on. Nil if the
  /// account has no usable password.
  public let hashKind: String?

  /// Whether the account is locked: no password is checked any more.
  public var isLocked: Bool { failures >= Throttle.consecutive }
  /// Whether one-time codes are locked: none is checked any more.
  public var areCodesLocked: Bool { hasOneTimeCodes && codeFailures >= Throttle.consecutive }
  /// Whether recovery codes are locked: none is checked any more.
  public var areRecoveryCodesLocked: Bool { recoveryCodesLeft != nil && recoveryCodeFailures >= Throttle.consecutive }
}

extension AccountStore {
  /// Returns up to `limit` accounts in order of id, starting after the given id.
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

  /// Returns the status of the account with this email address or user name. Nil if there is no
  /// such account.
  public func accountStatus(identifier: String) throws(AccountStoreError) -> AccountStatus? {
    guard let account = try account(identifier: identifier) else { return nil }
    // Avoids overflow: a damaged file may contain any integer.
    let status = try accountStatuses(after: max(account.id, .min + 1) - 1, limit: 1).first
    return status?.account.id == account.id ? status : nil
  }
}
