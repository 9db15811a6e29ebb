/// Why an authenticator's answer is refused. Each case has its own text for a log; the user only
/// learns that the answer was refused.
public enum PasskeyRefusal: Error, Equatable, Sendable {
  /// The view reports that there is no credential, for example because the user has declined.
  case declined
  /// The credential is not in the JSON form of WebAuthn, Level 3, section 5.1. The value names the
  /// member with the problem.
  case malformed(String)
  /// The credential's id is missing or differs from the id of the key.
  case wrongID
  case wrongType
  case wrongChallenge
  case wrongOrigin
  /// The page was embedded in a page of another origin.
  case crossOrigin
  /// The answer was made for another relying party.
  case wrongRelyingParty
  /// The authenticator data are truncated, or followed by other bytes.
  case malformedData
  case cbor(CBORError)
  case userAbsent
  case userNotVerified
  /// The authenticator reports that the key is backed up, and also that it cannot be backed up.
  case contradictoryBackup
  /// The key could be backed up at its registration and now cannot, or the other way round.
  case changedBackup
  /// The answer to a registration contains no new key.
  case noKey
  /// The public key cannot be read, or its algorithm is not supported.
  case unusableKey
  /// The attestation has the format `none` and yet contains a statement.
  case unusableAttestation
  case unknownKey
  /// The user handle in the answer is that of another user.
  case wrongUser
  case wrongSignature
  /// The signature counter has not increased: the key may have been copied.
  case counterBehind
  /// The key is already registered.
  case known

  /// One sentence for a log, without anything that was sent.
  public var explanation: String {
    switch self {
    case .declined: "the view has none to give"
    case .malformed(let member): "\(member) is missing or malformed"
    case .wrongID: "the id is another one"
    case .wrongType: "it was made for something else"
    case .wrongChallenge: "it answers another challenge"
    case .wrongOrigin: "it was made on a page of another origin"
    case .crossOrigin: "it was made on a page within another"
    case .wrongRelyingParty: "it was made for another relying party"
    case .malformedData: "the authenticator data are cut off or too long"
    case .cbor(let error): "its CBOR is not as it has to be (\(error))"
    case .userAbsent: "nobody was present"
    case .userNotVerified: "the authenticator has not verified who was present"
    case .contradictoryBackup: "it is backed up and cannot be"
    case .changedBackup: "it can be backed up and could not before, or the other way round"
    case .noKey: "there is no key in it"
    case .unusableKey: "its key is none of ES256, EdDSA with Ed25519, or RS256"
    case .unusableAttestation: "its attestation is not as it has to be"
    case .unknownKey: "the key is not known"
    case .wrongUser: "the key is that of another user"
    case .wrongSignature: "the signature is wrong"
    case .counterBehind: "its counter has not grown, so the key may have been copied"
    case .known: "the key is registered already"
    }
  }
}
