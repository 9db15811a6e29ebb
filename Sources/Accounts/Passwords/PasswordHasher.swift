import CAccountLibraries
import CCrypto
import Glibc

/// Hashes passphrases with libcrypt, and with PBKDF2 for imported hashes and for names. The working
/// memory for libcrypt is on the heap and wiped after every use.
package struct PasswordHasher: ~Copyable {
  private static let size = MemoryLayout<crypt_data>.size
  private let memory: UnsafeMutableRawPointer

  package init() {
    memory = UnsafeMutableRawPointer.allocate(byteCount: Self.size, alignment: 64)
    memset(memory, 0, Self.size)
  }

  deinit {
    explicit_bzero(memory, Self.size)
    memory.deallocate()
  }

  /// Returns a yescrypt setting with a random salt. The cost is libcrypt's, 1 to 11.
  package static func setting(cost: UInt) throws(AccountStoreError) -> String {
    try setting(prefix: "$y$", cost: cost)
  }

  /// Returns a setting for the hashes of typed names. It is cheap, because each login computes two
  /// such hashes. Older databases have another setting, SHA-crypt with 1,000 rounds, for which
  /// libcrypt takes four times as long.
  static func identifierSetting() -> String {
    var generator = SystemRandomNumberGenerator()
    let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    return "$pbkdf2-sha256$400$" + Base64.encode(salt)
  }

  /// Whether hashes with this setting are cheap enough for names.
  static func isIdentifierSetting(_ setting: String) -> Bool {
    if let setting = PBKDF2Setting(setting) { return setting.rounds <= 100_000 }
    return setting.hasPrefix("$5$rounds=1000$")
  }

  private static func setting(prefix: String, cost: UInt) throws(AccountStoreError) -> String {
    var generator = SystemRandomNumberGenerator()
    let random = (0..<16).map { _ in CChar(bitPattern: UInt8.random(in: .min ... .max, using: &generator)) }
    var output = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
    let made = crypt_gensalt_rn(prefix, cost, random, Int32(random.count), &output, Int32(output.count))
    guard let made else { throw .failed(code: -errno) }
    return String(cString: made)
  }

  /// Hashes a passphrase with the scheme, cost and salt of `setting`, which may also be an earlier
  /// hash. Returns the setting followed by the hash.
  ///
  /// Throws for a passphrase that libcrypt would truncate. Also throws for a setting that is empty,
  /// malformed, unsupported or beyond `HashLimits`, because libcrypt accepts some of these.
  package func hash(_ passphrase: UnsafeRawBufferPointer, setting: String) throws(AccountStoreError) -> String {
    guard passphrase.count < Int(CRYPT_MAX_PASSPHRASE_SIZE), !passphrase.contains(0) else {
      throw .failed(code: -EINVAL)
    }
    if let setting = PBKDF2Setting(setting) { return setting.hash(passphrase) }
    guard Self.isUsable(setting) else { throw .failed(code: -EINVAL) }
    guard HashLimits.allow(setting) else { throw .damaged }
    defer {
      explicit_bzero(memory, Self.size)
      ccrypto_wipe_stack()
    }
    guard let inputOffset = MemoryLayout<crypt_data>.offset(of: \.input) else { throw .failed(code: -EINVAL) }
    let input = memory + inputOffset
    if let source = passphrase.baseAddress { memcpy(input, source, passphrase.count) }
    // The memory was zeroed before, so a NUL follows the passphrase.
    let output = HashSemaphore.with {
      crypt_rn(input.assumingMemoryBound(to: CChar.self), setting, memory, Int32(truncatingIfNeeded: Self.size))
    }
    guard let output else { throw Self.isWellFormed(setting) ? .outOfMemory : .damaged }
    return String(cString: output)
  }

  /// Whether the setting or hash is well-formed, so that a failure of libcrypt must be due to a
  /// lack of memory: libcrypt reports no separate error for that.
  private static func isWellFormed(_ setting: String) -> Bool {
    let parts = setting.split(separator: "$", omittingEmptySubsequences: false)
    return parts.count >= 4
      && setting.utf8.allSatisfy {
        switch $0 {
        case 0x24, 0x2E...0x39, 0x3D, 0x41...0x5A, 0x61...0x7A: true  // $ . / 0-9 = A-Z a-z
        default: false
        }
      }
  }

  /// Whether a setting or hash can be passed to PBKDF2 or libcrypt.
  static func isSetting(_ setting: String) -> Bool {
    PBKDF2Setting(setting) != nil || isUsable(setting) && HashLimits.allow(setting)
  }

  private static func isUsable(_ setting: String) -> Bool {
    switch crypt_checksalt(setting) {
    // New passwords use yescrypt. "$5$" is also used for names; the others occur in imported
    // hashes.
    case CRYPT_SALT_OK, CRYPT_SALT_METHOD_LEGACY:
      ["$y$", "$gy$", "$5$", "$6$", "$2a$", "$2b$", "$2y$"].contains { setting.hasPrefix($0) }
    default: false
    }
  }

  /// Whether a hash of this scheme depends on every byte of a text of `byteCount` bytes and on
  /// where the text ends. bcrypt reads only 72 bytes, including the NUL that ends a shorter text.
  static func covers(_ hash: String, byteCount: Int) -> Bool {
    switch kind(of: hash) {
    case "2a", "2b", "2y": byteCount < 72
    default: true
    }
  }

  /// The part of a stored hash that precedes the hash itself: scheme, cost and salt.
  static func setting(of hash: String) -> Substring { hash[..<(hash.lastIndex(of: "$") ?? hash.startIndex)] }

  /// The scheme of a hash: the text between the first two dollar signs.
  static func kind(of hash: String) -> String {
    hash.split(separator: "$", maxSplits: 2, omittingEmptySubsequences: false).dropFirst().first.map { String($0) }
      ?? ""
  }

  /// The scheme of a stored value. Nil if it is not a hash that can be checked.
  static func checkedKind(of stored: String) -> String? {
    AccountRow.isHash(String(Pepper.parts(of: stored).hash)) ? kind(of: stored) : nil
  }

  /// Whether the passphrase is the one that was hashed. Every wrong passphrase takes the same time.
  package func verify(_ passphrase: UnsafeRawBufferPointer, against hash: String) throws(AccountStoreError) -> Bool {
    Self.isSame(try self.hash(passphrase, setting: hash), hash)
  }

  /// Whether two hashes are equal. The comparison takes a time that depends only on their length.
  static func isSame(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    return zip(one.utf8, other.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The part of a setting or hash that determines the cost: `$y$j9T$` of `$y$j9T$salt$hash`.
  static func parameters(of setting: String) -> Substring {
    var dollars = 0
    for index in setting.indices where setting[index] == "$" {
      dollars += 1
      if dollars == 3 { return setting[...index] }
    }
    return setting[...]
  }
}
