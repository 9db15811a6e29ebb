/// Why a passkey proves nothing. Each has its own text for a log; a person is only told that it was refused.
public enum PasskeyRefusal: Error, Equatable, Sendable {
  /// The view says that there is none, such as because the user has declined.
  case declined
  /// It is no credential in the JSON form of WebAuthn, Level 3, section 5.1: what is wrong is near this member.
  case malformed(String)
  /// The id is not that of the key, or no id at all.
  case wrongID
  case wrongType
  case wrongChallenge
  case wrongOrigin
  /// The page was within a page of another origin.
  case crossOrigin
  /// It was made for another relying party.
  case wrongRelyingParty
  /// Data of the authenticator that are cut off, or that something follows.
  case malformedData
  case cbor(CBORError)
  case userAbsent
  case userNotVerified
  /// Backed up, and not eligible for that.
  case contradictoryBackup
  /// Eligible for backup before and not now, or the other way round.
  case changedBackup
  /// There is no new key in it.
  case noKey
  /// A key of another algorithm, or none at all.
  case unusableKey
  /// An attestation of the format `none` that says something.
  case unusableAttestation
  case unknownKey
  /// The key belongs to another user than it says, or than has to prove who they are.
  case wrongUser
  case wrongSignature
  /// The counter of signatures has not grown: the key may have been copied.
  case counterBehind
  /// The key is registered already.
  case known

  /// One sentence for a log. It has nothing of what was sent.
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
