import Accounts
import Testing

@Suite struct PasswordRulesTests {
  @Test func `a password needs fifteen characters, or eight if the account also requires a code`() throws {
    let file = try TemporaryFile()
    let store = try file.store { $0.passwordRules = PasswordRules() }
    let short = RegistrationOutcome.refused([RefusedValue(.password, .tooShort(minimum: 15))])
    #expect(try store.register("ada@example.com", "ada", "fourteen signs") == short)
    #expect(try store.register("ada@example.com", "ada", "fifteen signs !").isAccepted)
    #expect(try store.setPassword("ada", "fourteen signs") == .refused(.tooShort(minimum: 15)))
    let code = try #require(try store.code(for: "ada@example.com"))
    let alone = ResetOutcome.refused([RefusedValue(.password, .tooShort(minimum: 15))])
    #expect(try store.reset("ada@example.com", code, "eight by") == alone)
    _ = try store.codes()
    #expect(try store.setPassword("ada", "seven 7") == .refused(.tooShort(minimum: 8)))
    let other = try #require(try store.code(for: "ada@example.com"))
    #expect(try store.reset("ada@example.com", other, "eight by") == .done)
  }

  @Test(arguments: [[0xE4, 0xF6], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80]])
  func `a new password that is not valid UTF-8 is refused`(bytes: [UInt8]) throws {
    func problem(_ bytes: [UInt8]) throws -> ValueProblem? {
      try bytes.withUnsafeBytes { try PasswordRules().problem(newPassword: $0) }
    }
    #expect(try problem(Array("long enough but ".utf8) + bytes) == .unusable)
    #expect(try problem(Array("long enough but äö𝐚".utf8)) == nil)
  }

  @Test func `a password made of the user's address is refused, with either form of the domain`() throws {
    let file = try TemporaryFile()
    let store = try file.store { $0.passwordRules = PasswordRules() }
    for password in ["ada@bücher.example", "ada@xn--bcher-kva.example"] {
      #expect(
        try store.register("ada@bücher.example", "ada", password) == .refused([RefusedValue(.password, .guessable)]))
    }
  }

  @Test func `new passwords that are refused do not use up the mailed code, however many are tried`() throws {
    let file = try TemporaryFile()
    let store = try file.store()
    _ = try store.register("ada@example.com", "ada")
    let code = try #require(try store.code(for: "ada@example.com", requester: "s"))
    let refused = ResetOutcome.refused([RefusedValue(.password, .guessable)])
    for _ in 0..<6 { #expect(try store.reset("ada@example.com", code, "ada-2024-ada", requester: "s") == refused) }
    #expect(try store.reset("ada@example.com", code, requester: "s") == .done)
  }

  @Test func `a reset without the right code does not reveal which rules apply to the account's password`() throws {
    let file = try TemporaryFile()
    let store = try file.store { $0.passwordRules = PasswordRules() }
    _ = try store.register("ada@example.com", "ada", "correct horse, twice")
    _ = try store.code(for: "ada@example.com")
    for email in ["ada@example.com", "nobody@example.com"] {
      #expect(try store.reset(email, "0123456789", "eight by") == .rejected)
      #expect(try store.reset(email, "0123456789", "ada-2024-ada") == .rejected)
    }
  }

  @Test(
    arguments: [
      "password", "Password1", "PASSWORD123!", "P@ssw0rd", "p4$$w0rd2024", "passwordpassword", "pässword", "12345678",
      "1234567890123456", "qwertyuiop", "QWERTYUIOPASDFGH", "poiuytrewq", "1qaz2wsx3edc", "abcdefghijklmnop",
      "aaaaaaaaaaaaaaa",
      "abcabcabcabcabc", "abcd1234qwer", "iloveyou!!", "letmein-letmein", "correcthorsebatterystaple", "ｐａｓｓｗｏｒｄ１",
      "йцукенгшщзхъ",
    ])
  func `passwords that attackers try first are refused`(password: String) throws {
    #expect(try problem(password) == .common)
  }

  @Test(
    arguments: [
      "correct horse", "dragon monkey sunshine", "the password is swordfish", "84719302856", "ok-9182-37465-82-test-19",
      "qwertyuiop and other rows", "aaaaaaab", "mnbvlkjhqazp", "purple monkeys dance",
    ])
  func `passwords that follow no common pattern are accepted`(password: String) throws {
    #expect(try problem(password) == nil)
  }

  @Test(
    arguments: [
      "Lovelace", "lovelace1815", "ADA.LOVELACE", "ada_lovelace_1815!", "l0ve1ace1815", "lovelacelovelace",
      "adalovelace",
      "ada@example.com", "2024-Examp1e-2024", "the example shop!", "TheExampleShop99", "acme2024!", "ADAacme!example",
    ])
  func `passwords made of a name of the user or service are refused, in any letter case and with digits added`(
    password: String
  ) throws {
    let names = ["ada@example.com", "Ada Lovelace"]
    #expect(try problem(password, context: ["The Example Shop", "ACME"], names: names) == .guessable)
  }

  @Test(arguments: ["lovelace is late", "adamant shops", "an example of mine", "ada 4815162342 108 15"])
  func `a password that merely contains a name of the user or the service is accepted`(password: String) throws {
    let names = ["ada@example.com", "Ada Lovelace"]
    #expect(try problem(password, context: ["The Example Shop", "ACME"], names: names) == nil)
  }

  @Test func `each way to set a password checks it against the user's names`() throws {
    let file = try TemporaryFile()
    let store = try file.store()
    let refused = RegistrationOutcome.refused([RefusedValue(.password, .guessable)])
    #expect(try store.register("ada@example.com", "lovelace", "Lovelace 1815") == refused)
    _ = try store.register("ada@example.com", "lovelace")
    #expect(try store.setPassword("lovelace", "Lovelace 1815") == .refused(.guessable))
    _ = try store.expirePassword(identifier: "lovelace")
    let login = try #require(try store.pending("lovelace"))
    #expect(try store.replace(login, "Lovelace 1815") == .refused(.guessable))
    #expect(try store.replace(login, "Password 1815") == .refused(.common))
  }

  @Test func `a password that was set before the rules were introduced still works`() throws {
    let file = try TemporaryFile()
    _ = try file.store().register("ada@example.com", "ada")
    #expect(try file.store { $0.passwordRules = PasswordRules() }.login("ada").isAccepted)
  }

  private func problem(
    _ password: String, context: [String] = [], names: [String] = []
  ) throws -> ValueProblem? {
    var rules = PasswordRules()
    rules.minimumLength = 8
    rules.contextWords = context
    return try Array(password.utf8).withUnsafeBytes {
      try rules.problem(newPassword: $0, names: names, asksForCode: false)
    }
  }
}
