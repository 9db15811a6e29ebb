import CCrypto
import SecretMemory
import Synchronization
import WebAuthn

/// Keyed hashes of typed names that belong to no account, with a key that is not in the database.
///
/// Such a name may be a password typed into the wrong field. If the file had a fast unkeyed hash of
/// the name, and its salt, anyone with the file could guess that password.
///
/// Shared by the stores of a process. If the key can be neither read nor created, it is random;
/// then only this process recognises the names that it has counted.
public final class UnknownNames: Sendable {
  static let use = "login-engine names 1"

  private final class Key: Sendable {
    let bytes: SecretBytes
    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
  }

  private let key = Mutex<Key?>(nil)

  public init() {}

  /// Returns the keyed hash of a name.
  ///
  /// - Parameter makeKey: Returns the key. Called only until this object has a key.
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
    // Outside the lock: another store may be waiting for the disk.
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
      // All stores must use the same key, so the first one stays.
      if let first = key { made = first }
      key = made
      return made
    }
  }
}

/// Derives keys for several purposes from one key.
enum CryptoKey {
  /// Derives a key for a purpose: HMAC-SHA-256 of the purpose's name.
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
