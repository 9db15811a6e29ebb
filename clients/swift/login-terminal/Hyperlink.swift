/// A link that the terminal can open when the user clicks on it (escape sequence OSC 8).
struct Hyperlink: Equatable {
  let url: String

  /// Returns `nil` for a URL that could end the escape sequence or that is neither a web page nor a
  /// mail address. Such a URL is shown as text.
  init?(_ url: String) {
    guard ["https://", "http://", "mailto:"].contains(where: url.hasPrefix),
      url.utf8.count <= 2_048, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.url = url
  }

  /// The escape sequence that starts the link. A terminal treats rows with the same id as one link.
  var beginning: String { "\u{1B}]8;id=page;\(url)\u{1B}\\" }
  static let end = "\u{1B}]8;;\u{1B}\\"
}
