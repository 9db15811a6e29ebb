/// An account together with the values that only the store may see.
struct AccountRow {
  let account: Account
  let passwordHash: String
  /// The idempotency key of the registration that made it.
  let registration: String
  /// The idempotency key of the reset that set its password.
  let reset: String
  let emailKey: NameKey
  let userNameKey: NameKey
  let isDisabled: Bool
  let proof: AddressProof

  /// Whether the request with this key has set the password. An empty key is none, and reads like that of a password that no key has set.
  func isReset(by key: String) -> Bool { !key.isEmpty && reset == key }

  /// Whether the account still has the password with this hash, and is not disabled.
  func isCurrent(_ passwordHash: String) -> Bool { self.passwordHash == passwordHash && !isDisabled }

  /// Whether the reset with this key was the first proof of the address, and has taken away what was registered before.
  func isTaken(by key: String) -> Bool { isReset(by: key) && proof == .givenTaking(key: key) }

  /// What is stored in place of a hash where no password lets in. A mailed reset sets one.
  static let noPassword = "!"

  /// The hash that a password is compared with; nil if there is none, where the work is that for a name that nobody has.
  var comparable: String? { hasPassword ? passwordHash : nil }

  /// Whether some password may let in. What is stored may be no hash, or none that can be checked.
  var hasPassword: Bool { Self.isHash(String(Pepper.parts(of: passwordHash).hash)) }

  /// Whether a text is a hash as this program keeps hashes.
  static func isHash(_ text: String) -> Bool { (try? ForeignHash(text))?.text == text }
}

extension AccountStore {
  /// The account with this email address or user name. The two cannot be confused, since only an email address has an
  /// `@`.
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

  /// The accounts that have the email address or the user name of a registration: at most two.
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
