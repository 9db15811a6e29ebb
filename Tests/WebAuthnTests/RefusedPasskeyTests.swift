import TestSupport
import Testing
import WebAuthn

/// Inputs of an attacker or a broken authenticator, each with the reason for its refusal.
struct Hostile: Sendable, CustomTestStringConvertible {
  let what: String
  let reason: PasskeyRefusal
  let kind: SoftwareKey.Kind
  let set: @Sendable (SoftwareKey) -> Void
  let change: @Sendable (String) -> String
  var testDescription: String { what }

  init(
    _ what: String, _ reason: PasskeyRefusal, _ kind: SoftwareKey.Kind = .es256,
    set: @escaping @Sendable (SoftwareKey) -> Void
  ) {
    (self.what, self.reason, self.kind, self.set, self.change) = (what, reason, kind, set, { $0 })
  }

  init(_ what: String, _ reason: PasskeyRefusal, change: @escaping @Sendable (String) -> String) {
    (self.what, self.reason, self.kind, self.set, self.change) = (what, reason, .es256, { _ in }, change)
  }

  /// Returns a change that replaces one text by another.
  static func replacing(_ old: String, _ new: String) -> @Sendable (String) -> String {
    { text in
      guard let range = text.firstRange(of: old) else { return text }
      return text.replacingCharacters(range, with: new)
    }
  }

  private static func cose(_ members: [(Int, Encoded.Value)]) -> [UInt8] { Encoded.map(members) }
  private static let zeros = [UInt8](repeating: 0, count: 32)

