/// An account with all that an export has of it.
public struct TransferredAccount: Equatable, Sendable {
  /// Nil in what was made elsewhere.
  public var id: Int64?
  public var email: String
  /// Nil in what was made elsewhere and has none, or has the address in its place: the account gets one that is made of the address.
  public var userName: String?
  public var createdMs: Int64?
  public var lastLoginMs: Int64?
  /// Nil where no password lets in, until a mailed reset sets one.
  public var passwordHash: String?
  public var isPasswordExpired = false
  public var isDisabled = false
  /// Whether the address is known to be the person's.
  public var isEmailProven = false
  /// Whether an administrator has the account ask for codes.
  public var requiresCodes = false
  /// A JSON object; nil for none.
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

  /// The secret of one-time codes, encrypted under the key file and bound to the account's id, and the last step used.
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

/// What became of an account that was to be imported.
public enum ImportOutcome: Equatable, Sendable {
  case imported
  /// There is an account with both names, as when the same import is done again. It stays as it is.
  case alreadyThere
  case refused([RefusedValue])
  case unusableHash(ForeignHash.Problem)
  /// The hash has a pepper in it that these accounts do not have.
  case unusablePepper
  /// The hash of a recovery code is none that this program makes.
  case unusableRecoveryCode
  /// The key file does not open the secret of the one-time codes.
  case unusableSecret
}
