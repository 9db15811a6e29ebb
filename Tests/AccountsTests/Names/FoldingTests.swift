import Accounts
import Testing

@Suite struct FoldingTests {
  let file: TemporaryFile

  init() throws { file = try TemporaryFile() }

  @Test(
    arguments: [
      ("Ada", "aDA"), ("\u{E9}", "e\u{301}"), ("É", "e\u{301}"), ("Straße", "STRASSE"), ("ẞ", "ss"),
      ("ΣΊΣΥΦΟΣ", "σίσυφος"),
      ("σίσυφοσ", "σίσυφος"), ("ﬁ", "FI"), ("Å", "\u{212B}"), ("İ", "i\u{307}"), ("K", "\u{212A}"), ("ａｄａ", "ada"),
      ("ｶﾞ", "ガ"), ("\u{FEF2}", "ي"),
    ])
  func `two spellings of one name cannot belong to two accounts`(one: String, other: String) throws {
    let store = try file.store()
    #expect(try store.register("a@example.com", one).isAccepted)
    #expect(try store.register("b@example.com", other) == .refused([RefusedValue(.userName, .taken)]))
    #expect(try store.register(one + "@example.com", "c").isAccepted)
    #expect(try store.register(other + "@example.com", "d") == .refused([RefusedValue(.email, .taken)]))
    #expect(try store.login(other).isAccepted)
  }

  @Test(arguments: [("ı", "i"), ("e", "é"), ("ﬀ", "f"), ("ada lovelace", "adalovelace"), ("а", "a")])
  func `names that only look similar can belong to different accounts`(one: String, other: String) throws {
    let store = try file.store()
    #expect(try store.register("a@example.com", one).isAccepted)
    #expect(try store.register("b@example.com", other).isAccepted)
  }

  @Test func `folding a folded text changes nothing, for every character alone and with accents`() {
    var wrong: [UInt32] = []
    for value in UInt32(1)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned,
        scalar.properties.generalCategory != .privateUse
      else { continue }
      for text in [String(scalar), String(scalar) + "\u{345}\u{301}"] {
        guard let folded = Folding.fold(text) else { continue }
        if Folding.fold(folded)?.utf8.elementsEqual(folded.utf8) != true { wrong.append(value) }
      }
    }
    #expect(wrong == [])
  }

  @Test func `accounts keep their names in the spelling that was typed`() throws {
    let store = try file.store()
    _ = try store.register("Ünï@Example.com", "e\u{301}")
    let account = try #require(try store.accounts().first)
    #expect(account.email.utf8.elementsEqual("Ünï@Example.com".utf8))
    #expect(account.userName.utf8.elementsEqual("e\u{301}".utf8))
  }
}
