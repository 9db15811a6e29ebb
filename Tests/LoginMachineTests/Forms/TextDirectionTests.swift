import LoginMachine
import Testing

/// The writing direction of languages.
struct TextDirectionTests {
  @Test(
    "the writing direction follows the script in a language tag, else the usual script of the language",
    arguments: [
      ("en", TextDirection.ltr), ("de-AT", .ltr), ("ar", .rtl), ("ar-EG", .rtl), ("AR", .rtl), ("he", .rtl),
      ("fa-IR", .rtl),
      ("ur-PK", .rtl), ("yi", .rtl), ("az", .ltr), ("az-Arab", .rtl), ("az-Arab-IR", .rtl), ("ar-Latn", .ltr),
      ("zh-Hant-TW", .ltr), ("zh-yue-Hant", .ltr), ("uz", .ltr), ("uz-AF", .rtl), ("pa", .ltr), ("pa-PK", .rtl),
      ("", .ltr),
      ("ku-Arab-IQ", .rtl), ("ckb", .rtl),
    ])
  func direction(_ tag: String, _ direction: TextDirection) {
    #expect(TextDirection(ofLocale: tag) == direction)
  }
}
