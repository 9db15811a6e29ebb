import LoginMachine
import Testing

@Suite("Texts in several languages")
struct StringTablesTests {
  @Test("tables that are there are found under their locale, and no others")
  func ready() {
    let tables = StringTables(["en": StringTable(["t": "Title"]), "de": StringTable(["t": "Titel"])])
    #expect(tables.locales == ["de", "en"])
    #expect(tables["en"] == StringTable(["t": "Title"]))
    #expect(tables["de"] == StringTable(["t": "Titel"]))
    #expect(tables["fr"] == nil)
  }

  @Test("a table filled from another has its own texts first, found one by one and all together")
  func filled() {
    let table = StringTable(["a": "own", "b": "own"]).filled(from: StringTable(["b": "other", "c": "other"]))
    #expect([table["a"], table["b"], table["c"], table["d"]] == ["own", "own", "other", nil])
    #expect(table == StringTable(["a": "own", "b": "own", "c": "other"]))
  }

  @Test("other tables are asked for only in languages that there are")
  func deferred() {
    let tables = StringTables(locales: ["en"]) { StringTable(["locale": $0]) }
    #expect(tables["en"] == StringTable(["locale": "en"]))
    #expect(tables["de"] == nil)
  }
}
