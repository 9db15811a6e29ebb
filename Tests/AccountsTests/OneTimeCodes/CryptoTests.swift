import CCrypto
import Testing

@Suite struct CryptoTests {
  static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap { $0.hexDigitValue }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  private static func hmac(_ hash: ccrypto_hash, _ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: Int(CCRYPTO_HMAC_MAXIMUM))
    let count = ccrypto_hmac(hash, key, key.count, message, message.count, &code)
    return Array(code[..<count])
  }

  @Test(
    "HMAC: RFC 2202 (SHA-1) and RFC 4231 (SHA-256, SHA-512), cases 1, 2 and the key that is longer than a block",
    arguments: [
      (20, 0x0b, "Hi There", "b617318655057264e28bc0b6fb378c8ef146be00", CCRYPTO_SHA1),
      (
        20, 0x0b, "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7", CCRYPTO_SHA256
      ),
      (
        20, 0x0b, "Hi There",
        "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854",
        CCRYPTO_SHA512
      ),
      (
        80, 0xaa, "Test Using Larger Than Block-Size Key - Hash Key First", "aa4ae5e15272d00e95705637ce8a3b55ed402112",
        CCRYPTO_SHA1
      ),
      (
        131, 0xaa, "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54", CCRYPTO_SHA256
      ),
      (
        131, 0xaa, "Test Using Larger Than Block-Size Key - Hash Key First",
        "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598",
        CCRYPTO_SHA512
      ),
    ] as [(Int, UInt8, String, String, ccrypto_hash)])
  func hmac(keyCount: Int, keyByte: UInt8, message: String, expected: String, hash: ccrypto_hash) {
    let key = [UInt8](repeating: keyByte, count: keyCount)
    #expect(Self.hmac(hash, key, Array(message.utf8)) == Self.bytes(expected))
    #expect(
      Self.hmac(CCRYPTO_SHA1, Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
        == Self.bytes("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"))
  }

  @Test(
    "PBKDF2: RFC 7914, section 11 (SHA-256), and what Python's hashlib says (SHA-512, a password longer than a block)",
    arguments: [
      (
        CCRYPTO_SHA256, "passwd", "salt", 1, "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
      ),
      (
        CCRYPTO_SHA256, "Password", "NaCl", 80_000, "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
      ),
      (
        CCRYPTO_SHA512, String(repeating: "password", count: 20), "NaCl", 80_000,
        "778f0cbfd02724be444efa904f5e27395de9a38d5496dec13b3f35787ec90f9f327188b08f62448f42f4c75a913fc70bdc577917186c37752e68dc1f9f0aeb27"
      ),
    ] as [(ccrypto_hash, String, String, UInt32, String)])
  func pbkdf2(hash: ccrypto_hash, password: String, salt: String, rounds: UInt32, expected: String) {
    var output = [UInt8](repeating: 0, count: Int(CCRYPTO_HMAC_MAXIMUM))
    let (password, salt) = (Array(password.utf8), Array(salt.utf8))
    ccrypto_pbkdf2(hash, password, password.count, salt, salt.count, rounds, &output)
    #expect(Array(output[..<(expected.utf8.count / 2)]) == Self.bytes(expected))
  }

  // The GCM specification (McGrew, Viega), appendix B, test case 16: AES-256, a nonce of 96 bits,
  // associated data.
  private static let key = bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
  private static let nonce = bytes("cafebabefacedbaddecaf888")
  private static let text = bytes(
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
  )
  private static let associated = bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
  private static let sealed = bytes(
    "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
  )
  private static let tag = bytes("76fc6ece0f4e1768cddf8853bb2d551b")

  @Test("AES-256-GCM: the specification's test case 16, both ways")
  func gcm() {
    var (output, tag) = ([UInt8](repeating: 0, count: Self.text.count), [UInt8](repeating: 0, count: 16))
    ccrypto_seal(
      Self.key, Self.nonce, Self.associated, Self.associated.count, Self.text, Self.text.count, &output, &tag)
    #expect(output == Self.sealed)
    #expect(tag == Self.tag)
    #expect(open() == Self.text)
  }

  @Test("AES-256-GCM: any change of the input makes decryption fail and zero its output")
  func changed() {
    func flipped(_ bytes: [UInt8]) -> [[UInt8]] {
      bytes.indices.map { index in
        var changed = bytes
        changed[index] ^= 1
        return changed
      }
    }
    let nothing = [UInt8](repeating: 0, count: Self.text.count)
    for key in flipped(Self.key) { #expect(open(key: key) == nothing) }
    for nonce in flipped(Self.nonce) { #expect(open(nonce: nonce) == nothing) }
    for associated in flipped(Self.associated) { #expect(open(associated: associated) == nothing) }
    for sealed in flipped(Self.sealed) { #expect(open(sealed: sealed) == nothing) }
    for tag in flipped(Self.tag) { #expect(open(tag: tag) == nothing) }
  }

  private func open(
    key: [UInt8] = key, nonce: [UInt8] = nonce, associated: [UInt8] = associated, sealed: [UInt8] = sealed,
    tag: [UInt8] = tag
  ) -> [UInt8] {
    var output = [UInt8](repeating: 7, count: sealed.count)
    let result = ccrypto_open(key, nonce, associated, associated.count, sealed, sealed.count, &output, tag)
    #expect((result == 0) == (output == Self.text))
    return output
  }
}