  static let both = [
    Hostile("for another challenge", .wrongChallenge) { $0.challenge = [UInt8](repeating: 8, count: 32) },
    Hostile("for no challenge", .wrongChallenge) { $0.challenge = [] },
    Hostile("for a challenge cut short", .wrongChallenge) { $0.challenge = [UInt8](repeating: 7, count: 31) },
    Hostile("of another page", .wrongOrigin) { $0.origin = "https://evil.example.com" },
    Hostile("of a page without encryption", .wrongOrigin) { $0.origin = "http://login.example.com" },
    Hostile("of another port", .wrongOrigin) { $0.origin = "https://login.example.com:8443" },
    Hostile("of an origin with more behind", .wrongOrigin) { $0.origin = "https://login.example.com.evil.org" },
    Hostile("of a page within another", .crossOrigin) { $0.clientMembers = #","crossOrigin":true"# },
    Hostile("of a page that says so in another way", .crossOrigin) { $0.clientMembers = #","crossOrigin":"no""# },
    Hostile("of a page below another", .crossOrigin) { $0.clientMembers = #","topOrigin":"https://evil.org""# },
    Hostile("for another site", .wrongRelyingParty) { $0.relyingParty = "evil.org" },
    Hostile("for a site above", .wrongRelyingParty) { $0.relyingParty = "com" },
    Hostile("for something unheard of", .wrongType) { $0.type = "payment.get" },
    Hostile("without anybody present", .userAbsent) { $0.flags = 0x0C },
    Hostile("of somebody who is not verified", .userNotVerified) { $0.flags = 0x09 },
    Hostile("that is backed up and cannot be", .contradictoryBackup) { $0.flags = 0x15 },
    Hostile("with something behind its data", .malformedData) { $0.behindData = [0] },
    Hostile("with extensions that are not there", .cbor(.truncated)) { $0.flags |= 0x80 },
    Hostile("with extensions that are no map", .malformedData) {
      $0.flags |= 0x80
      $0.behindData = [0x01]
    },
    Hostile("with extensions without an end", .cbor(.indefinite)) {
      $0.flags |= 0x80
      $0.behindData = [0xBF, 0xFF]
    },
    Hostile("that is declined", .declined, change: { _ in #"{"error":"NotAllowedError"}"# }),
    Hostile("that is a text", .malformed("the credential"), change: { _ in #""passkey""# }),
    Hostile("that is no JSON", .malformed("the JSON"), change: { String($0.dropLast()) }),
    Hostile("of another type", .malformed("type"), change: replacing("public-key", "password")),
    Hostile("without a response", .malformed("response"), change: replacing(#""response""#, #""reply""#)),
    Hostile("without client data", .malformed("clientDataJSON"), change: replacing("clientDataJSON", "client")),
    Hostile(
      "with padding", .malformed("clientDataJSON"), change: replacing(#""clientDataJSON":""#, #""clientDataJSON":"="#)),
    Hostile(
      "with client data that are no JSON", .malformed("clientDataJSON"),
      change: replacing(#""clientDataJSON":""#, #""clientDataJSON":"AAAA"#)),
    Hostile("with two ids", .wrongID, change: replacing(#"{"id":""#, #"{"id":"AAAA"#)),
  ]

  static let registrations =
    both + [
      Hostile("for logging in", .wrongType) { $0.type = "webauthn.get" },
      Hostile("without a key", .noKey) { $0.hasKey = false },
      Hostile("with something behind its attestation", .malformed("attestationObject")) { $0.behindAttestation = [0] },
      Hostile("with an attestation `none` that says something", .unusableAttestation) {
        $0.statement = [0xA1, 0x01, 0x01]
      },
      Hostile("with a statement that is no map", .malformed("attestationObject")) { $0.statement = [0x80] },
      Hostile(
        "without an attestation", .malformed("attestationObject"), change: replacing("attestationObject", "attestation")
      ),
      Hostile(
        "with an attestation that is no CBOR", .malformed("attestationObject"),
        change: replacing(#""attestationObject":""#, #""attestationObject":"AAAA"#)),
      Hostile(
        "with an attestation cut off", .cbor(.truncated),
        change: replacing(#""attestationObject":""#, #""attestationObject":"o2NmbQ","ignored":""#)),
      Hostile("of a member twice", .cbor(.repeatedKey)) { $0.statement = [0xA2, 0x01, 0x01, 0x01, 0x01] },
      Hostile("in a form that is not canonical", .cbor(.notShortest)) { $0.statement = [0xB8, 0x00] },
      Hostile("with a tag", .cbor(.unknownKind)) { $0.statement = [0xC0, 0xA0] },
      Hostile("of a depth without end", .cbor(.tooDeep)) {
        $0.statement = [0xA1, 0x01] + [UInt8](repeating: 0x81, count: 200)
      },
      Hostile("with a text that is none", .cbor(.invalidText)) { $0.statement = [0xA1, 0x61, 0xFF, 0x01] },
      Hostile(
        "of another id", .wrongID,
        change: { text in
          replacing(#""rawId":""#, #""rawId":"AAAA"#)(replacing(#"{"id":""#, #"{"id":"AAAA"#)(text))
        }),
      Hostile("with an empty id", .wrongID) { $0.id = [] },
      Hostile("with an id that is too long", .wrongID) { $0.id = [UInt8](repeating: 1, count: 1_024) },
      Hostile("with a point that is not on the curve", .unusableKey) {
        $0.cose = cose([(1, .number(2)), (3, .number(-7)), (-1, .number(1)), (-2, .bytes(zeros)), (-3, .bytes(zeros))])
      },
      Hostile("with a point of another curve", .unusableKey) { $0.cose[4] = 0x02 },
      Hostile("with half a point", .unusableKey) {
        $0.cose = cose([(1, .number(2)), (3, .number(-7)), (-1, .number(1)), (-2, .bytes(zeros))])
      },
      Hostile("of an algorithm that is not asked for", .unusableKey) {
        $0.cose = cose([(1, .number(2)), (3, .number(-35)), (-1, .number(2)), (-2, .bytes(zeros)), (-3, .bytes(zeros))])
      },
      Hostile("with more in its key", .unusableKey) {
        $0.cose = cose([
          (1, .number(1)), (3, .number(-8)), (-1, .number(6)), (-2, .bytes(zeros)), (4, .number(2)),
        ])
      },
      Hostile("with a short key of Ed25519", .unusableKey) {
        $0.cose = cose([(1, .number(1)), (3, .number(-8)), (-1, .number(6)), (-2, .bytes([1, 2]))])
      },
      Hostile("with a small key of RSA", .unusableKey) {
        let modulus = [UInt8](repeating: 0xFF, count: 128)
        $0.cose = cose([(1, .number(3)), (3, .number(-257)), (-1, .bytes(modulus)), (-2, .bytes([1, 0, 1]))])
      },
      Hostile("with a key of RSA that is one bit too small", .unusableKey) {
        let modulus = [0x7F] + [UInt8](repeating: 0xFF, count: 255)
        $0.cose = cose([(1, .number(3)), (3, .number(-257)), (-1, .bytes(modulus)), (-2, .bytes([1, 0, 1]))])
      },
      Hostile("with a zero before its key of RSA", .unusableKey) {
        let modulus = [0] + [UInt8](repeating: 0xFF, count: 256)
        $0.cose = cose([(1, .number(3)), (3, .number(-257)), (-1, .bytes(modulus)), (-2, .bytes([1, 0, 1]))])
      },
      Hostile("with an even key of RSA", .unusableKey) {
        let modulus = [UInt8](repeating: 0xFE, count: 256)
        $0.cose = cose([(1, .number(3)), (3, .number(-257)), (-1, .bytes(modulus)), (-2, .bytes([1, 0, 1]))])
      },
      Hostile("with an exponent of one", .unusableKey) {
        let modulus = [UInt8](repeating: 0xFF, count: 256)
        $0.cose = cose([(1, .number(3)), (3, .number(-257)), (-1, .bytes(modulus)), (-2, .bytes([1]))])
      },
      Hostile("with a key that is no map", .unusableKey) { $0.cose = [0x01] },
    ]

  static let assertions =
    both + [
      Hostile("for registering", .wrongType) { $0.type = "webauthn.create" },
      Hostile("with another counter than was signed", .wrongSignature) { $0.forge = { $0[36] ^= 1 } },
      Hostile("with a presence that was not signed", .wrongSignature) {
        $0.flags = 0x0C
        $0.forge = { $0[32] |= 1 }
      },
      Hostile("with a wrong signature", .wrongSignature) { $0.forgeSignature = { $0[$0.count - 1] ^= 1 } },
      Hostile("with a wrong signature of Ed25519", .wrongSignature, .ed25519) { $0.forgeSignature = { $0[0] ^= 1 } },
      Hostile("with a wrong signature of RSA", .wrongSignature, .rs256) { $0.forgeSignature = { $0[9] ^= 1 } },
      Hostile("with a signature that is empty", .wrongSignature) { $0.forgeSignature = { $0 = [] } },
      Hostile("with another key's signature", .wrongSignature) { key in
        let other = SoftwareKey()
        key.forgeSignature = { $0 = other.sign([1]) }
      },
      Hostile("without a signature", .malformed("signature"), change: replacing("signature", "sign")),
      Hostile(
        "without authenticator data", .malformed("authenticatorData"), change: replacing("authenticatorData", "data")),
      Hostile(
        "with authenticator data cut off", .malformedData,
        change: replacing(#""authenticatorData":""#, #""authenticatorData":"AAAA","ignored":""#)),
      Hostile("of a user without a name", .malformed("userHandle")) { $0.user = nil },
      Hostile("of a user with an empty name", .malformed("userHandle")) { $0.user = [] },
      Hostile("of another user", .wrongUser) { $0.user = [9] },
      Hostile("that can be backed up by now", .changedBackup) { $0.flags = 0x05 },
      Hostile("whose counter has stopped", .counterBehind) {
        $0.counter = 4
        $0.step = 1
      },
      Hostile("whose counter went back", .counterBehind) { $0.counter = 1 },
    ]
}

@Suite struct RefusedPasskeyTests {
  @Test(arguments: Hostile.registrations)
  func `a hostile or faulty passkey registration is refused with the right reason`(
    hostile: Hostile
  ) {
    let key = SoftwareKey(hostile.kind)
    hostile.set(key)
    #expect(throws: hostile.reason) { try Ceremony.register(key, change: hostile.change) }
  }

  @Test(arguments: Hostile.assertions) func `a hostile or faulty passkey assertion is refused with the right reason`(
    hostile: Hostile
  ) {
    let key = SoftwareKey.registered(hostile.kind)
    key.counter = 5
    let known = RelyingParty.KnownKey(
      cose: key.cose, counter: 5, isBackupEligible: true, userHandle: Ceremony.user)
    hostile.set(key)
    #expect(throws: hostile.reason) { try Ceremony.authenticate(key, known, change: hostile.change) }
  }

  @Test func `each reason for refusing a passkey has its own explanation`() {
    let reasons = Set((Hostile.registrations + Hostile.assertions).map(\.reason.explanation))
    #expect(reasons.count >= 20)
  }

  @Test(arguments: SoftwareKey.Kind.allCases)
  func `no random change of a passkey's answer makes a check trap or changes the verified counter`(
    kind: SoftwareKey.Kind
  ) {
    let seed = SeededRandom.seed(in: "WEBAUTHN_SEED")
    var random = SeededRandom(seed: seed)
    let key = SoftwareKey.registered(kind)
    let right = Array(key.get(challenge: Ceremony.challenge, relyingParty: "example.com").utf8)
    let known = Ceremony.known(key)
    let new = Array(key.create(challenge: Ceremony.challenge, relyingParty: "example.com", user: Ceremony.user).utf8)
    for _ in 0..<Workload.amount(20_000) {
      var text = random.chance(2) ? right : new
      let isAssertion = text == right
      for _ in 0..<Int.random(in: 1..<4, using: &random) {
        let place = Int.random(in: 0..<text.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text[place] = UInt8.random(in: 0x20..<0x7F, using: &random)
        case 1: text.remove(at: place)
        default: text.insert(UInt8.random(in: 0x20..<0x7F, using: &random), at: place)
        }
      }
      let changed = String(decoding: text, as: UTF8.self)
      if isAssertion {
        // A change may be in a member without a meaning, such as those of extensions.
        if let use = try? Ceremony.authenticate(text: changed, known) { #expect(use.counter == 1, "seed \(seed)") }
      } else {
        _ = try? Ceremony.register(text: changed)
      }
    }
  }
}

extension String {
  fileprivate func firstRange(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }

  fileprivate func replacingCharacters(_ range: Range<String.Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
  }
}
