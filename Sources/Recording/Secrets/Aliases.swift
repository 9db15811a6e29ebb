/// The aliases that replace names invented by a view in a recording. An alias consists of the
/// letter `x`, repeated to the length of the name. If that alias is taken, other letters replace
/// the last ones.
struct Aliases {
  /// The aliases, keyed by the hashes of the names that they replace.
  private var known: [Int: [UInt8]] = [:]
  private var taken: Set<[UInt8]> = []
  /// The number of aliases made so far, by length.
  private var made: [Int: Int] = [:]

  /// The most aliases of one length. Further names share the last one.
  private static var maximumOfOneLength: Int { 10_000 }
  /// `x` comes first, so that the first alias of each length consists only of `x`.
  private static let letters = Array("xabcdefghijklmnopqrstuvwyz".utf8)

  subscript(hash: Int) -> [UInt8]? { known[hash] }

  func hasMade(_ text: UnsafeRawBufferPointer) -> Bool { !taken.isEmpty && taken.contains(Array(text)) }

  mutating func forget(_ hash: Int) { known[hash] = nil }

  /// The alias of the name with this hash: the existing one, or a new one of `count` bytes.
  ///
  /// - Parameter isFree: whether a text is not used as a name.
  /// - Returns: `nil` if no text of the length is free.
  mutating func alias(of hash: Int, count: Int, isFree: ([UInt8]) -> Bool) -> [UInt8]? {
    if let alias = known[hash], alias.count == count, isFree(alias) { return alias }
    var number = min(made[count] ?? 0, Aliases.maximumOfOneLength)
    while number <= 2 * Aliases.maximumOfOneLength {
      guard let alias = Aliases.text(number, count) else { return nil }
      number += 1
      guard !taken.contains(alias) || number > Aliases.maximumOfOneLength, isFree(alias) else { continue }
      made[count] = number
      taken.insert(alias)
      known[hash] = alias
      return alias
    }
    return nil
  }

  /// The alias with this number and length; `nil` if there are not that many aliases of the length.
  private static func text(_ number: Int, _ count: Int) -> [UInt8]? {
    var text = [UInt8](repeating: letters[0], count: count)
    var rest = number
    for index in text.indices.reversed() where rest > 0 {
      text[index] = letters[rest % letters.count]
      rest /= letters.count
    }
    return rest == 0 ? text : nil
  }
}
