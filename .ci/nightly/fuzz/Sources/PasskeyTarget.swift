import TestSupport
@testable import WebAuthn

/// Fuzzes what a passkey sends. The first byte of the input selects a part of the credential. The
/// other bytes are used as that part, and everything around it is valid.
enum PasskeyTarget {
  private static let party = RelyingParty(id: "example.com", origins: ["https://example.com"])
  private static let challenge = [UInt8](repeating: 5, count: RelyingParty.challengeLength)
  private static let user: [UInt8] = [1, 2, 3]
  private static let keys: [(key: SoftwareKey, known: RelyingParty.KnownKey)] = SoftwareKey.Kind.allCases.map { kind in
    let key = SoftwareKey(kind, origin: "https://example.com")
    key.id = [UInt8](repeating: 9, count: 32)
    _ = key.create(challenge: challenge, relyingParty: party.id, user: user)
    return (
      key, RelyingParty.KnownKey(cose: key.cose, counter: 0, isBackupEligible: true, userHandle: user)
    )
  }

  /// Makes the keys before the first input is run, because making them takes long and does not
  /// depend on any input.
  static func prepare() { _ = keys.count }

  static func run(_ input: [UInt8]) {
    guard let kind = input.first else { return }
    handledLines += 1
    let rest = Array(input.dropFirst())
    switch kind & 7 {
    case 0: readCBOR(rest)
    case 1: register(rest)
    case 2: authenticate(rest)
    case 3: register(credential(client("webauthn.create"), #","attestationObject":"\#(Base64URL.encode(rest))""#))
    case 4:
      let head = SHA256.digest(Array(party.id.utf8))
      let data = head + rest
      let statement = text("fmt") + text("none") + text("attStmt") + [0xA0]
      let attestation = [0xA3] + statement + text("authData") + bytes(data)
      register(credential(client("webauthn.create"), #","attestationObject":"\#(Base64URL.encode(attestation))""#))
    case 5:
      let data = SHA256.digest(Array(party.id.utf8)) + [0x1D, 0, 0, 0, 1]
      authenticate(
        credential(
          client("webauthn.get"),
          #","authenticatorData":"\#(Base64URL.encode(data))","signature":"\#(Base64URL.encode(rest))""#),
        mayBeRight: true)
    case 6: useKey(rest)
    default: decode(rest)
    }
  }

  private static func readCBOR(_ input: [UInt8]) {
    var reader = CBORReader(input)
    var last = 0
    while (try? reader.next()) != nil {
      if reader.offset <= last || reader.offset > input.count { fail("a value of CBOR takes no room") }
      last = reader.offset
    }
  }

  private static func register(_ credential: [UInt8]) {
    credential.withUnsafeBytes { bytes in
      do throws(PasskeyRefusal) {
        let key = try party.register(bytes, challenge: challenge)
        // What was taken can be used: it is a key.
        var reader = CBORReader(key.cose)
        guard let cose = try? reader.next(), (try? PublicKey(cose: cose)) != nil else {
          fail("a key is kept that is none")
        }
      } catch {
        if error.explanation.isEmpty { fail("a refusal says nothing") }
      }
    }
  }

  private static func authenticate(_ credential: [UInt8], mayBeRight: Bool = false) {
    credential.withUnsafeBytes { bytes in
      for (_, known) in keys {
        for isAlone in [false, true] {
          if (try? party.authenticate(bytes, challenge: challenge, key: known, isAlone: isAlone)) != nil, !mayBeRight {
            fail("a passkey is taken that nobody made")
          }
        }
      }
    }
  }

  private static func useKey(_ input: [UInt8]) {
    var reader = CBORReader(input)
    guard let cose = try? reader.next(), let key = try? PublicKey(cose: cose) else { return }
    // Whoever sends the key can sign with it, so that this says nothing but that it ends.
    _ = key.verifies(Array(reader.remaining), of: input)
  }

  private static func decode(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    guard let bytes = Base64URL.decode(text) else { return }
    if Base64URL.encode(bytes) != text { fail("two texts of base64url are the same bytes: \(text)") }
  }

  // MARK: What is around

  private static func client(_ type: String) -> String {
    #"{"type":"\#(type)","challenge":"\#(Base64URL.encode(challenge))","origin":"https://example.com"}"#
  }

  private static func credential(_ client: String, _ members: String) -> [UInt8] {
    let id = Base64URL.encode([UInt8](repeating: 9, count: 32))
    let data = Base64URL.encode(Array(client.utf8))
    return Array(
      #"{"id":"\#(id)","rawId":"\#(id)","type":"public-key","response":{"clientDataJSON":"\#(data)"\#(members)}}"#.utf8)
  }

  private static func text(_ text: String) -> [UInt8] { [0x60 | UInt8(text.utf8.count)] + Array(text.utf8) }

  private static func bytes(_ bytes: [UInt8]) -> [UInt8] {
    let count = bytes.count
    return count < 256 ? [0x58, UInt8(count)] + bytes : [0x59, UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)] + bytes
  }
}
