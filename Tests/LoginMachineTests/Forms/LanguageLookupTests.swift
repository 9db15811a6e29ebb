import LoginMachine
import Testing

@Suite("Language lookup")
struct LanguageLookupTests {
  static let tables = StringTables(["en": StringTable([:]), "de": StringTable([:]), "zh-Hant": StringTable([:])])

  @Test(
    "a flow's locale is found by removing subtags from the end (RFC 4647, section 3.4)",
    arguments: [
      ("en", "en"), ("EN-gb", "en"), ("de-CH-1996", "de"), ("de-a-value", "de"), ("zh-Hant-TW", "zh-Hant"),
      ("zh-hant-x-private", "zh-Hant"), ("zh", nil), ("fr", nil), ("", nil), ("-", nil), ("d", nil), ("x-de", nil),
    ] as [(String, String?)])
  func lookup(range: String, locale: String?) {
    #expect(Self.tables.lookup(range) == locale)
  }
}
