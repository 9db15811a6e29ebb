import TestSupport
import Testing
import WebAuthn

/// Helpers for the tests of passkeys.
struct Ceremony {
  static let party = RelyingParty(
    id: "example.com", origins: ["https://login.example.com", "android:apk-key-hash:x"])
  static let challenge: [UInt8] = Array(repeating: 7, count: 32)
  static let user: [UInt8] = [1, 2, 3]

  static func register(_ key: SoftwareKey, change: (String) -> String = { $0 }) throws(PasskeyRefusal)
    -> RelyingParty.NewKey
  {
    try register(text: change(key.create(challenge: challenge, relyingParty: party.id, user: user)))
  }

  static func register(text: String) throws(PasskeyRefusal) -> RelyingParty.NewKey {
    try with(text) { (bytes) throws(PasskeyRefusal) in try party.register(bytes, challenge: challenge) }
  }

  static func known(_ key: SoftwareKey, counter: UInt32 = 0) -> RelyingParty.KnownKey {
    .init(cose: key.cose, counter: counter, isBackupEligible: key.flags & 8 != 0, userHandle: user)
  }

  static func authenticate(
    _ key: SoftwareKey, _ known: RelyingParty.KnownKey? = nil, isAlone: Bool = true, repeats: Bool = false,
    change: (String) -> String = { $0 }
  ) throws(PasskeyRefusal) -> RelyingParty.Use {
    try authenticate(
      text: change(key.get(challenge: challenge, relyingParty: party.id)), known ?? Self.known(key), isAlone: isAlone,
      repeats: repeats)
  }

  static func authenticate(
    text: String, _ known: RelyingParty.KnownKey, isAlone: Bool = true, repeats: Bool = false
  ) throws(PasskeyRefusal) -> RelyingParty.Use {
    try with(text) { (bytes) throws(PasskeyRefusal) in
      try party.authenticate(bytes, challenge: challenge, key: known, isAlone: isAlone, allowsRepetition: repeats)
    }
  }

  private static func with<Result>(
    _ text: String, _ body: (UnsafeRawBufferPointer) throws(PasskeyRefusal) -> Result
  ) throws(PasskeyRefusal) -> Result {
    try Array(text.utf8).withUnsafeBytes { bytes in
      Swift.Result { () throws(PasskeyRefusal) in try body(bytes) }
    }.get()
  }
}

extension SoftwareKey {
  /// Registers a key, after `change` has given it the fault to simulate, and returns it.
  static func registered(_ kind: Kind = .es256, _ change: (SoftwareKey) -> Void = { _ in }) -> SoftwareKey {
    let key = SoftwareKey(kind)
    key.user = Ceremony.user
    change(key)
    return key
  }
}

@Suite struct PasskeyTests {
  @Test(arguments: SoftwareKey.Kind.allCases)
  func `a passkey with a key of any supported algorithm can be registered and used repeatedly`(kind: SoftwareKey.Kind)
    throws
  {
    let key = SoftwareKey(kind)
    let new = try Ceremony.register(key)
    #expect(new.id == key.id)
    #expect(new.cose == key.cose)
    #expect(new.counter == 1)
    #expect(new.isBackupEligible && new.isBackedUp)
    var counter = new.counter
    for _ in 0..<5 {
      let use = try Ceremony.authenticate(key, Ceremony.known(key, counter: counter))
      #expect(use.counter == counter + 1)
      #expect(use.isUserVerified && use.isBackedUp)
      counter = use.counter
    }
  }

  @Test(arguments: SoftwareKey.Kind.allCases)
  func `a passkey's signature is refused if any bit of the signature, the signed data or the key is changed`(
    kind: SoftwareKey.Kind
  )
    throws
  {
    let key = SoftwareKey(kind)
    let message = Array("what is signed".utf8)
    let signature = key.sign(message)
    var reader = CBORReader(key.cose)
    let cose = try reader.next()
    #expect(try PublicKey(cose: cose).verifies(signature, of: message))
    for place in message.indices {
      var other = message
      other[place] ^= 1 << (place % 8)
      #expect(try !PublicKey(cose: cose).verifies(signature, of: other))
    }
    for bit in 0..<(signature.count * 8) {
      var other = signature
      other[bit / 8] ^= 1 << (bit % 8)
      #expect(try !PublicKey(cose: cose).verifies(other, of: message), "bit \(bit)")
    }
    for (count, extra) in [(0, 0), (1, 0), (signature.count - 1, 0), (signature.count, 1)] {
      let other = signature.prefix(count) + [UInt8](repeating: 0, count: extra)
      #expect(try !PublicKey(cose: cose).verifies(Array(other), of: message))
    }
    #expect(try !PublicKey(cose: cose).verifies([UInt8](repeating: 0, count: signature.count), of: message))
    #expect(try !PublicKey(cose: cose).verifies([UInt8](repeating: 255, count: signature.count), of: message))
    for bit in 0..<(key.cose.count * 8) {
      var other = key.cose
      other[bit / 8] ^= 1 << (bit % 8)
      var reader = CBORReader(other)
      guard let cose = try? reader.next(), let changed = try? PublicKey(cose: cose) else { continue }
      #expect(!changed.verifies(signature, of: message), "bit \(bit) of the key")
    }
  }

