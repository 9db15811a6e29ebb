/// Limits on the cost of a hash. A file or an import can ask for any number of rounds and any
/// amount of memory, so every setting is checked against these limits before it is passed to
/// libcrypt.
enum HashLimits {
  /// The accepted costs of bcrypt, SHA-crypt and PBKDF2. Even at the highest cost, a hash takes a
  /// few seconds at most.
  static let bcryptCosts = 4...15
  static let shaRounds = 1_000...5_000_000
  static let pbkdf2Rounds: ClosedRange<UInt32> = 1...3_000_000
  /// The largest accepted memory size of yescrypt: that of libcrypt's cost 11, a gigabyte.
  private static let largestYescrypt = 17
  private static let largestBlocks = 31

  /// Throws for a libcrypt setting or hash that is beyond the limits, or whose cost is not written
  /// as libcrypt writes it.
  ///
  /// - Parameter parts: The parts between the dollar signs.
  static func require(_ parts: [String]) throws(ImportedHash.Problem) {
    guard parts.count >= 3, parts[0].isEmpty else { throw .malformed }
    switch parts[1] {
    case "y", "gy":
      // Flavour, memory size and block size, as libcrypt writes them:
      // https://www.openwall.com/yescrypt/.
      let costs = Array(parts[2].utf8)
      guard costs.count == 3, costs[0] == UInt8(ascii: "j"), let size = CryptText.value(costs[1]),
        let blocks = CryptText.value(costs[2])
      else { throw .malformed }
      // libcrypt accepts no smaller size.
      guard size >= 1 else { throw .malformed }
      guard size <= largestYescrypt, blocks <= largestBlocks else { throw .tooExpensive }
    case "2a", "2b", "2y":
      guard parts[2].utf8.count == 2, parts[2].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let cost = Int(parts[2]),
        cost >= bcryptCosts.lowerBound
      else { throw .malformed }
      guard bcryptCosts.contains(cost) else { throw .tooExpensive }
    case "5", "6":
      let prefix = "rounds="
      guard parts[2].hasPrefix(prefix) else { return }
      guard let rounds = decimal(parts[2].dropFirst(prefix.count)), rounds >= shaRounds.lowerBound else {
        throw .malformed
      }
      guard shaRounds.contains(rounds) else { throw .tooExpensive }
    default: throw .unknown
    }
  }

  /// Whether a setting or hash may be passed to libcrypt.
  static func allow(_ setting: String) -> Bool {
    let parts = setting.split(separator: "$", omittingEmptySubsequences: false).map { String($0) }
    return (try? require(parts)) != nil
  }

  /// Reads a number as libcrypt writes it: digits only, without leading zeros. A number too large
  /// for `Int` reads as `Int.max`.
  static func decimal(_ text: some StringProtocol) -> Int? {
    guard let first = text.utf8.first, first != 0x30 || text.utf8.count == 1,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(text) ?? .max
  }
}

/// The characters of libcrypt's hashes, each for six bits.
enum CryptText {
  /// The six-bit value of a character in a yescrypt or SHA-crypt hash.
  static func value(_ character: UInt8) -> Int? {
    switch character {
    case 0x2E...0x39: Int(character) - 0x2E  // ./0-9
    case 0x41...0x5A: Int(character) - 0x41 + 12
    case 0x61...0x7A: Int(character) - 0x61 + 38
    default: nil
    }
  }

  /// Whether a text consists only of libcrypt's characters and has one of the given lengths.
  static func isText(_ text: String, _ counts: ClosedRange<Int>) -> Bool {
    counts.contains(text.utf8.count) && text.utf8.allSatisfy { value($0) != nil }
  }

  /// Whether a text encodes whole bytes: the unused bits of its last character are zero. libcrypt
  /// writes no other texts, and accepts no other salts for yescrypt. A group of four characters
  /// encodes three bytes, least significant bits first.
  static func isWhole(_ text: String) -> Bool {
    let rest = text.utf8.count % 4
    guard rest != 1 else { return false }
    guard rest > 1, let last = text.utf8.last.flatMap(value) else { return true }
    // After two characters the last has two used bits, after three it has four.
    return last >> (rest == 2 ? 2 : 4) == 0
  }

  private static let bcrypt = Array("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  /// Returns a text of bcrypt's characters as libcrypt writes it: in the last character, the bits
  /// that are not in `mask` are cleared. Other programs may set these bits, which have no meaning.
  /// Nil if the text has other characters or another length.
  static func bcrypt(_ text: some StringProtocol, count: Int, mask: Int) -> String? {
    var bytes = Array(text.utf8)
    guard bytes.count == count, bytes.allSatisfy({ bcrypt.contains($0) }), let last = bytes.last,
      let value = bcrypt.firstIndex(of: last)
    else { return nil }
    bytes[count - 1] = bcrypt[value & mask]
    return String(decoding: bytes, as: UTF8.self)
  }
}
