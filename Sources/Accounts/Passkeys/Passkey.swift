import WebAuthn

/// A passkey of an account, as it is kept. It holds no secret.
public struct Passkey: Equatable, Sendable {
  /// The id that its authenticator has given it.
  public let id: [UInt8]
  /// The id of its account.
  public let account: Int64
  /// The public key as a COSE_Key.
  public let publicKey: [UInt8]
  /// How often it has signed, by its own count; 0 if it does not count.
  public let counter: UInt32
  public let isBackupEligible, isBackedUp: Bool
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public let createdMs: Int64
  /// When it was last used; nil if never since its registration.
  public let usedMs: Int64?
  /// The challenge of its last use, and the idempotency key of that.
  let lastUse: (challenge: String, key: String)

  /// Whether its last use is the one with this challenge and this idempotency key.
  public func repeats(challenge: [UInt8], key: String) -> Bool {
    lastUse.key == key && lastUse.challenge == Base64URL.encode(challenge)
  }

  public static func == (one: Passkey, other: Passkey) -> Bool {
    one.id == other.id && one.account == other.account && one.publicKey == other.publicKey
      && one.counter == other.counter
      && one.isBackedUp == other.isBackedUp && one.usedMs == other.usedMs && one.lastUse == other.lastUse
  }
}

/// A passkey that is to be kept.
public struct NewPasskey: Equatable, Sendable {
  public let id, publicKey: [UInt8]
  public let counter: UInt32
  public let isBackupEligible, isBackedUp: Bool

  public init(id: [UInt8], publicKey: [UInt8], counter: UInt32, isBackupEligible: Bool, isBackedUp: Bool) {
    self.id = id
    self.publicKey = publicKey
    self.counter = counter
    self.isBackupEligible = isBackupEligible
    self.isBackedUp = isBackedUp
  }
}

/// Somebody who has proved to be an account's owner. Every change of the password, by whatever way, ends this.
public struct AccountOwner: Equatable, Sendable {
  public let account: Account
  /// The stored hash of the password.
  let passwordHash: String
}

/// Somebody who may register a passkey.
public struct PasskeyHolder: Equatable, Sendable {
  public let owner: AccountOwner
  /// What an authenticator knows the account by: random, and the same for all passkeys of an account.
  public let userHandle: [UInt8]
  /// The ids of the passkeys that the account has.
  public let ids: [[UInt8]]
}

/// The use of a passkey that was proved.
public struct PasskeyUse: Sendable {
  public let passkey: Passkey
  /// The challenge that it has signed.
  public let challenge: [UInt8]
  /// What it says of itself now.
  public let counter: UInt32
  public let isBackedUp: Bool

  public init(of passkey: Passkey, challenge: [UInt8], counter: UInt32, isBackedUp: Bool) {
    self.passkey = passkey
    self.challenge = challenge
    self.counter = counter
    self.isBackedUp = isBackedUp
  }
}

/// The result of registering a passkey.
public enum PasskeyEnrolment: Equatable, Sendable {
  case done
  /// It is registered already, by this account or another.
  case known
  /// The account has as many passkeys as it can have.
  case tooMany
  /// The account is gone, or has another password.
  case over
}

/// The result of a log-in by a passkey alone.
public enum PasskeyLogin: Equatable, Sendable {
  case accepted(Account)
  /// The challenge was used before, or the counter is not ahead of the one that is kept by now.
  case rejected
  /// An administrator has disabled the account.
  case disabled
  /// The passkey or its account is gone.
  case over
}
