import CCrypto
import SecretMemory

/// A key that goes into the hash of every password and is not in the accounts file, as NIST SP
/// 800-63B asks for. Without it, the hashes in a stolen file cannot be attacked by guessing.
final class Pepper: Sendable {
  private let key: SecretBytes
  /// An identifier of the key that reveals nothing about it.
  let id: String

  init(_ key: consuming SecretBytes) {
    id = Self.id(of: key, use: "login-engine pepper")
    self.key = key
  }

  static func id(of key: borrowing SecretBytes, use: String) -> String {
    var code = [UInt8](repeating: 0, count: Int(CCRYPTO_HMAC_MAXIMUM))
    let text = Array(use.utf8)
    key.withBytes { _ = ccrypto_hmac(CCRYPTO_SHA256, $0.baseAddress, $0.count, text, text.count, &code) }
    return code.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Derives a key for another purpose from the pepper. The derived key reveals nothing about the
  /// pepper.
  func key(for use: String) -> SecretBytes { key.withBytes { CryptoKey.derived(from: $0, for: use) } }

  /// The prefix of stored hashes that use this pepper. Without the prefix, a missing pepper would
  /// look like a wrong password for every account.
  var prefix: String { Self.scheme + id + ":" }

  private static let scheme = "hmac-sha256:"

  /// Splits a stored hash into the id of its pepper, if it has one, and the hash itself.
  static func parts(of stored: String) -> (id: Substring?, hash: Substring) {
    guard stored.hasPrefix(scheme) else { return (nil, stored[...]) }
    let rest = stored.dropFirst(scheme.count)
    guard let colon = rest.firstIndex(of: ":") else { return (nil, stored[...]) }
    return (rest[..<colon], rest[rest.index(after: colon)...])
  }

  /// Lends the text that is hashed in place of a password: the password's HMAC-SHA-256 in
  /// hexadecimal digits. Digits are used because the bytes of the HMAC may contain a NUL, at which
  /// libcrypt would stop.
  func with<Result>(
    _ password: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(AccountStoreError) -> Result
  ) throws(AccountStoreError) -> Result {
    var digits = SecretBytes()
    key.withBytes { key in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(CCRYPTO_HMAC_MAXIMUM)) { code in
        defer { wipeMemory(UnsafeMutableRawBufferPointer(code)) }
        guard let output = code.baseAddress else { return }
        let count = ccrypto_hmac(
          CCRYPTO_SHA256, key.baseAddress, key.count, password.baseAddress, password.count, output)
        for byte in code[..<count] {
          for half in [byte >> 4, byte & 15] { digits.append(byte: half + (half < 10 ? 0x30 : 0x57)) }
        }
      }
    }
    return try digits.withBytes(body)
  }
}
