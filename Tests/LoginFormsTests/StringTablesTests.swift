import LoginForms
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

  @Test("other tables are asked for only in languages that there are")
  func deferred() {
    let tables = StringTables(locales: ["en"]) { StringTable(["locale": $0]) }
    #expect(tables["en"] == StringTable(["locale": "en"]))
    #expect(tables["de"] == nil)
  }
}
