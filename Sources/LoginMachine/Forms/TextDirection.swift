/// In which direction a text is written.
public enum TextDirection: String, CaseIterable, Sendable {
  /// From left to right.
  case ltr
  /// From right to left.
  case rtl

  /// The direction of a language, by the script that its tag (BCP 47) names, or else by the script that the language is written in unless a tag says otherwise
  /// (CLDR, likely subtags). What is not known is written from left to right.
  public init(ofLocale tag: String) {
    let parts = tag.utf8.split(separator: 0x2D).map { String(decoding: $0, as: UTF8.self).lowercased() }
    let language = parts.first ?? ""
    // After the language, perhaps with up to three extensions of three letters, comes the script, of four letters.
    let script = parts.dropFirst().prefix(4).first {
      $0.utf8.count == 4 && $0.utf8.allSatisfy { (0x61...0x7A).contains($0) }
    }
    if let script {
      self = TextDirection.scripts.contains(script) ? .rtl : .ltr
    } else if language == "pa" || language == "uz" || language == "ms" {
      // Languages with several scripts, of which a region decides.
      let region = parts.dropFirst().last ?? ""
      self = language == "pa" && region == "pk" || language == "uz" && region == "af" ? .rtl : .ltr
    } else {
      self = TextDirection.languages.contains(language) ? .rtl : .ltr
    }
  }

  /// The scripts of living use that are written from right to left (ISO 15924).
  private static let scripts = [
    "adlm", "arab", "aran", "hebr", "mand", "mend", "nkoo", "rohg", "samr", "syrc", "syre", "syrj", "syrn", "thaa",
    "yezi",
  ]

  /// The languages that are written in one of these scripts.
  private static let languages = [
    "ar", "arc", "arq", "ary", "arz", "azb", "bal", "ckb", "dv", "fa", "glk", "he", "iw", "ji", "ks", "lrc", "luz",
    "mzn", "nqo", "pnb", "prs", "ps", "rhg",
    "sam", "sd", "sdh", "skr", "syr", "ug", "ur", "yi",
  ]
}
