/// The writing direction of a text.
public enum TextDirection: String, CaseIterable, Sendable {
  /// Left to right.
  case ltr
  /// Right to left.
  case rtl

  /// The writing direction of a language tag (BCP 47). If the tag names a script, the script
  /// decides; otherwise the usual script of the language does (CLDR, likely subtags). Unknown
  /// languages are left to right.
  public init(ofLocale tag: String) {
    let parts = tag.utf8.split(separator: 0x2D).map { String(decoding: $0, as: UTF8.self).lowercased() }
    let language = parts.first ?? ""
    // The four-letter script follows the language and up to three extensions of three letters.
    let script = parts.dropFirst().prefix(4).first {
      $0.utf8.count == 4 && $0.utf8.allSatisfy { (0x61...0x7A).contains($0) }
    }
    if let script {
      self = TextDirection.scripts.contains(script) ? .rtl : .ltr
    } else if language == "pa" || language == "uz" || language == "ms" {
      // For these languages the region tells which of several scripts is usual.
      let region = parts.dropFirst().last ?? ""
      self = language == "pa" && region == "pk" || language == "uz" && region == "af" ? .rtl : .ltr
    } else {
      self = TextDirection.languages.contains(language) ? .rtl : .ltr
    }
  }

  /// The right-to-left scripts in current use (ISO 15924).
  private static let scripts = [
    "adlm", "arab", "aran", "hebr", "mand", "mend", "nkoo", "rohg", "samr", "syrc", "syre", "syrj", "syrn", "thaa",
    "yezi",
  ]

  /// The languages that are usually written from right to left.
  private static let languages = [
    "ar", "arc", "arq", "ary", "arz", "azb", "bal", "ckb", "dv", "fa", "glk", "he", "iw", "ji", "ks", "lrc", "luz",
    "mzn", "nqo", "pnb", "prs", "ps", "rhg",
    "sam", "sd", "sdh", "skr", "syr", "ug", "ur", "yi",
  ]
}
