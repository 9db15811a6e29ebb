import CCrypto
import SecretMemory
import WebAuthn

/// Logins that go on in another process, on any host that has the same accounts and the same key file.
///
/// The token says that a password was right, and is as good as the password for that long: sealed under the key file's key, taken once, and void when
/// the account gets another password or is disabled. However often a login moves, it has an hour from the password on.
///
/// Whoever has the accounts and the key file can make tokens. So the pepper, where there is one, goes into each, and no token stands for more than the
/// password: where the account asks for nothing after that, the token leads nowhere.
extension AccountStore {
  /// How long a token is taken, in milliseconds: as long as a conversation waits for its answer.
  static let resumeLifetimeMs: Int64 = 600_000
  /// For how long after its password a login can move on, in milliseconds.
  private static let movingLifetimeMs: Int64 = 3_600_000
  /// How far the clocks of two hosts may be apart, in milliseconds.
  private static let resumeSkewMs: Int64 = 300_000
  private static let resumeUse = "login-engine resume 1"

  /// The parts of a token.
  private struct Resumption {
    static let idLength = 16
    static let length = 24 + idLength + Int(CCRYPTO_SHA256_LENGTH)

    let account: Int64
    let expiresMs: Int64
    /// When the password was typed.
    let passwordMs: Int64
    /// Tells it from all others.
    let id: [UInt8]
    /// Of the stored hash of the password that was right.
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

  /// A token of a login whose password was right at `passwordMs`; nil if there can be none, as without a key file.
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

  /// Goes on with a login at `now` (wall-clock milliseconds since 1970) as if its password had just been right. Nil if the token is none of this
  /// file's, too old or used, or the account is gone, disabled, has another password or asks for no more than that.
  ///
  /// - Parameters: see `login`.
  public func resume(
    _ token: String, canUsePasskeys: Bool = false, device: UnsafeRawBufferPointer? = nil, now: Int64
  ) throws(AccountStoreError) -> LoginOutcome? {
    let now = Self.bounded(now)
    guard let sealed = Base64URL.decode(token), let key = try keyFile.readIfThere(),
      let resumption = SealedBytes.open(sealed, boundTo: Self.resumeUse, key: key, { Resumption($0) }),
      // One from the future would outlive others: its clock was wrong, or is it now.
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
