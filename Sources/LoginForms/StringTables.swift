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

  /// The texts of a locale, made anew each time: keep what is returned. `nil` if the flow does not have it.
  public subscript(_ locale: String) -> StringTable? {
    locales.contains(locale) ? table(locale) : nil
  }
}
