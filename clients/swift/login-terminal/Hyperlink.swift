/// A link that the terminal itself can open, when a person clicks on it (the escape sequence OSC 8).
struct Hyperlink: Equatable {
  let url: String

  /// `nil` for an address with anything in it that could end the sequence or that is not for a page or a mail: then it is a text and nothing more.
  init?(_ url: String) {
    guard ["https://", "http://", "mailto:"].contains(where: url.hasPrefix),
      url.utf8.count <= 2_048, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.url = url
  }

  /// Rows with the same id are one link.
  var beginning: String { "\u{1B}]8;id=page;\(url)\u{1B}\\" }
  static let end = "\u{1B}]8;;\u{1B}\\"
}
