import Accounts
import SecretMemory
import Testing

/// The test vectors of the RFCs about one-time codes and base32.
@Suite struct VectorTests {
  private func code(_ rule: OneTimeCode, _ secret: String, _ step: Int64) -> String {
    Array(secret.utf8).withUnsafeBytes { secret in
      rule.code(secret: secret, step: step).withBytes { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test(
    "HOTP: the codes of RFC 4226, appendix D",
    arguments: [
      "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
    ].enumerated().map { ($0.offset, $0.element) })
  func hotp(counter: Int, expected: String) {
    #expect(code(.standard, "12345678901234567890", Int64(counter)) == expected)
  }

  private static let seeds: [OneTimeCode.Hash: String] = [
    .sha1: "12345678901234567890", .sha256: "12345678901234567890123456789012",
    .sha512: "1234567890123456789012345678901234567890123456789012345678901234",
  ]

  @Test(
    "TOTP: the codes of RFC 6238, appendix B, with the seeds of the RFC's reference implementation",
    arguments: [
      (59, "94287082", "46119246", "90693936"), (1_111_111_109, "07081804", "68084774", "25091201"),
      (1_111_111_111, "14050471", "67062674", "99943326"), (1_234_567_890, "89005924", "91819424", "93441116"),
      (2_000_000_000, "69279037", "90698825", "38618901"), (20_000_000_000, "65353130", "77737706", "47863826"),
    ] as [(Int64, String, String, String)])
  func totp(seconds: Int64, sha1: String, sha256: String, sha512: String) throws {
    let step = OneTimeCode.step(atMs: seconds * 1_000)
    for (hash, expected) in [(OneTimeCode.Hash.sha1, sha1), (.sha256, sha256), (.sha512, sha512)] {
      let seed = try #require(Self.seeds[hash])
      #expect(code(OneTimeCode(hash: hash, digits: 8), seed, step) == expected)
    }
  }

  @Test(
    "base32: the test vectors of RFC 4648, section 10, without padding",
    arguments: [
      ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
      ("foobar", "MZXW6YTBOI"),
    ])
  func base32(text: String, expected: String) {
    let encoded = Array(text.utf8).withUnsafeBytes {
      Base32.encode($0).withBytes { String(decoding: $0, as: UTF8.self) }
    }
    #expect(encoded == expected)
  }
}
