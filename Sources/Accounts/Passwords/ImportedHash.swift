/// An imported password hash in the form in which it is stored: one that libcrypt or passlib
/// accepts and would write in the same way.
public struct ImportedHash: Equatable, Sendable {
  /// yescrypt, bcrypt or SHA-crypt as written by libcrypt, or PBKDF2 as written by passlib.
  package let text: String

  /// Why a hash cannot be imported.
  public enum Problem: Error, Equatable, Sendable {
    /// Not a hash scheme that this program supports.
    case unknown
    /// Not well-formed for its scheme.
    case malformed
    /// Checking a password would take too long.
    case tooExpensive
  }

  /// Reads a hash in one of these formats: yescrypt (`$y$`, and `$gy$` with GOST R 34.11-2012),
  /// bcrypt (`$2a$`, `$2b$`, `$2y$`), SHA-crypt (`$5$`, `$6$`), or PBKDF2 with SHA-256 or SHA-512
  /// as written by passlib (`$pbkdf2-sha256$`), Kratos (`$pbkdf2-sha256$i=…,l=…$`), Django
  /// (`pbkdf2_sha256$`, `bcrypt$`) and LDAP servers (`{CRYPT}`, `{PBKDF2-SHA256}`).
  public init(_ text: String) throws(Problem) {
    let parts = Self.withoutScheme(text).split(separator: "$", omittingEmptySubsequences: false).map { String($0) }
    guard parts.count >= 2 else { throw .unknown }
    switch (parts[0], parts[1]) {
    case ("", "y"), ("", "gy"): self.text = try Self.yescrypt(parts)
    case ("", "2a"), ("", "2b"), ("", "2y"): self.text = try Self.bcrypt(parts)
    case ("", "5"): self.text = try Self.shaCrypt(parts, count: 43)
    case ("", "6"): self.text = try Self.shaCrypt(parts, count: 86)
    case ("", "pbkdf2-sha256"), ("", "pbkdf2-sha512"):
      guard parts.count == 5 else { throw .malformed }
      guard let salt = Base64.decode(parts[3]) else { throw .malformed }
      self.text = try Self.pbkdf2(kind: parts[1], rounds: Self.rounds(parts[2]), salt: salt, hash: parts[4])
    case ("pbkdf2_sha256", _), ("pbkdf2_sha512", _):
      // Django does not encode the salt.
      guard parts.count == 4 else { throw .malformed }
      let kind = parts[0] == "pbkdf2_sha256" ? "pbkdf2-sha256" : "pbkdf2-sha512"
      self.text = try Self.pbkdf2(kind: kind, rounds: parts[1], salt: Array(parts[2].utf8), hash: parts[3])
    default: throw .unknown
    }
  }

  /// Whether a text means that there is no password: it is empty or begins with `!` or `*`. No hash
  /// begins with these characters; other programs use them to mark accounts without a usable
  /// password.
  static func isNone(_ text: String) -> Bool {
    let hash = withoutScheme(text)
    return hash.isEmpty || hash.hasPrefix("!") || hash.hasPrefix("*")
  }

  /// Removes the prefix that an LDAP server or Django writes before a hash. If the hash needs the
  /// scheme that the prefix names, writes this scheme as passlib does.
  private static func withoutScheme(_ text: String) -> String {
    if text.hasPrefix("bcrypt$$2") { return String(text.dropFirst("bcrypt$".count)) }
    guard text.hasPrefix("{"), let end = text.firstIndex(of: "}") else { return text }
    let rest = String(text[text.index(after: end)...])
    switch text[..<end].dropFirst().lowercased() {
    case "crypt": return rest
    case "pbkdf2-sha256": return "$pbkdf2-sha256$" + rest
    case "pbkdf2-sha512": return "$pbkdf2-sha512$" + rest
    default: return text
    }
  }

  private static func yescrypt(_ parts: [String]) throws(Problem) -> String {
    try HashLimits.require(parts)
    guard parts.count == 5, CryptText.isText(parts[3], 1...86), CryptText.isWhole(parts[3]),
      CryptText.isText(parts[4], 43...43), CryptText.isWhole(parts[4])
    else { throw .malformed }
    return parts.joined(separator: "$")
  }

  private static func bcrypt(_ parts: [String]) throws(Problem) -> String {
    try HashLimits.require(parts)
    // 22 characters for the 16 bytes of salt, 31 for the 23 bytes of hash.
    guard parts.count == 4, parts[3].utf8.count == 53,
      let salt = CryptText.bcrypt(parts[3].prefix(22), count: 22, mask: 0x30),
      let hash = CryptText.bcrypt(parts[3].dropFirst(22), count: 31, mask: 0x3C)
    else { throw .malformed }
    return parts[..<3].joined(separator: "$") + "$" + salt + hash
  }

  private static func shaCrypt(_ parts: [String], count: Int) throws(Problem) -> String {
    try HashLimits.require(parts)
    let rest = parts.dropFirst(parts.count > 2 && parts[2].hasPrefix("rounds=") ? 3 : 2)
    guard rest.count == 2, let salt = rest.first, let hash = rest.last, CryptText.isText(salt, 1...16),
      CryptText.isText(hash, count...count), CryptText.isWhole(hash)
    else { throw .malformed }
    return parts.joined(separator: "$")
  }

  /// Returns the number of rounds from the plain number or from Kratos's `i=100000,l=32`.
  private static func rounds(_ text: String) -> String {
    guard text.hasPrefix("i=") else { return text }
    return text.split(separator: ",").first { $0.hasPrefix("i=") }.map { String($0.dropFirst(2)) } ?? text
  }

  /// Returns a PBKDF2 hash in passlib's format. If the hash is longer than the digest, as
  /// Keycloak's are, only its first block is kept, which identifies the password just as well and
  /// is no easier to attack.
  private static func pbkdf2(
    kind: String, rounds: String, salt: [UInt8], hash: String
  ) throws(Problem) -> String {
    guard let number = HashLimits.decimal(rounds), number >= 1 else { throw .malformed }
    guard number <= Int(HashLimits.pbkdf2Rounds.upperBound) else { throw .tooExpensive }
    guard salt.count <= PBKDF2Setting.maximumSalt, let hash = Base64.decode(hash), hash.count >= 16 else {
      throw .malformed
    }
    let digest = kind == "pbkdf2-sha256" ? 32 : 64
    let text = ["", kind, rounds, Base64.encode(salt), Base64.encode(hash.prefix(digest))].joined(separator: "$")
    guard PBKDF2Setting(text) != nil else { throw .malformed }
    return text
  }
}
