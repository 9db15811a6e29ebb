import Accounts
import Testing

@Suite struct NormalFormTests {
  let file: TemporaryFile
  let store: AccountStore

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
  }

  @Test(
    arguments: [
      ("cafe\u{301} cre\u{300}me", "caf\u{E9} cr\u{E8}me"), ("zwo\u{308}lf Ångström", "zwölf A\u{30A}ngstro\u{308}m"),
      ("correct\u{3000}horse", "correct horse"), ("correct\u{A0}horse", "correct\u{2003}horse"),
      ("한국어 비밀번호 아홉", "한국어 비밀번호 아홉"),
    ])
  func `a password is the same however its characters are composed`(one: String, other: String) throws {
    _ = try store.register("ada@example.com", "ada", one)
    #expect(try store.login("ada", other).isAccepted)
    #expect(try store.login("ada", one).isAccepted)
    _ = try store.register("bob@example.com", "bob", other)
    #expect(try store.login("bob", one).isAccepted)
  }

  @Test(
    arguments: [
      "Correct horse", "correct  horse", "correcthorse", "córrect horse", " correct horse", "correct horse ",
      "correct horse\n", "\u{FEFF}correct horse", "correct\u{200B} horse", "ｃorrect horse", "correct horse\u{AD}",
    ])
  func `passwords that differ in case, spaces, accents or width are different`(other: String) throws {
    _ = try store.register("ada@example.com", "ada")
    #expect(try store.login("ada", other) == .rejected)
  }

  @Test func `a password may contain every printable ASCII character and the space, and depends on each of them`()
    throws
  {
    let all = (0x20...0x7E).map { UInt8($0) }
    #expect(try store.register("ada@example.com", "ada", String(decoding: all, as: UTF8.self)).isAccepted)
    // With a quarter of an hour between the attempts no wait applies.
    for place in all.indices {
      var other = all
      other[place] = all[(place + 1) % all.count]
      let now = Int64(place + 1) * 900_000
      #expect(try store.login("ada", String(decoding: other, as: UTF8.self), now: now) == .rejected)
    }
    #expect(try store.login("ada", String(decoding: all, as: UTF8.self), now: 90_000_000).isAccepted)
  }

  @Test func `an older hash of a password's typed form stays valid, and a login renews it`() throws {
    _ = try store.register("ada@example.com", "ada")
    let typed = "cafe\u{301} cre\u{300}me"
    let hash = try Array(typed.utf8).withUnsafeBytes {
      try PasswordHasher().hash($0, setting: try PasswordHasher.setting(cost: 1))
    }
    try file.other { try run("UPDATE accounts SET password_hash = '\(hash)'", on: $0) }
    #expect(try store.login("ada", "caf\u{E9} cr\u{E8}me") == .rejected)
    #expect(try store.login("ada", typed).isAccepted)
    #expect(try store.login("ada", "caf\u{E9} cr\u{E8}me").isAccepted)
  }

  @Test func `the length of a password is the number of characters in its normal form`() throws {
    let refused = RegistrationOutcome.refused([RefusedValue(.password, .tooShort(minimum: 9))])
    #expect(try store.register("ada@example.com", "ada", marked(8)) == refused)
    #expect(try store.register("ada@example.com", "ada", marked(9)).isAccepted)
  }

  /// A text of the given number of letters, each with its own mark.
  private func marked(_ count: Int) -> String { "zerulamyn".prefix(count).map { "\($0)\u{323}" }.joined() }

  @Test func `a password whose normal form is too long is refused when set, and is merely wrong in a login`() throws {
    // Three bytes each, and six in NFC.
    let long = String(repeating: "\u{958}", count: 100)
    let refused = RegistrationOutcome.refused([RefusedValue(.password, .unusable)])
    #expect(try store.register("ada@example.com", "ada", long) == refused)
    _ = try store.register("ada@example.com", "ada")
    #expect(try store.login("ada", long) == .rejected)
  }

  @Test func `an old password that is not valid UTF-8 stays valid, and a new one is refused`() throws {
    let bytes: [UInt8] = [0xFF, 0xFE] + Array("correct horse".utf8)
    try bytes.withUnsafeBytes { password in
      let refused = RegistrationOutcome.refused([RefusedValue(.password, .unusable)])
      #expect(try store.add(email: "ada@example.com", userName: "ada", password: password, now: 1) == refused)
      let hash = try PasswordHasher().hash(password, setting: try PasswordHasher.setting(cost: 1))
      let account = TransferredAccount(email: "ada@example.com", userName: "ada", passwordHash: hash)
      #expect(try store.importAccounts([account], now: 1) == [.imported])
      guard case .accepted = try store.login(identifier: "ada", password: password, now: 1_000) else {
        Issue.record("it is the password")
        return
      }
    }
  }
}
