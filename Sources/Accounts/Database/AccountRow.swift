/// An account with the values that only the store may see.
struct AccountRow {
  let account: Account
  let passwordHash: String
  /// The idempotency key of the registration that created the account.
  let registration: String
  /// The idempotency key of the request by which the user set the current password, such as a
  /// reset. Empty if the password was set in another way.
  let reset: String
  let emailKey: NameKey
  let userNameKey: NameKey
  let isDisabled: Bool
  let proof: AddressProof

  /// Whether the request with this idempotency key has set the account's password. Always false for
  /// an empty key, which stands for a password that was set without one.
  func isReset(by key: String) -> Bool { !key.isEmpty && reset == key }

  /// Whether the account still has the password with this hash and is not disabled.
  func isCurrent(_ passwordHash: String) -> Bool { self.passwordHash == passwordHash && !isDisabled }

  /// Whether the reset with this idempotency key was the first to prove that the user owns the
  /// address, and therefore removed the factors that were registered before.
  func isTaken(by key: String) -> Bool { isReset(by: key) && proof == .provedRemovingFactors(key: key) }

  /// What is stored in place of a hash if the account has no password. The user can set a password
  /// with a mailed reset code.
  static let noPassword = "!"

  /// The hash with which a typed password is compared. Nil if the account has no usable password; a
  /// login then does the same work as for an unknown name.
  var comparable: String? { hasPassword ? passwordHash : nil }

  /// Whether any password can match, that is, whether the stored value is a hash that this program
  /// can check.
  var hasPassword: Bool { Self.isHash(String(Pepper.parts(of: passwordHash).hash)) }

  /// Whether the text is a hash in this program's canonical form.
  static func isHash(_ text: String) -> Bool { (try? ImportedHash(text))?.text == text }
}

extension AccountStore {
  /// Returns the account with this email address or user name. The two cannot be confused, because
  /// only email addresses contain `@`.
  func row(identifierKey key: NameKey) throws(AccountStoreError) -> AccountRow? {
    try database.rows(
      """
      SELECT id, email, user_name, created_ms, password_hash, registration, reset, email_key, user_name_key,
        disabled_ms IS NOT NULL, attributes, email_proof
      FROM accounts
      WHERE email_key = ?1 OR user_name_key = ?1
      """, .text(key.text), row: Self.row
    ).first
  }

  /// Returns the accounts that have the email address or the user name of a registration: at most
  /// two.
  func rows(emailKey: NameKey?, userNameKey: NameKey?) throws(AccountStoreError) -> [AccountRow] {
    try database.rows(
      """
      SELECT id, email, user_name, created_ms, password_hash, registration, reset, email_key, user_name_key,
        disabled_ms IS NOT NULL, attributes, email_proof
      FROM accounts
      WHERE email_key = ?1 OR user_name_key = ?2
      """, .text(emailKey?.text ?? ""), .text(userNameKey?.text ?? ""), row: Self.row)
  }

  func row(id: Int64) throws(AccountStoreError) -> AccountRow? {
    try database.rows(
      """
      SELECT id, email, user_name, created_ms, password_hash, registration, reset, email_key, user_name_key,
        disabled_ms IS NOT NULL, attributes, email_proof
      FROM accounts WHERE id = ?1
      """, .integer(id), row: Self.row
    ).first
  }

  func account(id: Int64) throws(AccountStoreError) -> Account? {
    try database.rows(
      "SELECT id, email, user_name, created_ms, attributes FROM accounts WHERE id = ?1", .integer(id)
    ) {
      Account(
        id: $0.integer(0), email: $0.text(1), userName: $0.text(2), createdMs: $0.integer(3),
        attributes: $0.optionalText(4))
    }.first
  }

  private static func row(_ statement: any SQLRow) -> AccountRow {
    AccountRow(
      account: Account(
        id: statement.integer(0), email: statement.text(1), userName: statement.text(2),
        createdMs: statement.integer(3), attributes: statement.optionalText(10)),
      passwordHash: statement.text(4), registration: statement.text(5), reset: statement.text(6),
      emailKey: NameKey(text: statement.text(7)), userNameKey: NameKey(text: statement.text(8)),
      isDisabled: statement.integer(9) != 0, proof: AddressProof(stored: statement.text(11)))
  }
}
