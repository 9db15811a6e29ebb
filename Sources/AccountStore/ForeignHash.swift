/// A password's hash that comes from elsewhere, in the form in which it is kept.
public struct ForeignHash: Equatable, Sendable {
  /// yescrypt, bcrypt or SHA-crypt as libcrypt writes them, or PBKDF2 as passlib does.
  let text: String

  /// Why a hash cannot be taken.
  public enum Problem: Error, Equatable, Sendable {
    /// No kind of hash that this program can check.
    case unknown
    /// A hash of this kind has another form.
    case malformed
    /// Checking a password would take too long.
    case tooExpensive
  }

  /// The highest costs that are taken; each takes a few seconds at most.
  private static let maximumBcryptCost = 15
  private static let maximumSHARounds = 5_000_000
  /// libcrypt's cost 11, a gigabyte of memory.
  private static let maximumYescryptSize = 17

  /// Takes yescrypt (`$y$`, and `$gy$` with GOST R 34.11-2012), bcrypt (`$2a$`, `$2b$`, `$2y$`), SHA-crypt (`$5$`, `$6$`) and PBKDF2 with SHA-256 or SHA-512
  /// (`$pbkdf2-sha256$` of passlib, `pbkdf2_sha256$` of Django).
  public init(_ text: String) throws(Problem) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false).map { String($0) }
    guard parts.count >= 2 else { throw .unknown }
    if parts[0].hasPrefix("pbkdf2_") {
      self.text = try Self.django(parts)
      return
    }
    guard parts[0].isEmpty else { throw .unknown }
    switch parts[1] {
    case "y", "gy": try Self.requireYescrypt(parts)
    case "2a", "2b", "2y": try Self.requireBcrypt(parts)
    case "5": try Self.requireSHACrypt(parts, count: 43)
    case "6": try Self.requireSHACrypt(parts, count: 86)
    case "pbkdf2-sha256", "pbkdf2-sha512": try Self.requirePBKDF2(parts)
    default: throw .unknown
    }
    self.text = text
  }

  private static func requireYescrypt(_ parts: [String]) throws(Problem) {
    // Flavour, size of memory and blocks, as libcrypt makes them: https://www.openwall.com/yescrypt/.
    guard parts.count == 5, parts[2].utf8.count == 3, parts[2].hasPrefix("j"), isText(parts[3], 1...86),
      isText(parts[4], 43...43), let size = number(parts[2].utf8.dropFirst().first),
      let blocks = number(parts[2].utf8.last)
    else { throw .malformed }
    guard size <= maximumYescryptSize, blocks <= 31 else { throw .tooExpensive }
  }

  private static func requireBcrypt(_ parts: [String]) throws(Problem) {
    guard parts.count == 4, parts[2].utf8.count == 2, let cost = Int(parts[2]), cost >= 4, isText(parts[3], 53...53)
    else { throw .malformed }
    guard cost <= maximumBcryptCost else { throw .tooExpensive }
  }

  private static func requireSHACrypt(_ parts: [String], count: Int) throws(Problem) {
    var rest = parts.dropFirst(2)
    if let first = rest.first, first.hasPrefix("rounds=") {
      guard let rounds = Int(first.dropFirst(7)), rounds >= 1_000 else { throw .malformed }
      guard rounds <= maximumSHARounds else { throw .tooExpensive }
      rest = rest.dropFirst()
    }
    guard rest.count == 2, let salt = rest.first, let hash = rest.last, isText(salt, 1...16),
      isText(hash, count...count)
    else { throw .malformed }
  }

  private static func requirePBKDF2(_ parts: [String]) throws(Problem) {
    guard parts.count == 5, let rounds = UInt64(parts[2]), rounds >= 1 else { throw .malformed }
    guard rounds <= PBKDF2Setting.rounds.upperBound else { throw .tooExpensive }
    guard PBKDF2Setting(parts.joined(separator: "$")) != nil, !parts[4].contains("="), !parts[4].contains("+") else {
      throw .malformed
    }
  }

  /// Django has the salt as it is, and the hash in usual base 64.
  private static func django(_ parts: [String]) throws(Problem) -> String {
    let kind = parts[0] == "pbkdf2_sha256" ? "pbkdf2-sha256" : "pbkdf2-sha512"
    guard parts[0] == "pbkdf2_sha256" || parts[0] == "pbkdf2_sha512" else { throw .unknown }
    guard parts.count == 4, let hash = Base64.decode(parts[3]) else { throw .malformed }
    let text = ["", kind, parts[1], Base64.encode(parts[2].utf8), Base64.encode(hash)]
    try requirePBKDF2(text)
    return text.joined(separator: "$")
  }

  /// Whether a text has so many of libcrypt's 64 characters, and no others.
  private static func isText(_ text: String, _ counts: ClosedRange<Int>) -> Bool {
    counts.contains(text.utf8.count) && text.utf8.allSatisfy { number($0) != nil }
  }

  /// The value of one of libcrypt's 64 characters.
  private static func number(_ character: UInt8?) -> Int? {
    switch character {
    case let byte? where (0x2E...0x39).contains(byte): Int(byte) - 0x2E  // ./0-9
    case let byte? where (0x41...0x5A).contains(byte): Int(byte) - 0x41 + 12
    case let byte? where (0x61...0x7A).contains(byte): Int(byte) - 0x61 + 38
    default: nil
    }
  }
}
