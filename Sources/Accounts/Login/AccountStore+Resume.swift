import CCrypto
import SecretMemory
import WebAuthn

/// Logins that continue in another process, on any host that has the same accounts and the same key
/// file.
///
/// A resume token states that a password was right, and for its lifetime it is worth as much as the
/// password. It is encrypted with the key of the key file, accepted once, and void when the account
/// gets another password or is disabled. A login may continue in another process repeatedly, but
/// only within an hour after its password was typed.
///
/// Anyone with the accounts and the key file can forge tokens. Therefore the pepper, if there is
/// one, goes into each token, and a token replaces only the password: if the account requires
/// nothing beyond the password, the token is refused.
extension AccountStore {
  /// The lifetime of a token in milliseconds. It equals the time that a conversation waits for an
  /// answer.
  static let resumeLifetimeMs: Int64 = 600_000
  /// How long a login can be resumed after its password was typed, in milliseconds.
  private static let movingLifetimeMs: Int64 = 3_600_000
  /// The accepted difference between the clocks of two hosts, in milliseconds.
  private static let resumeSkewMs: Int64 = 300_000
  private static let resumeUse = "login-engine resume 1"

  /// The decrypted content of a token.
  private struct Resumption {
    static let idLength = 16
    static let length = 24 + idLength + Int(CCRYPTO_SHA256_LENGTH)

    let account: Int64
    let expiresMs: Int64
    /// When the password was typed, in milliseconds since 1970.
    let passwordMs: Int64
    /// Identifies the token, so that it is accepted only once.
    let id: [UInt8]
    /// A digest of the stored hash of the password that was right, and of the pepper if there is
    /// one.
    let digest: [UInt8]

    init(account: Int64, expiresMs: Int64, passwordMs: Int64, digest: [UInt8]) {
      self.account = account
      self.expiresMs = expiresMs
      self.passwordMs = passwordMs
      var generator = SystemRandomNumberGenerator()
      id = (0..<Self.idLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      self.digest = digest
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
      guard bytes.count == Self.length else { return nil }
      account = Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
      expiresMs = Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
      passwordMs = AccountStore.bounded(Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: Int64.self)))
      id = Array(bytes[24..<24 + Self.idLength])
      digest = Array(bytes[(24 + Self.idLength)...])
    }

    var bytes: [UInt8] {
      [account, expiresMs, passwordMs].flatMap { withUnsafeBytes(of: $0.bigEndian, Array.init) } + id + digest
    }
  }

  private func digest(of passwordHash: String) throws(AccountStoreError) -> [UInt8] {
    var text = SecretBytes()
    Array(passwordHash.utf8).withUnsafeBytes { text.append($0) }
    return try text.withBytes { bytes throws(AccountStoreError) in
      guard let pepper else { return Self.digest(of: bytes) }
      return try pepper.with(bytes) { bytes throws(AccountStoreError) in Self.digest(of: bytes) }
    }
  }

  private static func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(CCRYPTO_SHA256_LENGTH))
    ccrypto_digest(CCRYPTO_SHA256, bytes.baseAddress, bytes.count, &digest)
    return digest
  }

  /// Creates a token for a login whose password was right at `passwordMs`. Returns nil if that is
  /// not possible, for instance without a key file.
  func resumeToken(for account: Account, passwordHash: String, passwordMs: Int64, now: Int64) -> String? {
    let expiresMs = min(now + Self.resumeLifetimeMs, passwordMs + Self.movingLifetimeMs)
    guard now < expiresMs else { return nil }
    do throws(AccountStoreError) {
      let resumption = Resumption(
        account: account.id, expiresMs: expiresMs, passwordMs: passwordMs, digest: try digest(of: passwordHash))
      let key = try keyForSecrets()
      return resumption.bytes.withUnsafeBytes { SealedBytes.seal($0, boundTo: Self.resumeUse, key: key) }
        .map { Base64URL.encode($0) }
    } catch {
      return nil
    }
  }

  /// Continues a login at `now` (wall-clock milliseconds since 1970) as if the user had just typed
  /// the right password.
  ///
  /// Returns nil if the token is invalid, expired or used, or if the account was removed, was
  /// disabled, has another password, or requires nothing beyond the password. For the parameters
  /// see `login`.
  public func resume(
    _ token: String, canUsePasskeys: Bool = false, device: UnsafeRawBufferPointer? = nil, now: Int64
  ) throws(AccountStoreError) -> LoginOutcome? {
    let now = Self.bounded(now)
    guard let sealed = Base64URL.decode(token), let key = try keyFile.readIfThere(),
      let resumption = SealedBytes.open(sealed, boundTo: Self.resumeUse, key: key, { Resumption($0) }),
      // A token from too far in the future would outlive others: the clock of one of the hosts is
      // wrong.
      now < resumption.expiresMs, resumption.expiresMs <= now + Self.resumeLifetimeMs + Self.resumeSkewMs
    else { return nil }
    try requirePepper()
    let resumed = try holding(resumption.account) { held throws(AccountStoreError) -> LoginOutcome? in
      guard let row = try row(id: held.id), !row.isDisabled,
        try digest(of: row.passwordHash) == resumption.digest,
        try FailureCounts.countOnce(.resumption(id: Base64URL.encode(resumption.id)), now: now, in: database)
      else { return nil }
      let factors = SecondFactors(
        canUsePasskeys: canUsePasskeys, device: device, passwordMs: resumption.passwordMs, now: now)
      let outcome = try outcome(of: row, passwordHash: row.passwordHash, factors)
      if case .accepted = outcome { return nil }
      return outcome
    }
    return resumed ?? nil
  }
}
