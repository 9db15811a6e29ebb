public import SecretMemory

/// The secret from which one-time codes are computed. The secret's memory is wiped when the last
/// reference to it is released.
public final class OneTimeSecret: Sendable {
  private let bytes: SecretBytes
  /// The length in bytes: 160 random bits, as RFC 4226 recommends in section 4.
  public static let length = 20

  public init(copying bytes: UnsafeRawBufferPointer) { self.bytes = SecretBytes(copying: bytes) }

  private init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

  /// Creates a secret from the system's random number generator.
  public static func random() -> OneTimeSecret {
    var generator = SystemRandomNumberGenerator()
    var bytes = SecretBytes()
    for _ in 0..<length { bytes.append(byte: UInt8.random(in: .min ... .max, using: &generator)) }
    return OneTimeSecret(bytes)
  }

  public func withBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result { try bytes.withBytes(body) }

  /// Returns the URI that authenticator apps read, for example from a QR code:
  /// https://github.com/google/google-authenticator/wiki/Key-Uri-Format. Only for codes of
  /// `OneTimeCode.standard`.
  public func uri(issuer: String, account: String) -> SecretBytes {
    var uri = SecretBytes()
    let issuer = Self.escaped(issuer)
    for byte in ("otpauth://totp/" + issuer + ":" + Self.escaped(account) + "?secret=").utf8 { uri.append(byte: byte) }
    withBytes { Base32.encode($0).withBytes { uri.append($0) } }
    for byte in ("&issuer=" + issuer + "&algorithm=SHA1&digits=6&period=30").utf8 { uri.append(byte: byte) }
    return uri
  }

  /// Returns the secret in base32, in groups of four letters separated by spaces, for manual entry.
  public func text() -> SecretBytes {
    var text = SecretBytes()
    withBytes { bytes in
      Base32.encode(bytes).withBytes { letters in
        for (index, letter) in letters.enumerated() {
          if index > 0, index % 4 == 0 { text.append(byte: UInt8(ascii: " ")) }
          text.append(byte: letter)
        }
      }
    }
    return text
  }

  /// Percent-encodes everything except RFC 3986's unreserved characters.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        escaped += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
      }
    }
    return escaped
  }
}
