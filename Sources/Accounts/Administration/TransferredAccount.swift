/// An account with everything that an export contains.
public struct TransferredAccount: Equatable, Sendable {
  /// Nil for accounts from other systems.
  public var id: Int64?
  public var email: String
  /// Nil if the account comes from another system and has no user name, or uses the address as one.
  /// The import then derives a user name from the address.
  public var userName: String?
  public var createdMs: Int64?
  public var lastLoginMs: Int64?
  /// Nil if the account has no password. A mailed reset can set one.
  public var passwordHash: String?
  public var isPasswordExpired = false
  public var isDisabled = false
  /// Whether the address is known to belong to the user.
  public var isEmailProven = false
  /// Whether an administrator requires one-time codes for this account.
  public var requiresCodes = false
  /// A JSON object. Nil if there are no attributes.
  public var attributes: String?
  public var recoveryCodes: [RecoveryCodeHash] = []
  public var oneTimeCodes: SealedCodes?

  public struct RecoveryCodeHash: Equatable, Sendable {
    public let hash: String
    public let isUsed: Bool

    public init(hash: String, isUsed: Bool) {
      self.hash = hash
      self.isUsed = isUsed
    }
  }

  /// The secret of the one-time codes, encrypted with the key of the key file and bound to the
  /// account's id, and the last step that was used.
  public struct SealedCodes: Equatable, Sendable {
    public let secret: String
    public let step: Int64

    public init(secret: String, step: Int64) {
      self.secret = secret
      self.step = step
    }
  }

  public init(email: String, userName: String?, passwordHash: String?) {
    self.email = email
    self.userName = userName
    self.passwordHash = passwordHash
  }
}

/// The result of importing an account.
public enum ImportOutcome: Equatable, Sendable {
  case imported
  /// An account with the same address and user name exists, as when an import is repeated. It is
  /// left unchanged.
  case alreadyThere
  case refused([RefusedValue])
  case unusableHash(ImportedHash.Problem)
  /// The hash was made with a pepper that these accounts do not use.
  case unusablePepper
  /// The hash of a recovery code is not one that this program makes.
  case unusableRecoveryCode
  /// The key in the key file cannot decrypt the secret of the one-time codes.
  case unusableSecret
}
