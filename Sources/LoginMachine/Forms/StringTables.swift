/// The texts of a flow in all its languages, made on demand.
public struct StringTables: Sendable {
  /// The available locales (BCP 47), the default first.
  public let locales: [String]
  private let table: @Sendable (String) -> StringTable

  /// Creates tables from the function `table`, which makes the texts of a locale. The function is
  /// called only for locales in `locales`.
  public init(locales: [String], table: @escaping @Sendable (String) -> StringTable) {
    self.locales = locales
    self.table = table
  }

  /// Creates tables from texts that exist already, by locale.
  public init(_ tables: [String: StringTable]) {
    self.init(locales: tables.keys.sorted()) { tables[$0] ?? StringTable([:]) }
  }

  /// The locale for a language range, by the lookup of RFC 4647, section 3.4: subtags are removed
  /// from the end until a locale matches.
  public func lookup(_ range: String) -> String? {
    var subtags = range.lowercased().split(separator: "-", omittingEmptySubsequences: false)
    while !subtags.isEmpty {
      let tag = subtags.joined(separator: "-")
      if let locale = locales.first(where: { $0.lowercased() == tag }) { return locale }
      subtags.removeLast()
      // A single letter or digit only introduces the removed subtag.
      if subtags.last?.utf8.count == 1 { subtags.removeLast() }
    }
    return nil
  }

  /// The texts of a locale, made on each access: keep the result. `nil` if the flow lacks the
  /// locale.
  public subscript(_ locale: String) -> StringTable? {
    locales.contains(locale) ? table(locale) : nil
  }
}
