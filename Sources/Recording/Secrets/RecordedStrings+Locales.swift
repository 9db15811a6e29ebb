/// The replacements of locales in requests. The engine accepts any text as a locale, and selects
/// the nearest locale of a flow.
extension RecordedStrings {
  /// The replacement of a locale in a view's request; `nil` to keep it, because a flow has this
  /// locale or because it has the form of a locale, e.g. `fr-CA`.
  ///
  /// Any other text is replaced by its longest prefix that may be a locale of a flow, since the
  /// lookup of RFC 4647 removes subtags from the end. If no prefix can be a locale of a flow, the
  /// replacement is a text that is no locale.
  mutating func alias(ofLocale text: UnsafeRawBufferPointer) -> [UInt8]? {
    guard !RecordedStrings.isConventionalLocale(text), !words.contains(text) else { return nil }
    var tag = text[...]
    while !tag.isEmpty {
      if words.hasLocale(tag) { return Array(tag) }
      tag = tag[..<(tag.lastIndex(of: 0x2D) ?? tag.startIndex)]
    }
    return alias(ofName: text)
  }

  /// Whether a text is a language of two or three lower-case letters, optionally with a script and
  /// a region in conventional spelling.
  private static func isConventionalLocale(_ text: UnsafeRawBufferPointer) -> Bool {
    func isSmall(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
    func isCapital(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5A }
    var subtags = text.split(separator: 0x2D, omittingEmptySubsequences: false)[...]
    guard let language = subtags.popFirst(), (2...3).contains(language.count), language.allSatisfy(isSmall) else {
      return false
    }
    if let script = subtags.first, script.count == 4, let first = script.first, isCapital(first),
      script.dropFirst().allSatisfy(isSmall)
    {
      subtags.removeFirst()
    }
    if let region = subtags.first, region.count == 2, region.allSatisfy(isCapital) { subtags.removeFirst() }
    return subtags.isEmpty
  }
}
