import Accounts
import Testing

@Suite struct ValueTests {
  @Test(
    arguments: [
      ("", .missing), ("ada", .invalid), ("@example.com", .invalid), ("ada@", .invalid), ("a da@example.com", .invalid),
      ("ada@example.com x", .invalid), ("ada@exam\u{2800}ple.com", .invalid), (" \n", .missing),
      ("ada@\u{E000}.com", .invalid), ("ada@\u{0378}.com", .invalid), ("ada\0@example.com", .unusable),
      (String(repeating: "a", count: 500) + "@example.com", .unusable),
      // Two bytes each, and three once folded.
      (String(repeating: "\u{130}", count: 200) + "@example.com", .unusable), ("ada@example.com", nil),
      ("ada@localhost", nil), ("\"a@b\"@example.com", .invalid), ("почта@пример.рф", nil),
      (String(repeating: "a", count: 499) + "@example.com", nil),
    ] as [(String, ValueProblem?)])
  func `an email address is accepted or refused with the right reason`(email: String, problem: ValueProblem?) throws {
    let refused = try refusals(email: email)
    #expect(refused == problem.map { [RefusedValue(.email, $0)] } ?? [])
  }

  @Test(
    arguments: [
      ("ada@example.com", true), ("a.d+a!#$%&'*/=?^_`{|}~-@sub.example-1.com", true), ("ädä@bücher.example", true),
      ("-oQ/tmp@example.com", true), ("|sh@example.com", false), ("/etc/x@example.com", false),
      ("a b@example.com", false),
      ("a,b@example.com", false), ("a@b@example.com", false), ("\"a\"@example.com", false), ("a@[1.2.3.4]", false),
      ("a\u{84}b@example.com", false), ("a\u{A0}b@example.com", false), ("a@exa\u{1}mple.com", false), ("@x", false),
      ("a@", false), ("a", false), ("a:b@example.com", false), ("(a)@example.com", false),
      ("a@.", false), ("a@b..c", false), ("a@b.", false), ("a@-b", false), ("a@b-.c", false), ("a@b", true),
      ("a\u{2800}b@example.com", false),
    ])
  func `only an address that denotes one mailbox everywhere is accepted`(address: String, isMailbox: Bool) throws {
    #expect(Mailbox.isUsable(address) == isMailbox)
    // The same rule, so that every address that can sign up can receive mail.
    #expect(try refusals(email: address).isEmpty == isMailbox)
  }

  @Test(
    arguments: [
      ("", .missing), ("a@b", .invalid), ("a＠b", .invalid), ("a\u{7F}da", .invalid), ("a\u{1B}[200~da", .invalid),
      ("a\u{FFFF}", .invalid), ("a\u{E000}", .invalid), ("a\u{FFFD}", .invalid), ("\u{6DD}1", .invalid),
      ("a\0", .unusable),
      (String(repeating: "a", count: 512), .unusable), (String(repeating: "a", count: 511), nil), ("Ada Lovelace", nil),
      ("жук", nil), ("名前", nil), ("🦊", nil), ("e\u{301}", nil),
    ] as [(String, ValueProblem?)])
  func `a user name is accepted or refused with the right reason`(userName: String, problem: ValueProblem?) throws {
    let refused = try refusals(userName: userName)
    #expect(refused == problem.map { [RefusedValue(.userName, $0)] } ?? [])
  }

  @Test(
    arguments: [
      ("", .missing), ("7r5kq2w8", .tooShort(minimum: 9)), ("éaéuéoéi", .tooShort(minimum: 9)), ("7r5kq2w8v", nil),
      ("éaéuéoéié", nil), ("🦊🐙🦉🐢🦊🦉🐙🐢🦋", nil), ("12345678\0", .unusable), (Self.long(511), nil),
      (Self.long(512), .unusable), ("correct horse\n", .unusable), ("correct horse\u{1}", .unusable),
      ("\rcorrect horse", .unusable), ("correct\thorse", .unusable), ("correct horse\u{7F}", .unusable),
      ("\u{1B}[200~correct horse\u{1B}[201~", .unusable), ("correct horse\u{85}", .unusable),
      ("correct\u{9F}horse", .unusable), ("correct\u{2028}horse", .unusable), ("correct horse\u{2029}", .unusable),
      ("correct\u{A0}horse", nil), ("correct\u{2027}horse", nil), ("correct horse\u{200D}\u{FE0F}", nil),
    ] as [(String, ValueProblem?)])
  func `a new password is accepted or refused with the right reason`(password: String, problem: ValueProblem?) throws {
    let refused = try refusals(password: password)
    #expect(refused == problem.map { [RefusedValue(.password, $0)] } ?? [])
  }

  @Test func `all invalid values of a registration are reported together`() throws {
    let refused = try refusals(email: "x", userName: "", password: "1")
    #expect(refused.map(\.field) == [.email, .userName, .password])
  }

  @Test(
    arguments: [
      ("", "x", [RefusedValue(.identifier, .missing)]),
      (" \u{2800}\u{200B}", "x", [RefusedValue(.identifier, .missing)]),
      ("a\0", "x", [RefusedValue(.identifier, .unusable)]),
      ("ada", "x\0", [RefusedValue(.password, .unusable)]),
      ("ada", String(repeating: "x", count: 512), [RefusedValue(.password, .unusable)]),
    ])
  func `a login with values that no account can have is refused`(
    identifier: String, password: String, refused: [RefusedValue]
  ) throws {
    let store = try TemporaryFile().store()
    #expect(try store.login(identifier, password) == .refused(refused))
  }

  @Test(arguments: ["a\u{0378}", "ada\u{E000}", "\u{301}", "@", String(repeating: "\u{130}", count: 255)])
  func `a login with a name that cannot be registered is rejected and counted like any other`(
    identifier: String
  ) throws {
    let file = try TemporaryFile()
    let store = try file.store()
    for _ in 0..<5 { #expect(try store.login(identifier) == .rejected) }
    #expect(try store.login(identifier) == .throttled(retryAfterMs: 1_000))
  }

  private func refusals(
    email: String = "ada@example.com", userName: String = "ada", password: String = "correct horse"
  ) throws -> [RefusedValue] {
    var rules = PasswordRules()
    rules.minimumLength = 9
    return try Array(password.utf8).withUnsafeBytes {
      try AccountStore.refusals(email: email, userName: userName, password: $0, rules: rules)
    }
  }

  /// A text of the given length that is not guessable.
  private static func long(_ count: Int) -> String {
    String((0..<count).map { Character(Unicode.Scalar(UInt8(97 + $0 * $0 * 7 % 26))) })
  }
}
