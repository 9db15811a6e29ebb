/// An account with everything that an export contains.
public struct TransferredAccount: Equatable, Sendable {
  /// The id that the account had in the accounts from which it was exported. Nil if the account
  /// comes from another system.
  public var id: Int64?
  public var email: String
  /// Nil if the account comes from another system and either has no user name there or uses its
  /// email address as its user name. The import then derives a user name from the address.
  public var userName: String?
  public var createdMs: Int64?
  public var lastLoginMs: Int64?
  /// Nil if the account has no password. A mailed reset can set one.
  public var passwordHash: String?
  public var isPasswordExpired = false
  public var isDisabled = false
  /// Whether the address is known to belong to the user.
  public var isEmailProven = false
  /// Whether an administrator requires one-time codes or recovery codes for this account.
  public var requiresCodes = false
  /// The account's attributes, as a JSON object. Nil if there are none.
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

  /// The secret of the one-time codes, and the time step of the last code that was used. The secret
  /// is encrypted with the key of the key file and bound to the account's id.
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
  /// An existing account already has the imported email address and, if the import gives one, the
  /// imported user name; for instance because the import is repeated. The existing account is left
  /// unchanged.
  case alreadyThere
  case refused([RefusedValue])
  case unusableHash(ImportedHash.Problem)
  /// The password's hash was made with a pepper other than the one that the importing accounts use.
  case unusablePepper
  /// The account has too many recovery codes, the hash of one of them was not made by this program,
  /// or their hashes have different settings.
  case unusableRecoveryCode
  /// The key in the key file cannot decrypt the secret of the one-time codes.
  case unusableSecret
}
