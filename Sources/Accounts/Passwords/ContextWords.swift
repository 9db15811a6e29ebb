import CAccountLibraries

/// Words that an attacker tries first against one user: the names of the service and of the user,
/// and their parts.
struct ContextWords {
  /// The minimum length of a word that alone makes a password guessable. Shorter words occur in too
  /// many passwords, so they matter only in a password that also has a longer word.
  private static let shortest = 3
  /// The maximum number of digits and signs in a password that counts as made of names.
  private static let maximumExtraCharacters = 12

  private let words: [[utf8proc_int32_t]]

  init(_ names: [String]) {
    var words: Set<[utf8proc_int32_t]> = []
    for name in names {
      let whole = PasswordVariants.folded(name)
      let parts = whole.split { !PasswordVariants.isLetter($0) && !Self.isDigit($0) }.map(Array.init)
      words.formUnion([whole, parts.flatMap { $0 }] + parts)
    }
    self.words = words.filter { $0.count > 1 }
  }

  private static func isDigit(_ scalar: utf8proc_int32_t) -> Bool {
    utf8proc_category(scalar) == UTF8PROC_CATEGORY_ND
  }

  /// Whether the text consists of these words, in any case, with digits and signs between and
  /// around them.
  func make(up text: FoldedText) -> Bool {
    guard !words.isEmpty, !text.isEmpty else { return false }
    // Dynamic programming. For each position: the fewest other characters before it, without and
    // with a word of at least `shortest` letters.
    let unreachable = Int.max / 2
    var others = [Int](repeating: unreachable, count: text.count + 1)
    var named = others
    others[0] = 0
    for place in text.indices where min(others[place], named[place]) < unreachable {
      if !PasswordVariants.isLetter(text[place]) {
        others[place + 1] = min(others[place + 1], others[place] + 1)
        named[place + 1] = min(named[place + 1], named[place] + 1)
      }
      for word in words where PasswordVariants.stands(word, in: text, at: place) {
        let end = place + word.count
        if word.count >= Self.shortest {
          named[end] = min(named[end], others[place], named[place])
        } else {
          others[end] = min(others[end], others[place])
          named[end] = min(named[end], named[place])
        }
      }
    }
    return named[text.count] <= Self.maximumExtraCharacters
  }
}
