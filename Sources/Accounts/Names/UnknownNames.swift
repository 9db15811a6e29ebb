import CCrypto
import SecretMemory
import Synchronization
import WebAuthn

/// Keeps names that were typed and that nobody has as codes under a key that is not in the database: such a name may be a password that was typed in the
/// wrong place, and a fast hash with its salt beside it would let a thief of the file try passwords on it.
///
/// Shared by the stores of a process. Where the key can be neither read nor made, it is random: then the process alone remembers what it has counted.
public final class UnknownNames: Sendable {
  static let use = "login-engine names 1"

  private final class Key: Sendable {
    let bytes: SecretBytes
    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
  }

  private let key = Mutex<Key?>(nil)

  public init() {}

  /// - Parameter makeKey: called once, when the first name is hashed.
  func hash(_ name: HashedIdentifier, _ makeKey: () throws(AccountStoreError) -> SecretBytes) -> String {
    let text = Array(name.hash.utf8)
    return key(makeKey).bytes.withBytes { key in
      var code = [UInt8](repeating: 0, count: Int(CCRYPTO_HMAC_MAXIMUM))
      let count = ccrypto_hmac(CCRYPTO_SHA256, key.baseAddress, key.count, text, text.count, &code)
      return Base64URL.encode(code.prefix(count))
    }
  }

  private func key(_ makeKey: () throws(AccountStoreError) -> SecretBytes) -> Key {
    if let known = key.withLock({ $0 }) { return known }
    // Not under the lock: another store may wait for the disk.
    var made: Key
    do throws(AccountStoreError) {
      made = Key(try makeKey())
    } catch {
      var random = SecretBytes()
      var generator = SystemRandomNumberGenerator()
      for _ in 0..<KeyFile.length { random.append(byte: UInt8.random(in: .min ... .max, using: &generator)) }
      made = Key(random)
    }
    return key.withLock { key in
      // All stores have the same.
      if let first = key { made = first }
      key = made
      return made
    }
  }
}

/// Keys that are made of others.
enum CryptoKey {
  /// The code of a text under HMAC-SHA-256.
  static func derived(from key: UnsafeRawBufferPointer, for use: String) -> SecretBytes {
    let text = Array(use.utf8)
    var derived = SecretBytes()
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(CCRYPTO_HMAC_MAXIMUM)) { code in
      defer { wipeMemory(UnsafeMutableRawBufferPointer(code)) }
      guard let output = code.baseAddress else { return }
      let count = ccrypto_hmac(CCRYPTO_SHA256, key.baseAddress, key.count, text, text.count, output)
      derived.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(code).prefix(count)))
    }
    return derived
  }
}
