import CCrypto
public import SecretMemory

/// The computation of one-time codes from a shared secret: HOTP (RFC 4226) from a counter, TOTP
/// (RFC 6238) from the time.
public struct OneTimeCode: Sendable {
  public enum Hash: Sendable { case sha1, sha256, sha512 }

  public let hash: Hash
  /// The number of digits in a code, 6 to 9.
  public let digits: Int
  /// The length of a step in milliseconds: the time for which a code is current.
  public static let stepMs: Int64 = 30_000

  /// The parameters that every authenticator app supports: HMAC-SHA-1, six digits, 30 seconds.
  public static let standard = OneTimeCode(hash: .sha1, digits: 6)

  public init(hash: Hash, digits: Int) {
    self.hash = hash
    self.digits = min(max(digits, 6), 9)
  }

  /// The number of the step that contains a time, given in milliseconds since 1970. Times before
  /// 1970 belong to step 0.
  public static func step(atMs milliseconds: Int64) -> Int64 { max(0, milliseconds) / stepMs }

  /// Returns the code of a counter or step, in ASCII digits (RFC 4226, section 5.3).
  public func code(secret: UnsafeRawBufferPointer, step: Int64) -> SecretBytes {
    let algorithm =
      switch hash {
      case .sha1: CCRYPTO_SHA1
      case .sha256: CCRYPTO_SHA256
      case .sha512: CCRYPTO_SHA512
      }
    return withUnsafeTemporaryAllocation(byteCount: Int(CCRYPTO_HMAC_MAXIMUM), alignment: 8) { memory in
      defer { wipeMemory(memory) }
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      let digest = memory.bindMemory(to: UInt8.self)
      let count = withUnsafeBytes(of: step.bigEndian) { message in
        guard let start = digest.baseAddress else { return 0 }
        return ccrypto_hmac(algorithm, secret.baseAddress, secret.count, message.baseAddress, message.count, start)
      }
      guard count >= 20 else { return SecretBytes() }
      let offset = Int(digest[count - 1] & 0x0F)
      let number = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(digest[offset + $1]) } & 0x7FFF_FFFF
      var text = SecretBytes()
      var divisor = (0..<digits).reduce(UInt32(1)) { product, _ in product * 10 }
      for _ in 0..<digits {
        divisor /= 10
        text.append(byte: UInt8(ascii: "0") + UInt8(number / divisor % 10))
      }
      return text
    }
  }

  /// Returns the step among `steps` that has this code. Runs in constant time: neither a match nor
  /// its position affects the duration.
  public func step(
    of code: borrowing SecretBytes, in steps: ClosedRange<Int64>, secret: UnsafeRawBufferPointer
  ) -> Int64? {
    var found: Int64?
    for step in steps where isSame(code, self.code(secret: secret, step: step)) { found = step }
    return found
  }

  private func isSame(_ one: borrowing SecretBytes, _ other: borrowing SecretBytes) -> Bool {
    one.withBytes { one in
      other.withBytes { other in
        one.count == other.count && ccrypto_is_same(one.baseAddress, other.baseAddress, one.count) != 0
      }
    }
  }
}
