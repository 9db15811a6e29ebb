/// The texts of a flow in all its languages, each made only when it is asked for.
public struct StringTables: Sendable {
  /// The languages there are, BCP 47; the default one first.
  public let locales: [String]
  private let table: @Sendable (String) -> StringTable

  /// `table` makes the texts of one of `locales`.
  public init(locales: [String], table: @escaping @Sendable (String) -> StringTable) {
    self.locales = locales
    self.table = table
  }

  /// Tables that are there already.
  public init(_ tables: [String: StringTable]) {
    self.init(locales: tables.keys.sorted()) { tables[$0] ?? StringTable([:]) }
  }

  /// The locale that a language range asks for, by the lookup of RFC 4647, section 3.4: subtags are dropped from the end until one fits.
  public func lookup(_ range: String) -> String? {
    var subtags = range.lowercased().split(separator: "-", omittingEmptySubsequences: false)
    while !subtags.isEmpty {
      let tag = subtags.joined(separator: "-")
      if let locale = locales.first(where: { $0.lowercased() == tag }) { return locale }
      subtags.removeLast()
      // A single letter or digit only introduces what was dropped.
      if subtags.last?.utf8.count == 1 { subtags.removeLast() }
    }
    return nil
  }

  /// The texts of a locale, made anew each time: keep what is returned. `nil` if the flow does not have it.
  public subscript(_ locale: String) -> StringTable? {
    locales.contains(locale) ? table(locale) : nil
  }
}
