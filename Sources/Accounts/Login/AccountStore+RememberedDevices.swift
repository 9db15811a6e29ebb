import CCrypto
import SecretMemory
import WebAuthn

/// Remembered devices. After a user has given a second factor on a device, later logins on this
/// device need no second factor.
extension AccountStore {
  /// The maximum number of remembered devices of an account. Remembering one more forgets the
  /// oldest.
  public static let maximumRememberedDevices: Int64 = 20
  private static let tokenLength = 32

  /// Remembers a device for `lifetimeMs`, starting at `now` (wall-clock milliseconds since 1970),
  /// and returns its token. When this returns, the token's hash is on disk. Returns nil if the
  /// account was removed.
  ///
  /// - Parameters:
  ///   - login: The login in which the user gave the second factor. If it is given, the result is
  ///     also nil if the account was disabled since then, or if anything other than this login
  ///     changed the account's password.
  ///   - key: If the user chose a new password in this login: the idempotency key of that change.
  public func rememberDevice(
    of account: Account, after login: PendingLogin? = nil, key: String = "", lifetimeMs: Int64, now: Int64
  ) throws(AccountStoreError) -> DeviceToken? {
    let now = Self.bounded(now)
    var generator = SystemRandomNumberGenerator()
    var random = SecretBytes()
    for _ in 0..<Self.tokenLength { random.append(byte: UInt8.random(in: .min ... .max, using: &generator)) }
    let token = DeviceToken(random.withBytes { Base32.encode($0) })
    let hash = token.text.withBytes { Self.hash(token: $0) }
    let remembered = try holding(account.id) { held throws(AccountStoreError) -> DeviceToken? in
      if let login {
        let hasSetPassword = login.demand == .newPassword && held.isReset(by: key) && !held.isDisabled
        guard hasSetPassword || held.isCurrent(login.passwordHash) else { return nil }
      }
      try database.run(
        "INSERT INTO remembered_devices (account, token_hash, created_ms, expires_ms) VALUES (?1, ?2, ?3, ?4)",
        .integer(account.id), .text(hash), .integer(now), .integer(now + min(max(0, lifetimeMs), Self.latest)))
      try database.sweep("DELETE FROM remembered_devices WHERE expires_ms <= ?1", .integer(now))
      try database.run(
        """
        DELETE FROM remembered_devices WHERE account = ?1
          AND id NOT IN (SELECT id FROM remembered_devices WHERE account = ?1 ORDER BY id DESC LIMIT ?2)
        """, .integer(account.id), .integer(Self.maximumRememberedDevices))
      return token
    }
    return remembered ?? nil
  }

  /// Whether the token belongs to a device that is remembered for the account at `now`.
  func isRemembered(_ token: UnsafeRawBufferPointer, for account: Int64, now: Int64) throws(AccountStoreError) -> Bool {
    try !database.rows(
      """
      SELECT 1 FROM remembered_devices WHERE token_hash = ?1 AND account = ?2 AND expires_ms > ?3 AND created_ms <= ?4
      """, .text(Self.hash(token: token)), .integer(account), .integer(now), .integer(now + Throttle.largestSkew)
    ) { $0.integer(0) }.isEmpty
  }

  /// Returns the devices that are remembered at `now`, oldest first. Nil if there is no such
  /// account.
  public func rememberedDevices(identifier: String, now: Int64) throws(AccountStoreError) -> [RememberedDevice]? {
    guard let account = try account(identifier: identifier) else { return nil }
    return try database.rows(
      "SELECT id, created_ms, expires_ms FROM remembered_devices WHERE account = ?1 AND expires_ms > ?2 ORDER BY id",
      .integer(account.id), .integer(Self.bounded(now))
    ) { RememberedDevice(id: $0.integer(0), createdMs: $0.integer(1), expiresMs: $0.integer(2)) }
  }

  /// Forgets a device of an account. Returns whether it was remembered.
  public func forgetDevice(id: Int64, of account: Account) throws(AccountStoreError) -> Bool {
    let isForgotten = try holding(account.id) { _ throws(AccountStoreError) in
      try database.run(
        "DELETE FROM remembered_devices WHERE id = ?1 AND account = ?2", .integer(id), .integer(account.id))
      return database.changes == 1
    }
    return isForgotten ?? false
  }

  /// Forgets all devices of an account.
  public func forgetDevices(of account: Account) throws(AccountStoreError) {
    _ = try forgetDevices(of: account, passwordHash: nil)
  }

  /// Forgets all devices of an account. Returns false if the account was removed or, if
  /// `passwordHash` is given, was disabled or has another password.
  func forgetDevices(of account: Account, passwordHash: String?) throws(AccountStoreError) -> Bool {
    let isForgotten = try holding(account.id) { held throws(AccountStoreError) in
      if let passwordHash, !held.isCurrent(passwordHash) { return false }
      try voidDevices(of: account)
      return true
    }
    return isForgotten ?? false
  }

  /// Revokes everything that a change of the password must revoke: mailed reset codes and
  /// remembered devices. Call in the transaction of the change.
  func passwordChanged(of account: Account) throws(AccountStoreError) {
    try voidResetCodes(of: account)
    try voidDevices(of: account)
  }

  private func voidDevices(of account: Account) throws(AccountStoreError) {
    try database.run("DELETE FROM remembered_devices WHERE account = ?1", .integer(account.id))
  }

  /// The hash under which a token is stored. A fast hash is enough, because tokens have 256 random
  /// bits.
  private static func hash(token: UnsafeRawBufferPointer) -> String {
    var digest = [UInt8](repeating: 0, count: Int(CCRYPTO_SHA256_LENGTH))
    ccrypto_digest(CCRYPTO_SHA256, token.baseAddress, token.count, &digest)
    return Base64URL.encode(digest)
  }
}
