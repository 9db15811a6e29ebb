/// The texts of a flow in all its languages, each made only when it is asked for.
public struct StringTables: Sendable {
  /// The languages there are, BCP 47; the default one first.
  public let keys: [String]
  private let table: @Sendable (String) -> StringTable

  /// `table` makes the texts of one of these locales.
  public init(keys: [String], table: @escaping @Sendable (String) -> StringTable) {
    self.keys = keys
    self.table = table
  }

  /// Tables that are there already.
  public init(_ tables: [String: StringTable]) {
    self.init(keys: tables.keys.sorted()) { tables[$0] ?? StringTable([:]) }
  }

  /// The texts of a locale, made anew each time: keep what is returned. `nil` if the flow does not have it.
  public subscript(_ locale: String) -> StringTable? {
    keys.contains(locale) ? table(locale) : nil
  }
}
