import JSONCodec
import LoginMachine

/// The placeholders that a recording contains instead of secret input and of texts from
/// authenticators. Equal secrets have the same placeholder, and different secrets have different
/// placeholders.
///
/// Every rule accepts a placeholder if and only if it accepts the secret. The placeholder has the
/// length and form of the secret, and it meets and breaks the same further rules. There are two
/// exceptions: if no unused text is left that meets and breaks the same rules, and if a secret is
/// entered again under rules that were not known when it was first entered.
///
/// Secrets are not stored, only keyed hashes of them; the key is random for each process.
struct Placeholders {
  private struct Key: Hashable {
    var hash: Int
    var shape: Shape
  }

  private var known: [Key: [UInt8]] = [:]
  private var taken: Set<[UInt8]> = []
  /// For each shape, the number of the first placeholder that may still be unused.
  private var next: [Shape: Int] = [:]

  private struct Shape: Hashable {
    var scalars: Int
    var form: Form
  }

  /// The forms of texts that rules distinguish, apart from the length.
  private enum Form {
    case email
    /// Only ASCII digits, such as a one-time code.
    case digits
    case other
  }

  /// The placeholder of a secret. A secret longer than `maximum` bytes is refused, and its
  /// placeholder is just long enough to be refused.
  ///
  /// - Parameter rules: the rules that depend on more than length and form.
  mutating func placeholder(of secret: UnsafeRawBufferPointer, maximum: Int, _ rules: [Rule] = []) -> [UInt8] {
    guard !secret.isEmpty else { return [] }
    guard secret.count <= maximum else { return Array(repeating: 0x78, count: maximum + 1) }
    let key = Placeholders.key(of: secret)
    let shape = key.shape
    if let placeholder = known[key] { return placeholder }
    let judge = Judge(rules, of: secret)
    let first = make(shape, maximum)
    let isSecret = secret.elementsEqual(first)
    var placeholder = first
    // The secret may itself be a placeholder, for example when a replay is recorded. It is kept,
    // unless the rules accept no other text, because then it would reveal the secret.
    if isSecret && !rules.isEmpty || !judge.accepts(first) {
      let other = make(shape, maximum, judge, insteadOf: secret)
      if !isSecret { placeholder = other ?? first } else if other == nil { placeholder = make(shape, maximum) }
    }
    known[key] = placeholder
    taken.insert(placeholder)
    return placeholder
  }

  /// The existing placeholder of a text; `nil` if it has none.
  func known(_ text: UnsafeRawBufferPointer) -> [UInt8]? { text.isEmpty ? nil : known[Placeholders.key(of: text)] }

  private static func key(of text: UnsafeRawBufferPointer) -> Key {
    Key(hash: TextHash.of(text), shape: Shape(scalars: text.count { $0 & 0xC0 != 0x80 }, form: form(of: text)))
  }

  /// Makes an unused text with as many scalars as the secret: a number that is padded to that
  /// length or, for a short secret, the next unused text of that length.
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

  /// Makes an unused text of the secret's shape that meets and breaks the same rules as the secret.
  /// `nil` if none was found.
  private func make(
    _ shape: Shape, _ maximum: Int, _ judge: Judge, insteadOf secret: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    func isRight(_ text: [UInt8]) -> Bool {
      text.count <= maximum && !taken.contains(text) && judge.accepts(text) && !secret.elementsEqual(text)
        && (text.withUnsafeBytes { Placeholders.form(of: $0) } == .email) == (shape.form == .email)
    }
    // Digits are replaced by digits where possible, and an email address by an email address.
    let patterns =
      switch shape.form {
      case .digits: [judge.met + Judge.digits, judge.met]
      case .email: [judge.met + Judge.addresses]
      case .other: [judge.met]
      }
    for patterns in patterns {
      for number in UInt64(0)..<64 {
        guard
          let text = Pattern.text(
            of: shape.scalars, matching: patterns, andNone: judge.unmet, number: UInt64(known.count) &* 64 &+ number)
        else { break }
        if isRight(text) { return text }
      }
    }
    return judge.values.first(where: isRight)
  }

  /// The verdicts of rules about a secret.
  private struct Judge {
    private let rules: [Rule]
    private let verdicts: [Bool]

    init(_ rules: [Rule], of secret: UnsafeRawBufferPointer) {
      self.rules = rules
      let bytes = secret.assumingMemoryBound(to: UInt8.self)
      verdicts = rules.map { $0.isMet(by: bytes.span) }
    }

    func accepts(_ text: [UInt8]) -> Bool {
      zip(rules, verdicts).allSatisfy { rule, verdict in rule.isMet(by: text.span) == verdict }
    }

    /// The patterns that the secret matches. `unmet` has the patterns that the secret does not
    /// match.
    var met: [Pattern] { patterns(true) }
    var unmet: [Pattern] { patterns(false) }

    private func patterns(_ isMet: Bool) -> [Pattern] {
      zip(rules, verdicts).compactMap { rule, verdict in
        if case .pattern(let pattern) = rule.requirement, verdict == isMet { pattern } else { nil }
      }
    }

    /// The values that `oneOf` rules list.
    var values: [[UInt8]] {
      rules.flatMap { rule -> [[UInt8]] in
        if case .oneOf(let values) = rule.requirement { values } else { [] }
      }
    }

    static let digits = (try? Pattern("[0-9]*")).map { [$0] } ?? []
    static let addresses = (try? Pattern("[a-z0-9.!#$%&]+@[a-z0-9]+")).map { [$0] } ?? []
  }

  private static func form(of secret: UnsafeRawBufferPointer) -> Form {
    if secret.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) { return .digits }
    return Rule(.email, message: "").isMet(by: secret.assumingMemoryBound(to: UInt8.self).span) ? .email : .other
  }

  /// The number of texts with `count` letters of an alphabet, capped at 2^20.
  private static func narrow(_ count: Int, _ letters: Int) -> Int {
    var narrow = 1
    for _ in 0..<max(0, count) where narrow < 1 << 20 { narrow *= letters }
    return min(narrow, 1 << 20)
  }

  /// Writes a number with `count` letters of an alphabet. If `isWide`, only the first letter
  /// varies, and it is one of 20,000 Chinese characters.
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
