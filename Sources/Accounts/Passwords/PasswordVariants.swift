import CAccountLibraries

/// The scalars of a password without case and accents, in memory that is wiped.
typealias FoldedText = UnsafeBufferPointer<utf8proc_int32_t>

/// The ways in which people vary a word to make a password.
enum PasswordVariants {
  /// Whether the scalar is a letter of any script.
  static func isLetter(_ scalar: utf8proc_int32_t) -> Bool {
    switch utf8proc_category(scalar) {
    case UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LL, UTF8PROC_CATEGORY_LT, UTF8PROC_CATEGORY_LM,
      UTF8PROC_CATEGORY_LO:
      true
    default: false
    }
  }

  /// Whether the word occurs in the text at `start`, allowing digits and signs in place of letters
  /// that look like them.
  static func stands(_ word: [utf8proc_int32_t], in text: FoldedText, at start: Int) -> Bool {
    guard text.count - start >= word.count else { return false }
    for (offset, letter) in word.enumerated() where text[start + offset] != letter {
      guard looks(text[start + offset], like: letter) else { return false }
    }
    return true
  }

  private static func looks(_ sign: utf8proc_int32_t, like letter: utf8proc_int32_t) -> Bool {
    guard let sign = Unicode.Scalar(UInt32(bitPattern: sign)), let letter = Unicode.Scalar(UInt32(bitPattern: letter))
    else { return false }
    switch (sign, letter) {
    case ("0", "o"), ("1", "i"), ("1", "l"), ("!", "i"), ("|", "l"), ("3", "e"), ("4", "a"), ("@", "a"), ("5", "s"),
      ("$", "s"), ("7", "t"), ("+", "t"), ("8", "b"), ("9", "g"):
      return true
    default: return false
    }
  }

  /// Converts a word to the form of `FoldedText`. The word must not be a secret.
  static func folded(_ word: String) -> [utf8proc_int32_t] {
    var word = word
    return word.withUTF8 { utf8 in PasswordText.withFolded(UnsafeRawBufferPointer(utf8)) { Array($0) } }
  }
}
