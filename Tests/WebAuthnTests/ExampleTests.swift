import Foundation
import JSONCodec
import TestSupport
import Testing
import WebAuthn

/// The examples of Web Authentication, Level 3, section 16
/// (www.w3.org/TR/webauthn-3/#sctn-test-vectors), as they are published. The file is
/// `Tests/Fixtures/webauthn/level-3.json`. The examples are of the relying party `example.org` and
/// the origin `https://example.org`.
struct Example: Decodable, Sendable, CustomTestStringConvertible {
  struct Registration: Decodable, Sendable {
    let challenge, clientDataJSON, attestationObject: String
  }

  struct Authentication: Decodable, Sendable {
    let challenge, clientDataJSON, authenticatorData, signature: String
  }

  let section, title, credentialID: String
  let registration: Registration
  let authentication: Authentication
  var testDescription: String { title }

  static let party = RelyingParty(id: "example.org", origins: ["https://example.org"])

  /// Empty if the file is missing or malformed, which a test detects.
  static let all: [Example] = {
    guard let data = try? Data(contentsOf: Checkout.tests.appending(path: "Fixtures/webauthn/level-3.json")) else {
      return []
    }
    return (try? JSONDecoder().decode([Example].self, from: data)) ?? []
  }()

  /// The section's name without its prefix.
  var name: String { String(section.dropFirst("sctn-test-vectors-".count)) }

  /// The bytes of the authenticator data within the attestation.
  var attested: [UInt8]? {
    var reader = CBORReader(hexadecimal(registration.attestationObject))
    guard case .map(let members)? = try? reader.next(), case .bytes(let data)? = members[.text("authData")] else {
      return nil
    }
    return data
  }

  /// The key registered by this example, as the relying party stores it.
  var known: RelyingParty.KnownKey? {
    guard let data = attested, data.count > 55 else { return nil }
    let start = 55 + Int(data[53]) << 8 + Int(data[54])
    let counter = data[33..<37].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return .init(
      cose: Array(data[start...]), counter: counter, isBackupEligible: data[32] & 0x08 != 0, userHandle: [1])
  }

  func register(challenge: String? = nil) throws(PasskeyRefusal) -> RelyingParty.NewKey {
    let credential = credential([
      "clientDataJSON": registration.clientDataJSON, "attestationObject": registration.attestationObject,
    ])
    let challenge = hexadecimal(challenge ?? registration.challenge)
    return try credential.withUnsafeBytes { bytes in
      Result { () throws(PasskeyRefusal) in try Self.party.register(bytes, challenge: challenge) }
    }.get()
  }

  /// Verifies the example as a use after a password, because the examples name no user.
  func authenticate(
    _ known: RelyingParty.KnownKey, challenge: String? = nil, signature: String? = nil
  ) throws(PasskeyRefusal) -> RelyingParty.Use {
    let credential = credential([
      "clientDataJSON": authentication.clientDataJSON, "authenticatorData": authentication.authenticatorData,
      "signature": signature ?? authentication.signature,
    ])
    let challenge = hexadecimal(challenge ?? authentication.challenge)
    return try credential.withUnsafeBytes { bytes in
      Result { () throws(PasskeyRefusal) in
        try Self.party.authenticate(bytes, challenge: challenge, key: known, isAlone: false)
      }
    }.get()
  }

  private func credential(_ response: [String: String]) -> [UInt8] {
    let id = Base64URL.encode(hexadecimal(credentialID))
    let members = response.map { #""\#($0.key)":"\#(Base64URL.encode(hexadecimal($0.value)))""# }.joined(separator: ",")
    return Array(#"{"id":"\#(id)","rawId":"\#(id)","type":"public-key","response":{\#(members)}}"#.utf8)
  }
}

@Suite struct ExampleTests {
  /// The examples that are refused: other algorithms, an embedded page, and an authenticator that
  /// has not verified the user.
  private static let registrations: [String: PasskeyRefusal] = [
    "none-es256": .userNotVerified, "none-es256-crossOrigin": .crossOrigin, "none-es256-topOrigin": .crossOrigin,
    "none-es256-long-credential-id": .userNotVerified, "packed-es384": .unusableKey, "packed-es512": .unusableKey,
    "packed-eddsa": .userNotVerified, "packed-ed448": .unusableKey, "apple-es256": .userNotVerified,
    "fido-u2f-es256": .userNotVerified,
  ]
  private static let authentications: [String: PasskeyRefusal] = [
    "none-es256-crossOrigin": .crossOrigin, "none-es256-topOrigin": .crossOrigin, "packed-es384": .unusableKey,
    "packed-es512": .unusableKey, "packed-ed448": .unusableKey,
  ]

  @Test func `the fixture has fifteen passkey examples, including every example that is expected to be refused`() {
    #expect(Example.all.count == 15)
    let names = Set(Example.all.map(\.name))
    #expect(Self.registrations.keys.allSatisfy(names.contains) && Self.authentications.keys.allSatisfy(names.contains))
  }

  @Test(arguments: Example.all)
  func `each example of a passkey registration is accepted, or refused with the reason that the fixture gives`(
    example: Example
  ) throws {
    if let refusal = Self.registrations[example.name] {
      #expect(throws: refusal) { try example.register() }
      return
    }
    let (new, known) = (try example.register(), try #require(example.known))
    #expect(new.id == hexadecimal(example.credentialID))
    #expect((new.cose, new.counter, new.isBackupEligible) == (known.cose, known.counter, known.isBackupEligible))
    #expect(throws: PasskeyRefusal.wrongChallenge) {
      try example.register(challenge: example.authentication.challenge)
    }
  }

  @Test(arguments: Example.all)
  func `each example of a passkey authentication is accepted, or refused with the reason that the fixture gives`(
    example: Example
  ) throws {
    let known = try #require(example.known)
    if let refusal = Self.authentications[example.name] {
      #expect(throws: refusal) { try example.authenticate(known) }
      return
    }
    let flags = hexadecimal(example.authentication.authenticatorData)[32]
    let use = try example.authenticate(known)
    #expect((use.counter, use.isUserVerified, use.isBackedUp) == (0, flags & 0x04 != 0, flags & 0x10 != 0))
    #expect(throws: PasskeyRefusal.wrongChallenge) {
      try example.authenticate(known, challenge: example.registration.challenge)
    }
    let signature = example.authentication.signature
    let other = signature.dropLast() + (signature.hasSuffix("0") ? "1" : "0")
    #expect(throws: PasskeyRefusal.wrongSignature) { try example.authenticate(known, signature: String(other)) }
  }
}
