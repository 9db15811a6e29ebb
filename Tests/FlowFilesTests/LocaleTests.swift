import FlowFiles
import LoginMachine
import Testing

@Suite("Texts of a flow by locale")
struct LocaleTests {
  /// The texts of a small flow whose member `strings` is given as JSON.
  private func tables(_ strings: String, defaultLocale: String = "en") throws -> StringTables {
    let title = #""title":"t""#
    let text = """
      {"flow":"small","screens":[{"id":"s",\(title),"request":"r","sections":[],
      "actions":{"submit":{"id":"a",\(title)},"cancel":{"id":"b",\(title)},"retry":{"id":"c",\(title)}},
      "success":{"scene":"done"}}],"defaultLocale":"\(defaultLocale)","strings":\(strings)}
      """
    return try FlowFile.read(Array(text.utf8), name: "small.json").strings
  }

  @Test("texts that a locale lacks are taken from the default locale")
  func filledFromDefault() throws {
    let strings = try tables(#"{"en":{"t":"Title","u":"Other"},"de":{"t":"Titel"}}"#)
    #expect(strings["de"]?.texts["t"] == "Titel")
    #expect(strings["de"]?.texts["u"] == "Other")
    #expect(strings["en"]?.texts["t"] == "Title")
  }

  @Test("texts that the default locale lacks are not taken from other locales")
  func notTheOtherWay() throws {
    let strings = try tables(#"{"en":{"t":"Title"},"de":{"t":"Titel","u":"Anderes"}}"#)
    #expect(strings["en"]?.texts["u"] == nil)
    #expect(strings["de"]?.texts["u"] == "Anderes")
  }

  @Test("among many texts, each is found by its key only, even if the key is written with escapes")
  func manyTexts() throws {
    let texts = (0..<300).map { #""k\#($0)":"Text \#($0)""# }.joined(separator: ",")
    let table = try #require(tables(#"{"en":{"\u0074":"Title",\#(texts)}}"#)["en"])
    for number in 0..<300 { #expect(table["k\(number)"] == "Text \(number)") }
    #expect(table["t"] == "Title" && table.texts["t"] == "Title" && table.texts["k299"] == "Text 299")
    #expect(table["k300"] == nil && table[""] == nil && table["en"] == nil && table["Title"] == nil)
  }

  @Test("a text found by its key equals the text under this key in the list of all texts")
  func sameTexts() throws {
    let strings = try tables(#"{"en":{"t":"Title","u":"Other","throttled":"Slow down"},"de-AT":{"t":"Titel"}}"#)
    for locale in ["en", "de-AT"] {
      let table = try #require(strings[locale])
      #expect(table.texts.count > 10)
      for (key, text) in table.texts { #expect(table[key] == text) }
    }
  }

  @Test(
    "an invalid locale is refused",
    arguments: ["", "-", "de-", "-de", "de--AT", "de_AT", "abcdefghi", "dé", "a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a"])
  func notALocale(locale: String) {
    #expect(throws: FlowFileError.self) { try tables(#"{"en":{"t":"Title"},"\#(locale)":{"t":"Titel"}}"#) }
  }

  @Test(
    "every locale of a flow has texts for the engine's codes, in its own language if available",
    arguments: [("en", "Unknown error"), ("de", "Unbekannter Fehler"), ("nl-BE", "Unknown error")])
  func engineCodes(locale: String, unknownError: String) throws {
    let strings = try tables(#"{"en":{"t":"Title"},"de":{"t":"Titel"},"nl-BE":{"t":"Titel"}}"#)
    let table = try #require(strings[locale])
    #expect(table.texts["unknownError"] == unknownError)
    for code in ["throttled", "invalidCredentials", "network.timeout", "value.unusable", "network.refused"] {
      #expect(table.texts[code] != nil, "\(code)")
    }
  }

  @Test("a flow's own text for an engine code takes precedence, in all its locales")
  func ownTextFirst() throws {
    let strings = try tables(#"{"en":{"t":"Title","throttled":"Slow down"},"de":{"t":"Titel"}}"#)
    #expect(strings["en"]?.texts["throttled"] == "Slow down")
    #expect(strings["de"]?.texts["throttled"] == "Slow down")
  }

  @Test(
    "a flow without English has texts for the engine's codes in its language if available, else in English",
    arguments: [("de", "Unbekannter Fehler"), ("nl", "Unknown error")])
  func withoutEnglish(locale: String, unknownError: String) throws {
    let strings = try tables(#"{"\#(locale)":{"t":"Titel"}}"#, defaultLocale: locale)
    #expect(strings[locale]?.texts["unknownError"] == unknownError)
    #expect(strings["en"] == nil)
  }

  @Test("a title whose key a definition lacks is refused, even if the default flow has a text for the key")
  func fillingHidesNothing() {
    #expect(throws: FlowFileError.self) { try tables(#"{"en":{"login.title":"Log in"}}"#) }
  }
}
