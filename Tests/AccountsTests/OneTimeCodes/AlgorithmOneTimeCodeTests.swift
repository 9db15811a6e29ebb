import Accounts
import SecretMemory
import Testing

@Suite struct AlgorithmOneTimeCodeTests {
  private static let secret = Array("12345678901234567890".utf8)

  @Test("the time steps of one-time codes last thirty seconds and are counted from 1970")
  func steps() {
    for (milliseconds, step): (Int64, Int64) in [
      (-1, 0), (.min, 0), (0, 0), (29_999, 0), (30_000, 1), (59_999, 1), (60_000, 2), (.max, .max / 30_000),
    ] {
      #expect(OneTimeCode.step(atMs: milliseconds) == step)
    }
  }

  @Test("the step of a one-time code is found only among the given steps")
  func search() throws {
    var code = SecretBytes()
    for digit in "287082".utf8 { code.append(byte: digit) }
    Self.secret.withUnsafeBytes { secret in
      for (steps, found): (ClosedRange<Int64>, Int64?) in [(0...2, 1), (1...1, 1), (2...9, nil), (0...0, nil)] {
        #expect(OneTimeCode.standard.step(of: code, in: steps, secret: secret) == found)
      }
    }
  }

  @Test("one-time codes of six to nine digits are suffixes of the same number")
  func digits() {
    let codes = (6...9).map { digits in
      Self.secret.withUnsafeBytes { secret in
        OneTimeCode(hash: .sha1, digits: digits).code(secret: secret, step: 1).withBytes {
          String(decoding: $0, as: UTF8.self)
        }
      }
    }
    // RFC 4226, appendix D: 1094287082.
    #expect(codes == ["287082", "4287082", "94287082", "094287082"])
  }

  @Test("the URI for authenticator apps escapes every character with a meaning in URIs")
  func uri() {
    let secret = Self.secret.withUnsafeBytes { OneTimeSecret(copying: $0) }
    let uri = secret.uri(issuer: "Blue & Söhne", account: "ada+x@example.com").withBytes {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(
      uri
        == "otpauth://totp/Blue%20%26%20S%C3%B6hne:ada%2Bx%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Blue%20%26%20S%C3%B6hne&algorithm=SHA1&digits=6&period=30"
    )
    #expect(
      secret.text().withBytes { String(decoding: $0, as: UTF8.self) } == "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ")
  }

  @Test("new one-time code secrets have 160 bits and differ")
  func random() {
    var seen: Set<[UInt8]> = []
    for _ in 0..<100 { seen.insert(OneTimeSecret.random().withBytes { Array($0) }) }
    #expect(seen.count == 100)
    #expect(seen.allSatisfy { $0.count == 20 })
  }
}
