/// The replacements in a recording of names that a view invented: `x` repeated to the length of the
/// name, with other letters at the end where that is taken.
struct Aliases {
  /// The aliases by the hashes of the names.
  private var known: [Int: [UInt8]] = [:]
  private var taken: Set<[UInt8]> = []
  /// The number of aliases made so far, by length.
  private var made: [Int: Int] = [:]

  /// The most aliases of one length. Further names share the last one.
  private static var maximumOfOneLength: Int { 10_000 }
  /// `x` comes first, so that names that need not be distinguished are all `x`.
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

  /// The text with this number and length; `nil` if there are not as many.
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
