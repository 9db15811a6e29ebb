import JSONCodec
import LoginForms

/// What stands in a recording for what was typed into secret items: equal secrets have one placeholder, different ones different
/// ones, and every rule says the same of both.
///
/// A secret itself is not kept, only a hash of it with a key that this process has made up.
struct Placeholders {
  private struct Key: Hashable {
    var hash: Int
    var scalars: Int
    var isEmail: Bool
  }

  /// Finds them again in what authenticators say.
  private(set) var finder = SecretFinder()
  private var known: [Key: [UInt8]] = [:]
  private var taken: Set<[UInt8]> = []
  /// By how short secrets look, the number from which on texts are free.
  private var next: [Shape: Int] = [:]

  private struct Shape: Hashable {
    var scalars: Int
    var isEmail: Bool
  }

  /// The placeholder of a secret. One that is longer than `maximum` bytes, and thus refused, is as long as can be told from that.
  mutating func placeholder(of secret: UnsafeRawBufferPointer, maximum: Int) -> [UInt8] {
    guard !secret.isEmpty else { return [] }
    guard secret.count <= maximum else { return Array(repeating: 0x78, count: maximum + 1) }
    var hasher = Hasher()
    hasher.combine(bytes: secret)
    let key = Key(
      hash: hasher.finalize(), scalars: secret.count { $0 & 0xC0 != 0x80 },
      isEmail: Rule(.email, message: "").isMet(by: secret.assumingMemoryBound(to: UInt8.self).span))
    if let placeholder = known[key] { return placeholder }
    let placeholder = make(key, maximum)
    known[key] = placeholder
    taken.insert(placeholder)
    finder.learn(secret, replacement: placeholder)
    return placeholder
  }

  /// Makes a text of as many scalars that no other secret has: its number, filled up; for short ones, the next that is free.
  private mutating func make(_ key: Key, _ maximum: Int) -> [UInt8] {
    let tail = key.isEmail ? Array("@b".utf8) : []
    let count = key.scalars - tail.count
    var number = known.count + 1
    if count >= 8 {
      let digits = Array("secret\(number)".utf8)
      if digits.count <= count { return digits + Array(repeating: 0x78, count: count - digits.count) + tail }
    }
    let shape = Shape(scalars: key.scalars, isEmail: key.isEmail)
    number = next[shape] ?? 0
    defer { next[shape] = number + 1 }
    while true {
      let text =
        letters(number, count, isWide: number >= Placeholders.narrow(count) && maximum >= 3 * key.scalars) + tail
      if !taken.contains(text) || number > known.count + Placeholders.narrow(count) { return text }
      number += 1
    }
  }

  /// How many texts of that many letters of the Latin alphabet there are, as far as that matters.
  private static func narrow(_ count: Int) -> Int { count > 3 ? 1 << 20 : [1, 26, 676, 17_576][max(0, count)] }

  /// A number in so many letters; wide ones are of an alphabet that does not come to its end.
  private func letters(_ number: Int, _ count: Int, isWide: Bool) -> [UInt8] {
    if isWide, count > 0, let scalar = Unicode.Scalar(0x4E00 + UInt32(number % 20_000)) {
      return Array(String(Character(scalar)).utf8) + Array(repeating: 0x61, count: count - 1)
    }
    var rest = number
    var text = [UInt8](repeating: 0x61, count: max(0, count))
    for index in text.indices.reversed() where rest > 0 {
      text[index] = 0x61 + UInt8(rest % 26)
      rest /= 26
    }
    return text
  }
}
