import CCrypto
import SecretMemory

/// A PBKDF2 hash (RFC 8018, section 5.2) with HMAC-SHA-256 or HMAC-SHA-512, or its setting without
/// the hash itself.
///
/// The format is passlib's: `$pbkdf2-sha256$ROUNDS$SALT$HASH`, with salt and hash in base64 with
/// `.` instead of `+` and without padding.
struct PBKDF2Setting {
  let isSHA512: Bool
  let rounds: UInt32
  let salt: [UInt8]
  /// The length of the hash in bytes. It is at most the length of the digest, so that every hash
  /// takes the work of one block.
  let count: Int
  /// The text in passlib's format up to the hash.
  private let setting: String

  static let maximumSalt = 1_024

  init?(_ text: String) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard (4...5).contains(parts.count), parts[0].isEmpty else { return nil }
    switch parts[1] {
    case "pbkdf2-sha256": isSHA512 = false
    case "pbkdf2-sha512": isSHA512 = true
    default: return nil
    }
    guard let rounds = HashLimits.decimal(parts[2]).flatMap({ UInt32(exactly: $0) }),
      HashLimits.pbkdf2Rounds.contains(rounds), let salt = Base64.decode(parts[3]),
      salt.count <= Self.maximumSalt
    else { return nil }
    let digest = isSHA512 ? 64 : 32
    if parts.count == 5 {
      guard let hash = Base64.decode(parts[4]), (16...digest).contains(hash.count) else { return nil }
      count = hash.count
    } else {
      count = digest
    }
    self.rounds = rounds
    self.salt = salt
    setting = parts[..<4].joined(separator: "$")
  }

  /// Hashes a passphrase. Returns the setting followed by the hash, in passlib's format.
  func hash(_ passphrase: UnsafeRawBufferPointer) -> String {
    var output = [UInt8](repeating: 0, count: Int(CCRYPTO_HMAC_MAXIMUM))
    ccrypto_pbkdf2(
      isSHA512 ? CCRYPTO_SHA512 : CCRYPTO_SHA256, passphrase.baseAddress, passphrase.count, salt, salt.count, rounds,
      &output)
    return setting + "$" + Base64.encode(output[..<count])
  }
}

/// Base64 as passlib writes it: `.` instead of `+`, no padding.
enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./".utf8)

  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    var (bits, count) = (UInt32(0), UInt32(0))
    func append(_ value: UInt32) { text.unicodeScalars.append(Unicode.Scalar(letters[Int(value & 63)])) }
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        append(bits >> count)
      }
      bits &= 1 << count - 1
    }
    if count > 0 { append(bits << (6 - count)) }
    return text
  }

  /// Decodes passlib's base64. Also accepts `+` in place of `.`, and padding at the end.
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count, digits) = (UInt32(0), UInt32(0), 0)
    var isPadded = false
    for letter in text.utf8 {
      if letter == UInt8(ascii: "=") {
        isPadded = true
        continue
      }
      let known = letter == UInt8(ascii: "+") ? UInt8(ascii: ".") : letter
      guard !isPadded, let value = letters.firstIndex(of: known) else { return nil }
      digits += 1
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
      bits &= 1 << count - 1
    }
    return digits % 4 == 1 ? nil : bytes
  }
}
