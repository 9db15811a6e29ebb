/// What stands in a recording for names that a view has made up: `x` as often as the name has bytes, the last ones other letters
/// where that is taken.
struct Aliases {
  /// By the hashes of the names.
  private var known: [Int: [UInt8]] = [:]
  private var taken: Set<[UInt8]> = []
  /// How many were made of each length.
  private var made: [Int: Int] = [:]

  /// The most that are made of one length; more names have the last one together.
  private static var maximumOfOneLength: Int { 10_000 }
  /// `x` first, which is what a name looks like that nobody has to tell from another.
  private static let letters = Array("xabcdefghijklmnopqrstuvwyz".utf8)

  subscript(hash: Int) -> [UInt8]? { known[hash] }

  func hasMade(_ text: UnsafeRawBufferPointer) -> Bool { !taken.isEmpty && taken.contains(Array(text)) }

  mutating func forget(_ hash: Int) { known[hash] = nil }

  /// The alias of the name with that hash: the one that it has, or a new one of so many bytes.
  ///
  /// - Parameter isFree: whether a text is no name of anything.
  /// - Returns: `nil` if there is no free text of the length.
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

  /// The text of that number and length; `nil` if there are fewer.
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
