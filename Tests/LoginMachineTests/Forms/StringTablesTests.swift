import LoginMachine
import Testing

@Suite("Texts in several languages")
struct StringTablesTests {
  @Test("a table of texts is found for each locale that exists, and for no other")
  func ready() {
    let tables = StringTables(["en": StringTable(["t": "Title"]), "de": StringTable(["t": "Titel"])])
    #expect(tables.locales == ["de", "en"])
    #expect(tables["en"] == StringTable(["t": "Title"]))
    #expect(tables["de"] == StringTable(["t": "Titel"]))
    #expect(tables["fr"] == nil)
  }

  @Test("a table of texts that was completed from another table keeps its own texts where both have one")
  func filled() {
    let table = StringTable(["a": "own", "b": "own"]).filled(from: StringTable(["b": "other", "c": "other"]))
    #expect([table["a"], table["b"], table["c"], table["d"]] == ["own", "own", "other", nil])
    #expect(table == StringTable(["a": "own", "b": "own", "c": "other"]))
  }

  @Test("tables of texts are made only for locales that exist")
  func deferred() {
    let tables = StringTables(locales: ["en"]) { StringTable(["locale": $0]) }
    #expect(tables["en"] == StringTable(["locale": "en"]))
    #expect(tables["de"] == nil)
  }
}
