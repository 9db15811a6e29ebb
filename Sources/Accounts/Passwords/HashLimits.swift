/// What a hash may cost. A file or an import can ask for any number of rounds and any memory: everything that goes to libcrypt is held against these limits
/// first, wherever it comes from.
enum HashLimits {
  /// The highest costs that are taken; each takes a few seconds at most.
  static let bcryptCosts = 4...15
  static let shaRounds = 1_000...5_000_000
  static let pbkdf2Rounds: ClosedRange<UInt32> = 1...3_000_000
  /// libcrypt's cost 11, a gigabyte of memory.
  private static let largestYescrypt = 17
  private static let largestBlocks = 31

  /// Throws for a setting or hash of libcrypt's that is beyond the limits, or whose costs are not written as libcrypt writes them. `parts` are what is between
  /// the dollars.
  static func require(_ parts: [String]) throws(ForeignHash.Problem) {
    guard parts.count >= 3, parts[0].isEmpty else { throw .malformed }
    switch parts[1] {
    case "y", "gy":
      // Flavour, size of memory and blocks, as libcrypt makes them: https://www.openwall.com/yescrypt/.
      let costs = Array(parts[2].utf8)
      guard costs.count == 3, costs[0] == UInt8(ascii: "j"), let size = CryptText.value(costs[1]),
        let blocks = CryptText.value(costs[2])
      else { throw .malformed }
      // libcrypt takes no less.
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

  /// Whether libcrypt may be given a setting or hash.
  static func allow(_ setting: String) -> Bool {
    let parts = setting.split(separator: "$", omittingEmptySubsequences: false).map { String($0) }
    return (try? require(parts)) != nil
  }

  /// A number as libcrypt writes it: digits alone, and no zero in front. One that is too long counts as very high.
  static func decimal(_ text: some StringProtocol) -> Int? {
    guard let first = text.utf8.first, first != 0x30 || text.utf8.count == 1,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(text) ?? .max
  }
}

/// The characters of libcrypt's hashes, each six bits.
enum CryptText {
  /// The value of a character of yescrypt and SHA-crypt.
  static func value(_ character: UInt8) -> Int? {
    switch character {
    case 0x2E...0x39: Int(character) - 0x2E  // ./0-9
    case 0x41...0x5A: Int(character) - 0x41 + 12
    case 0x61...0x7A: Int(character) - 0x61 + 38
    default: nil
    }
  }

  /// Whether a text has so many of these characters, and no others.
  static func isText(_ text: String, _ counts: ClosedRange<Int>) -> Bool {
    counts.contains(text.utf8.count) && text.utf8.allSatisfy { value($0) != nil }
  }

  /// Whether a text stands for whole bytes: a last character that stands for less than six bits has none beyond them. libcrypt writes no other text, and
  /// takes no other salt for yescrypt. Groups of four characters are three bytes, the first bits in the lowest places.
  static func isWhole(_ text: String) -> Bool {
    let rest = text.utf8.count % 4
    guard rest != 1 else { return false }
    guard rest > 1, let last = text.utf8.last.flatMap(value) else { return true }
    // Of two characters the last has two bits, and of three four.
    return last >> (rest == 2 ? 2 : 4) == 0
  }

  private static let bcrypt = Array("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  /// A text of bcrypt's characters whose last one has only the bits of `mask`, as libcrypt writes it. Other programs leave more there, which stand for
  /// nothing. Nil if there are other characters, or another number of them.
  static func bcrypt(_ text: some StringProtocol, count: Int, mask: Int) -> String? {
    var bytes = Array(text.utf8)
    guard bytes.count == count, bytes.allSatisfy({ bcrypt.contains($0) }), let last = bytes.last,
      let value = bcrypt.firstIndex(of: last)
    else { return nil }
    bytes[count - 1] = bcrypt[value & mask]
    return String(decoding: bytes, as: UTF8.self)
  }
}
