import Accounts
import Foundation
import TestSupport
import Testing

/// Typed addresses and user names are read as the user means them, everywhere.
@Suite struct TypedNameTests {
  let file: TemporaryFile

  init() throws { file = try TemporaryFile() }

  @Test(arguments: try TypedAddressCase.all())
  func `a typed address is read as the fixture addresses.json says`(one: TypedAddressCase) {
    let address = try? EmailAddress(one.typed)
    #expect(address?.text.utf8.elementsEqual((one.stored ?? "").utf8) ?? (one.stored == nil), "\(one.about)")
    #expect(address?.mailbox == (one.mailbox ?? one.stored), "\(one.about)")
    guard let address, let stored = try? EmailAddress(address.text) else { return }
    // Reading the stored text again, or the form in mails, gives the same address.
    #expect(stored == address)
    #expect((try? EmailAddress(address.mailbox))?.key == address.key)
    #expect(NameKey(identifier: one.typed) == address.key)
  }

  @Test(
    arguments: [
      ("user@b\u{FC}cher.example", "user@xn--bcher-kva.example"), ("user@BÜCHER.example", "user@XN--BCHER-KVA.EXAMPLE"),
      ("User@bu\u{308}cher。example ", "\u{FEFF}user@xn--bcher-kva.example\n"),
      ("ivan@пример.рф", "ivan@xn--e1afmkfd.xn--p1ai"), ("user@faß.example", "user@FAẞ.example"),
      ("ada@example.com", "ａｄａ＠ＥＸＡＭＰＬＥ．ｃｏｍ"),
    ])
  func `two spellings of one address mean one account at sign-up, login and reset, and for administrators`(
    one: String, other: String
  ) throws {
    let store = try file.store()
    #expect(try store.register(one, "ada").isAccepted)
    #expect(try store.register(other, "bob") == .refused([RefusedValue(.email, .taken)]))
    #expect(try store.login(other).isAccepted)
    #expect(try store.isTaken(other, as: .email, now: 1))
    let account = try #require(try store.account(identifier: other))
    #expect(try store.account(identifier: one) == account)
    #expect(try store.code(for: other) != nil)
    #expect(
      try store.importAccounts([.init(email: other, userName: "ada", passwordHash: "")], now: 1) == [.alreadyThere])
    #expect(try store.remove(identifier: other) == account)
  }

  @Test func `addresses in different domains can belong to different accounts`() throws {
    let store = try file.store()
    let domains = [
      "faß.example", "fass.example", "βόλος.example", "βόλοσ.example", "нoвости.example", "новости.example",
      "xn--a.example",
    ]
    for (number, domain) in domains.enumerated() {
      #expect(try store.register("ada@" + domain, "ada\(number)").isAccepted, "\(domain)")
    }
  }

  @Test(
    arguments: [
      " ada", "ada ", "\tada\n", "ada\r\n", "\u{A0}ada", "ada\u{3000}", "ada\u{2800}", "a\u{AD}da", "\u{FEFF}ada",
      "ada\u{200B}", "a\u{200D}da", "ada\u{200C}", "\u{200E}ada\u{200F}", "\u{202B}ada\u{202C}", "ada\u{FE0F}",
      "a\u{34F}da", "ad\na", "ａｄａ", "ada\u{FFFC}", "\u{2066}ada\u{2069}", "𝐚𝐝𝐚", "ada\u{E0061}",
    ])
  func `a user name with invisible characters equals the name without them, and is stored without them`(typed: String)
    throws
  {
    let store = try file.store()
    #expect(try store.register("ada@example.com", "ada").isAccepted)
    #expect(try store.login(typed).isAccepted)
    #expect(try store.register("bob@example.com", typed) == .refused([RefusedValue(.userName, .taken)]))
    #expect(try store.account(identifier: typed) != nil)
    #expect(try UserName(typed).text == "ada")
  }

  @Test(
    arguments: [
      // Persian, with a joiner between letters that would join, and after marks.
      "\u{639}\u{644}\u{6CC}\u{200C}\u{631}\u{636}\u{627}", "می\u{200C}خواهم", "به\u{64E}\u{200C}\u{64E}نام",
      // After a virama: Sinhala, Devanagari, Malayalam.
      "ශ්\u{200D}රී", "क्\u{200D}ष", "क्\u{200C}ष", "അവന്\u{200D}",
      // Signs that some scripts have between letters.
      "paral·lel", "COL·LEGI", "צ׳רצ׳יל", "צה״ל", "͵θ", "ジョン・スミス", "ｼﾞｮﾝ･ｽﾐｽ", "山田・太郎",
      // Digits of one kind.
      "علي٩", "علی۹", "٠١٢", "۰۱۲",
      "O'Brien", "ada.lovelace-1815_x", "Ångström", "Владимир", "田中 太郎", "ada 🦊", "עדה", "อารยา", "한글",
    ])
  func `a user name with the characters of its script is accepted, and stays the same once stored`(name: String) throws
  {
    let store = try file.store()
    #expect(try store.register("ada@example.com", name).isAccepted)
    let stored = try #require(try store.accounts().first).userName
    #expect(try UserName(stored) == UserName(name))
    #expect(try UserName(stored).text.utf8.elementsEqual(stored.utf8))
    #expect(try store.login(name).isAccepted)
    // Necessary joiners are kept.
    #expect(stored.unicodeScalars.contains("\u{200C}") == name.unicodeScalars.contains("\u{200C}"))
    #expect(stored.unicodeScalars.contains("\u{200D}") == name.unicodeScalars.contains("\u{200D}"))
  }

  @Test(
    arguments: [
      "\u{2800}", "\u{2800}\u{2800}", " ", "\u{3164}", "\u{115F}\u{1160}", "\u{FFA0}", "\u{200B}", "\u{200D}", "\u{AD}",
      "\u{34F}",
      "\u{FEFF}", "\u{E0100}", "\u{180E}", "\u{17B4}", "\u{202E}", "\u{A0}\u{2003}", "\n",
    ])
  func `a user name without visible characters is refused as missing`(name: String) {
    #expect(AccountStore.problem(newUserName: name) == .missing)
  }

  @Test(
    arguments: [
      "\u{301}", "\u{301}a", "a·b", "l·", "θ͵", "׳צ", "a・b", "علي٩۹", "a€", "a“b”", "½", "a\u{2044}b", "´ada",
      "Ⅷ\u{20E3}",
      "علیada", "adaعلی", "علی-", "\u{1100}", "a\u{FFFD}",
    ])
  func `a user name with characters that user names must not have is refused`(name: String) {
    #expect(AccountStore.problem(newUserName: name) == .invalid)
  }

  @Test func `cleaning up a typed name that was cleaned up before changes nothing, whatever its characters`() {
    var wrong: [String] = []
    // Testing all of them takes long, and most have no special forms.
    for value in Array(stride(from: UInt32(1), to: 0x3000, by: 5)) + stride(from: 0x3000, to: 0x30000, by: 331) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "\u{628}\(scalar)\u{94D}\u{200D}b\(scalar)\u{200C}"
      if let name = try? UserName(text), (try? UserName(name.text)) != name { wrong.append(text) }
      guard let address = try? EmailAddress("\(text)@\(text).example") else { continue }
      if (try? EmailAddress(address.text)) != address { wrong.append(text) }
      if (try? EmailAddress(address.mailbox))?.key != address.key { wrong.append(text) }
      if NameKey(identifier: address.text) != address.key { wrong.append(text) }
    }
    #expect(wrong == [])
  }

  @Test func `failed logins with any spelling of an account's name are counted together`() throws {
    let store = try file.store()
    _ = try store.register("ada@bücher.example", "ada")
    let spellings = [
      "ada@bücher.example ", "ADA@xn--bcher-kva.example", "\u{FEFF}ada@bücher.example", "ada@BÜCHER。example",
      "ada@bücher.example",
    ]
    for spelling in spellings { #expect(try store.login(spelling, "wrong horse") == .rejected) }
    #expect(try store.login("ada@bücher.example\n", "wrong horse") == .throttled(retryAfterMs: 1_000))
  }

  @Test func `the new address in a change of address is cleaned up like any typed address`() throws {
    let store = try file.store()
    _ = try store.register("ada@example.com", "ada")
    let id = try #require(try store.account(identifier: "ada")).id
    guard
      case .pending(let change) = try store.beginEmailChange(
        of: id, to: "\u{FEFF}ada@bücher.example\n", concealsTaken: false, now: 1)
    else {
      Issue.record("a code is mailed")
      return
    }
    #expect(change.email == "ada@bücher.example")
  }

  @Test func `imported names are cleaned up like typed ones before they are stored`() throws {
    let store = try file.store()
    let hash = try Array("correct horse".utf8).withUnsafeBytes {
      try PasswordHasher().hash($0, setting: try PasswordHasher.setting(cost: 1))
    }
    let account = TransferredAccount(email: " ada@example.com\u{200B}", userName: "\u{FEFF}ada ", passwordHash: hash)
    #expect(try store.importAccounts([account], now: 1) == [.imported])
    let stored = try #require(try store.accounts().first)
    #expect(stored.email.utf8.elementsEqual("ada@example.com".utf8))
    #expect(stored.userName.utf8.elementsEqual("ada".utf8))
    #expect(try store.login("ada").isAccepted)
  }
}

/// `Tests/Fixtures/names/addresses.json`, which also tests the rule `email`.
struct TypedAddressCase: Decodable, Sendable {
  var about: String
  var typed: String
  /// The stored form of the address, and its form in a mail if that differs. Absent if the address
  /// is refused.
  var stored: String?
  var mailbox: String?

  static func all() throws -> [TypedAddressCase] {
    return try JSONDecoder().decode(
      [TypedAddressCase].self,
      from: try Data(contentsOf: Checkout.tests.appending(path: "Fixtures/names/addresses.json")))
  }
}
