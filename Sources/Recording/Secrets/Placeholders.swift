import JSONCodec
import LoginForms

/// What stands in a recording for what was typed into secret items: equal secrets have one placeholder, different ones different
/// ones, and every rule says the same of both. A pattern does if it asks no more than that there are so many digits, or so many of any characters;
/// any other may judge a placeholder differently.
///
/// A secret itself is not kept, only a hash of it with a key that this process has made up.
struct Placeholders {
  private struct Key: Hashable {
    var hash: Int
    var shape: Shape
  }

  /// Finds them again in what authenticators say.
  private(set) var finder = SecretFinder()
  private var known: [Key: [UInt8]] = [:]
  private var taken: Set<[UInt8]> = []
  /// By how short secrets look, the number from which on texts are free.
  private var next: [Shape: Int] = [:]

  private struct Shape: Hashable {
    var scalars: Int
    var form: Form
  }

  /// What rules tell apart, beside the length.
  private enum Form {
    case email
    /// Digits of ASCII alone, such as a one-time code.
    case digits
    case other
  }

  /// The placeholder of a secret. One that is longer than `maximum` bytes, and thus refused, is as long as can be told from that.
  mutating func placeholder(of secret: UnsafeRawBufferPointer, maximum: Int) -> [UInt8] {
    guard !secret.isEmpty else { return [] }
    guard secret.count <= maximum else { return Array(repeating: 0x78, count: maximum + 1) }
    var hasher = Hasher()
    hasher.combine(bytes: secret)
    let shape = Shape(scalars: secret.count { $0 & 0xC0 != 0x80 }, form: Placeholders.form(of: secret))
    let key = Key(hash: hasher.finalize(), shape: shape)
    if let placeholder = known[key] { return placeholder }
    let placeholder = make(shape, maximum)
    known[key] = placeholder
    taken.insert(placeholder)
    finder.learn(secret, replacement: placeholder)
    return placeholder
  }

  /// Has a code that an authenticator shows replaced, by one that can be shown exactly if that one can.
  mutating func learn(code: UnsafeRawBufferPointer) {
    if CodeText.isCodeText(code) {
      _ = placeholder(of: code, maximum: CodeText.maximumBytes)
    } else {
      finder.learn(code, replacement: Array(repeating: 0x78, count: CodeText.maximumBytes + 1))
    }
  }

  /// Makes a text of as many scalars that no other secret has: its number, filled up; for short ones, the next that is free.
  private mutating func make(_ shape: Shape, _ maximum: Int) -> [UInt8] {
    let tail = shape.form == .email ? Array("@b".utf8) : []
    let count = shape.scalars - tail.count
    var number = known.count + 1
    if count >= 8, shape.form != .digits {
      let digits = Array("secret\(number)".utf8)
      if digits.count <= count { return digits + Array(repeating: 0x78, count: count - digits.count) + tail }
    }
    let alphabet = Array((shape.form == .digits ? "0123456789" : "abcdefghijklmnopqrstuvwxyz").utf8)
    let narrow = Placeholders.narrow(count, alphabet.count)
    number = next[shape] ?? 0
    defer { next[shape] = number + 1 }
    while true {
      let text = letters(number, count, alphabet, isWide: number >= narrow && maximum >= 3 * shape.scalars) + tail
      if !taken.contains(text) || number > known.count + narrow { return text }
      number += 1
    }
  }

  private static func form(of secret: UnsafeRawBufferPointer) -> Form {
    if secret.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) { return .digits }
    return Rule(.email, message: "").isMet(by: secret.assumingMemoryBound(to: UInt8.self).span) ? .email : .other
  }

  /// How many texts of that many letters of an alphabet there are, as far as that matters.
  private static func narrow(_ count: Int, _ letters: Int) -> Int {
    var narrow = 1
    for _ in 0..<max(0, count) where narrow < 1 << 20 { narrow *= letters }
    return min(narrow, 1 << 20)
  }

  /// A number in so many letters; wide ones are of an alphabet that does not come to its end.
  private func letters(_ number: Int, _ count: Int, _ alphabet: [UInt8], isWide: Bool) -> [UInt8] {
    if isWide, count > 0, let scalar = Unicode.Scalar(0x4E00 + UInt32(number % 20_000)) {
      return Array(String(Character(scalar)).utf8) + Array(repeating: alphabet[0], count: count - 1)
    }
    var rest = number
    var text = [UInt8](repeating: alphabet[0], count: max(0, count))
    for index in text.indices.reversed() where rest > 0 {
      text[index] = alphabet[rest % alphabet.count]
      rest /= alphabet.count
    }
    return text
  }
}
