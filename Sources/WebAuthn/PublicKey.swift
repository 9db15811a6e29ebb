import CCrypto

/// The public key of a passkey, for one of the algorithms that WebAuthn recommends: ES256, EdDSA
/// with Ed25519, and RS256 (RFC 9053, RFC 8812).
public enum PublicKey: Equatable, Sendable {
  case es256(x: [UInt8], y: [UInt8])
  case ed25519([UInt8])
  case rs256(modulus: [UInt8], exponent: [UInt8])

  /// The numbers of the algorithms in IANA's registry "COSE Algorithms", in order of preference.
  public static let algorithms = [-7, -8, -257]

  /// Reads a COSE_Key (RFC 9052, section 7), which must have the members of its algorithm and no
  /// others (WebAuthn, section 6.5.1). Throws if the value is not a key for one of `algorithms`.
  public init(cose: CBOR) throws(PasskeyRefusal) {
    guard case .map(let members) = cose else { throw .unusableKey }
    func bytes(_ key: Int) -> [UInt8]? { if case .bytes(let bytes)? = members[.init(key)] { bytes } else { nil } }
    func has(_ key: Int, _ number: Int) -> Bool {
      members[.init(key)] == (number < 0 ? .negative(UInt64(~number)) : .unsigned(UInt64(number)))
    }
    if has(1, 2), has(3, -7), has(-1, 1), members.count == 5, let x = bytes(-2), let y = bytes(-3) {
      guard x.count == 32, y.count == 32, ccrypto_is_p256_point(x, y) != 0 else { throw .unusableKey }
      self = .es256(x: x, y: y)
    } else if has(1, 1), has(3, -8), has(-1, 6), members.count == 4, let key = bytes(-2) {
      guard key.count == 32 else { throw .unusableKey }
      self = .ed25519(key)
    } else if has(1, 3), has(3, -257), members.count == 4, let modulus = bytes(-1), let exponent = bytes(-2) {
      guard Self.isUsable(modulus: modulus, exponent: exponent) else { throw .unusableKey }
      self = .rs256(modulus: modulus, exponent: exponent)
    } else {
      throw .unusableKey
    }
  }

  /// Whether the modulus is odd, has 2,048 to 4,096 bits and no leading zero byte, and the exponent
  /// is odd and from 3 to 2^32.
  private static func isUsable(modulus: [UInt8], exponent: [UInt8]) -> Bool {
    guard let first = modulus.first, let last = modulus.last, first != 0, last & 1 == 1 else { return false }
    let bits = modulus.count * 8 - first.leadingZeroBitCount
    guard (2_048...4_096).contains(bits), (1...4).contains(exponent.count), exponent.first != 0 else {
      return false
    }
    let number = exponent.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return number >= 3 && number & 1 == 1
  }

  /// Whether a signature is valid for a message. The format is that of WebAuthn, section 6.5.5.
  public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    switch self {
    case .es256(let x, let y):
      guard let (r, s) = ECDSASignature.numbers(der: signature) else { return false }
      return ccrypto_verify_es256(x, y, SHA256.digest(message), r, s) != 0
    case .ed25519(let key):
      return signature.count == 64 && ccrypto_verify_ed25519(key, message, message.count, signature) != 0
    case .rs256(let modulus, let exponent):
      guard signature.count == modulus.count else { return false }
      return ccrypto_verify_rs256(
        modulus, modulus.count, exponent, exponent.count, SHA256.digest(message), signature, signature.count) != 0
    }
  }
}

/// SHA-256 (FIPS 180-4).
public enum SHA256 {
  public static func digest(_ message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(CCRYPTO_SHA256_LENGTH))
    message.withUnsafeBytes { ccrypto_digest(CCRYPTO_SHA256, $0.baseAddress, $0.count, &digest) }
    return digest
  }
}

/// The ASN.1 type `Ecdsa-Sig-Value` of RFC 3279, section 2.2.3, in DER.
enum ECDSASignature {
  /// Returns the two numbers of a signature in 32 bytes each. Nil if one is longer or the bytes are
  /// not DER.
  static func numbers(der: [UInt8]) -> (r: [UInt8], s: [UInt8])? {
    // The sequence's length fits into one byte, since each number has at most 33 bytes.
    guard der.count >= 2, der[0] == 0x30, der[1] < 0x80, Int(der[1]) == der.count - 2 else { return nil }
    var rest = der[2...]
    guard let r = number(&rest), let s = number(&rest), rest.isEmpty else { return nil }
    return (r, s)
  }

  private static func number(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.popFirst() == 0x02, let length = rest.popFirst(), length >= 1, length <= rest.count else { return nil }
    var digits = rest.prefix(Int(length))
    rest = rest.dropFirst(Int(length))
    guard let first = digits.first, first < 0x80 else { return nil }
    if first == 0, digits.count > 1 {
      digits = digits.dropFirst()
      // A leading zero is allowed only to make the number positive.
      guard let next = digits.first, next >= 0x80 else { return nil }
    }
    guard digits.count <= 32 else { return nil }
    return [UInt8](repeating: 0, count: 32 - digits.count) + digits
  }
}
