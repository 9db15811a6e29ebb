/// A relying party of WebAuthn, Level 2 (www.w3.org/TR/webauthn-2/), with the backup flags of Level
/// 3: it verifies registrations and uses of passkeys. It does no I/O; the caller provides
/// challenges and stored keys.
public struct RelyingParty: Equatable, Sendable {
  /// The domain of the relying party. Pages of this domain and of the domains below it can use the
  /// passkeys.
  public let id: String
  /// The origins of the pages and apps that may use the passkeys.
  public let origins: [String]
  /// The length of a challenge in bytes.
  public static let challengeLength = 32

  public init(id: String, origins: [String]) {
    self.id = id
    self.origins = origins
  }

  /// A new key whose registration was verified, to be stored by the caller.
  public struct NewKey: Equatable, Sendable {
    public let id: [UInt8]
    /// The public key as a COSE_Key, for `KnownKey`.
    public let cose: [UInt8]
    public let counter: UInt32
    public let isBackupEligible: Bool
    public let isBackedUp: Bool
  }

  /// A registered key, as the caller has stored it.
  public struct KnownKey: Equatable, Sendable {
    public let cose: [UInt8]
    public let counter: UInt32
    public let isBackupEligible: Bool
    /// The user handle that the authenticator stores with the key.
    public let userHandle: [UInt8]

    public init(cose: [UInt8], counter: UInt32, isBackupEligible: Bool, userHandle: [UInt8]) {
      self.cose = cose
      self.counter = counter
      self.isBackupEligible = isBackupEligible
      self.userHandle = userHandle
    }
  }

  /// A verified use of a key.
  public struct Use: Equatable, Sendable {
    public let counter: UInt32
    public let isBackedUp: Bool
    /// Whether the authenticator has verified the user, for example by a PIN or a fingerprint.
    public let isUserVerified: Bool
  }

  /// Verifies the registration of a key (section 7.1). `credential` is the JSON of a credential
  /// that answers `challenge`. User verification is required.
  ///
  /// The authenticator's maker is not checked: the statement of an attestation is ignored, except
  /// that it must be empty if the format is `none`. The caller checks whether the key is already
  /// registered.
  public func register(_ credential: UnsafeRawBufferPointer, challenge: [UInt8]) throws(PasskeyRefusal) -> NewKey {
    let credential = try CredentialText(credential)
    try ClientData.check(credential.clientData, type: "webauthn.create", challenge: challenge, origins: origins)
    let data = try Self.authenticatorData(attestation: try credential.bytes("attestationObject"))
    try check(data)
    guard data.isUserVerified else { throw .userNotVerified }
    guard let key = data.credential else { throw .noKey }
    guard key.id == credential.id else { throw .wrongID }
    return NewKey(
      id: key.id, cose: key.cose, counter: data.counter, isBackupEligible: data.isBackupEligible,
      isBackedUp: data.isBackedUp)
  }

  /// Returns the key id in a credential, with which the caller looks up the stored key.
  public static func keyID(of credential: UnsafeRawBufferPointer) throws(PasskeyRefusal) -> [UInt8] {
    try CredentialText(credential).id
  }

  /// Verifies the use of a key (section 7.2). `credential` is the JSON of a credential that answers
  /// `challenge`.
  ///
  /// - Parameters:
  ///   - isAlone: Whether the passkey alone identifies the user. User verification and a user
  ///     handle are then required.
  ///   - allowsRepetition: Whether the counter may equal the stored one, because the same use was
  ///     accepted before.
  public func authenticate(
    _ credential: UnsafeRawBufferPointer, challenge: [UInt8], key known: KnownKey, isAlone: Bool,
    allowsRepetition: Bool = false
  ) throws(PasskeyRefusal) -> Use {
    let credential = try CredentialText(credential)
    if isAlone, credential.userHandle == nil { throw .malformed("userHandle") }
    if let userHandle = credential.userHandle, userHandle != known.userHandle { throw .wrongUser }
    try ClientData.check(credential.clientData, type: "webauthn.get", challenge: challenge, origins: origins)
    let signed = try credential.bytes("authenticatorData")
    let data = try AuthenticatorData(signed)
    try check(data)
    if isAlone, !data.isUserVerified { throw .userNotVerified }
    guard data.isBackupEligible == known.isBackupEligible else { throw .changedBackup }
    var reader = CBORReader(known.cose)
    guard let cose = try? reader.next() else { throw .unusableKey }
    let signature = try credential.bytes("signature")
    guard try PublicKey(cose: cose).verifies(signature, of: signed + SHA256.digest(credential.clientData)) else {
      throw .wrongSignature
    }
    let counts = data.counter > 0 || known.counter > 0
    guard !counts || data.counter > known.counter || allowsRepetition && data.counter == known.counter else {
      throw .counterBehind
    }
    return Use(counter: data.counter, isBackedUp: data.isBackedUp, isUserVerified: data.isUserVerified)
  }

  private func check(_ data: AuthenticatorData) throws(PasskeyRefusal) {
    guard data.relyingParty == SHA256.digest(Array(id.utf8)) else { throw .wrongRelyingParty }
    guard data.isUserPresent else { throw .userAbsent }
    guard data.isBackupEligible || !data.isBackedUp else { throw .contradictoryBackup }
  }

  /// Returns the authenticator data of an attestation object (section 6.5.4).
  private static func authenticatorData(attestation: [UInt8]) throws(PasskeyRefusal) -> AuthenticatorData {
    var reader = CBORReader(attestation)
    let object: CBOR
    do throws(CBORError) { object = try reader.next() } catch { throw .cbor(error) }
    guard reader.remaining.isEmpty, case .map(let members) = object, members.count == 3,
      case .text(let format)? = members[.text("fmt")], case .map(let statement)? = members[.text("attStmt")],
      case .bytes(let data)? = members[.text("authData")]
    else { throw .malformed("attestationObject") }
    guard format != "none" || statement.isEmpty else { throw .unusableAttestation }
    return try AuthenticatorData(data)
  }
}
