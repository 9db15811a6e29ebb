import WebAuthn

/// A passkey of an account as stored, without secrets.
public struct Passkey: Equatable, Sendable {
  /// The credential id that the authenticator chose.
  public let id: [UInt8]
  /// The id of the account.
  public let account: Int64
  /// The public key as a COSE_Key.
  public let publicKey: [UInt8]
  /// The authenticator's count of its signatures. 0 if it does not count.
  public let counter: UInt32
  public let isBackupEligible, isBackedUp: Bool
  /// When the passkey was registered, in milliseconds since 1970-01-01T00:00:00Z.
  public let createdMs: Int64
  /// The time of the last use. Nil if the passkey was not used since its registration.
  public let usedMs: Int64?
  /// The challenge and the idempotency key of the passkey's last use. Before the first use, the
  /// challenge is empty and the key is that of the registration.
  let lastUse: (challenge: String, key: String)

  /// Whether the last use is the one with this challenge and this idempotency key.
  public func repeats(challenge: [UInt8], key: String) -> Bool {
    lastUse.key == key && lastUse.challenge == Base64URL.encode(challenge)
  }

  public static func == (one: Passkey, other: Passkey) -> Bool {
    one.id == other.id && one.account == other.account && one.publicKey == other.publicKey
      && one.counter == other.counter
      && one.isBackedUp == other.isBackedUp && one.usedMs == other.usedMs && one.lastUse == other.lastUse
  }
}

/// A passkey to be stored.
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

/// A user who has authenticated as the owner of an account. Any change of the password invalidates
/// this value.
public struct AccountOwner: Equatable, Sendable {
  public let account: Account
  /// The stored hash of the password.
  let passwordHash: String
}

/// A user who may register a passkey.
public struct PasskeyHolder: Equatable, Sendable {
  public let owner: AccountOwner
  /// The id by which authenticators know the account: random, and the same for all passkeys of an
  /// account.
  public let userHandle: [UInt8]
  /// The ids of the passkeys that the account already has.
  public let ids: [[UInt8]]
}

/// A use of a passkey whose signature was verified.
public struct PasskeyUse: Sendable {
  public let passkey: Passkey
  /// The challenge that the passkey signed.
  public let challenge: [UInt8]
  /// The authenticator's count of its signatures at this use.
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
  /// The passkey is already registered, by this account or another.
  case known
  /// The account already has the maximum number of passkeys.
  case tooMany
  /// The account was removed or disabled, or has another password.
  case over
}

/// The result of a login with a passkey alone.
public enum PasskeyLogin: Equatable, Sendable {
  case accepted(Account)
  /// The challenge was used before, or the counter is not greater than the stored one.
  case rejected
  /// An administrator has disabled the account.
  case disabled
  /// The passkey or its account was removed.
  case over
}