  @Test func `passkey signatures that Wycheproof lists as invalid edge cases are refused`() throws {
    // r or s zero, or not below the order of the curve (section 4.2.2 of SEC 1); and numbers that
    // DER writes in another way.
    let key = SoftwareKey()
    var reader = CBORReader(key.cose)
    let shown = try PublicKey(cose: try reader.next())
    let order: [UInt8] = [
      0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7,
      0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]
    func number(_ bytes: [UInt8]) -> [UInt8] { [0x02, UInt8(bytes.count)] + bytes }
    let numbers = [[0], [1], [0] + order, [0] + order.dropLast() + [0x50]].map(number)
    for r in numbers {
      for s in numbers { #expect(!shown.verifies([0x30, UInt8(r.count + s.count)] + r + s, of: [1, 2, 3])) }
    }
    let right = key.sign([1, 2, 3])
    #expect(shown.verifies(right, of: [1, 2, 3]))
    #expect(!shown.verifies([0x30, 0x81, right[1]] + right[2...], of: [1, 2, 3]))
    #expect(!shown.verifies(right + [0], of: [1, 2, 3]))
    let lengthened = [0x30, right[1] + 1, 0x02, right[3] + 1, 0] + right[4...]
    #expect(!shown.verifies(lengthened, of: [1, 2, 3]))
  }

  @Test func `the signatures in the test vectors of RFC 6979 and RFC 8032 are accepted`() throws {
    // RFC 6979, A.2.5: P-256 with SHA-256, message "sample".
    let x = hexadecimal("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6")
    let y = hexadecimal("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299")
    let r = hexadecimal("EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716")
    let s = hexadecimal("F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8")
    let der = [0x30, 70, 0x02, 33, 0] + r + [0x02, 33, 0] + s
    #expect(PublicKey.es256(x: x, y: y).verifies(der, of: Array("sample".utf8)))
    #expect(!PublicKey.es256(x: x, y: y).verifies(der, of: Array("Sample".utf8)))
    // RFC 8032, 7.1, tests 1 and 3.
    for (key, message, signature) in [
      (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
      ),
      (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
      ),
    ] {
      let shown = PublicKey.ed25519(hexadecimal(key))
      #expect(shown.verifies(hexadecimal(signature), of: hexadecimal(message)))
      #expect(!shown.verifies(hexadecimal(signature), of: hexadecimal(message) + [0]))
    }
  }

  @Test func `a passkey whose signature counter is always 0 stays usable`() throws {
    let key = SoftwareKey.registered { $0.step = 0 }
    for _ in 0..<3 { #expect(try Ceremony.authenticate(key).counter == 0) }
  }

  @Test
  func `only a retry of an accepted use of a passkey may have the signature counter that is already stored`() throws {
    let key = SoftwareKey.registered()
    let text = key.get(challenge: Ceremony.challenge, relyingParty: "example.com")
    #expect(try Ceremony.authenticate(text: text, Ceremony.known(key, counter: 1), repeats: true).counter == 1)
    #expect(throws: PasskeyRefusal.counterBehind) {
      try Ceremony.authenticate(text: text, Ceremony.known(key, counter: 1))
    }
    #expect(throws: PasskeyRefusal.counterBehind) {
      try Ceremony.authenticate(text: text, Ceremony.known(key, counter: 2), repeats: true)
    }
  }

  @Test func `a passkey after a password needs neither user verification nor a user handle`() throws {
    let key = SoftwareKey.registered { $0.flags = 0x09 }
    #expect(try !Ceremony.authenticate(key, isAlone: false).isUserVerified)
    for nobody: [UInt8]? in [nil, []] {
      key.user = nobody
      #expect(try !Ceremony.authenticate(key, isAlone: false).isUserVerified)
    }
  }

  @Test(arguments: SoftwareKey.Kind.allCases)
  func `a passkey's client data may begin with a byte order mark, which is part of the signed data`(
    kind: SoftwareKey.Kind
  ) throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let key = SoftwareKey.registered(kind) { $0.clientStart = mark }
    #expect(try Ceremony.authenticate(key).isUserVerified)
    for wrong in [mark + mark, [0xEF, 0xBB], Array("\u{200B}".utf8), [0xFE, 0xFF]] {
      key.clientStart = wrong
      #expect(throws: PasskeyRefusal.malformed("clientDataJSON")) { try Ceremony.authenticate(key) }
    }
  }

  @Test func `a passkey's attestation is treated as none whatever its format, and its extensions are skipped`() throws {
    let key = SoftwareKey()
    key.format = "packed"
    key.statement = [0xA1] + Encoded.text("alg") + Encoded.number(-7)
    key.flags |= 0x80
    key.behindData = [0xA1] + Encoded.text("credProtect") + Encoded.number(2)
    #expect(try Ceremony.register(key).id == key.id)
  }

  @Test func `the origin of a passkey may be an app`() throws {
    let key = SoftwareKey(origin: "android:apk-key-hash:x")
    #expect(try Ceremony.register(key).id == key.id)
  }
}

func hexadecimal(_ text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
