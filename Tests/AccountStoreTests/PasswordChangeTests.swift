import AccountStore
import Testing

@Suite struct PasswordChangeTests {
  let file: TemporaryFile
  let store: AccountStore

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    _ = try store.register("ada@example.com", "ada")
  }

  @Test func `the current password allows another, which is the password from then on`() throws {
    #expect(try store.change("correct horse", "another horse").isChanged)
    #expect(try store.login("ada", "another horse").isAccepted)
    #expect(try store.login("ada") == .rejected)
  }

  @Test func `a wrong current password changes nothing, and after five of them the next has to wait`() throws {
    for _ in 0..<5 { #expect(try store.change("wrong horse", "another horse") == .rejected) }
    #expect(try store.change("correct horse", "another horse") == .throttled(retryAfterMs: 1_000))
    #expect(try store.login("ada").isAccepted)
    #expect(try store.change("correct horse", "another horse", now: 2_000).isChanged)
    #expect(try store.change("wrong horse", "a third horse", key: "run:2", now: 2_000) == .rejected)
  }

  @Test func `failed logins of others keep nobody who is in from a change, and are forgotten by it`() throws {
    for _ in 0..<5 { #expect(try store.login("ada", "wrong") == .rejected) }
    #expect(try store.login("ada") == .throttled(retryAfterMs: 1_000))
    #expect(try store.change("correct horse", "another horse").isChanged)
    #expect(try store.login("ada", "another horse").isAccepted)
  }

  @Test(
    arguments: [
      ("correct horse", .unchanged), ("", .missing), ("short", .tooShort(minimum: 9)), ("long enough\0", .unusable),
    ] as [(String, ValueProblem)])
  func `a new password that breaks the rules is refused`(password: String, problem: ValueProblem) throws {
    for _ in 0..<6 { #expect(try store.change("correct horse", password) == .refused(problem)) }
    #expect(try store.login("ada").isAccepted)
  }

  @Test func `a change that was carried out but not answered is answered again, with its key and password only`() throws
  {
    #expect(try store.change("correct horse", "another horse", key: "run:5").isChanged)
    #expect(try store.change("correct horse", "another horse", key: "run:5").isChanged)
    #expect(try store.change("correct horse", "a third horse", key: "run:5") == .over)
    #expect(try store.change("correct horse", "a third horse", key: "run:6") == .rejected)
  }

  @Test func `it ends the expiry, logins that wait for a code, and mailed codes`() throws {
    let code = try #require(try store.code(for: "ada@example.com"))
    _ = try store.expirePassword(identifier: "ada")
    let login = try #require(try store.pending())
    #expect(try store.change("correct horse", "another horse").isChanged)
    #expect(try store.login("ada", "another horse").isAccepted)
    #expect(try store.replace(login, "a third horse") == .over)
    #expect(try store.reset("ada@example.com", code, "a third horse") == .rejected)
  }

  @Test func `no key skips no count and no current password`() throws {
    for _ in 0..<5 { #expect(try store.change("wrong horse", "correct horse", key: "") == .rejected) }
    #expect(try store.change("correct horse", "another horse", key: "") == .throttled(retryAfterMs: 1_000))
    #expect(try store.reset("ada@example.com", "0000000000", key: "") == .rejected)
  }

  @Test func `an account that is gone has no password to change`() throws {
    #expect(try store.change("correct horse", "another horse", account: 7) == .over)
    for _ in 0..<5 { #expect(try store.change("wrong horse", "another horse") == .rejected) }
    _ = try store.remove(identifier: "ada")
    try file.other { connection throws in
      #expect(try run("SELECT count(*) FROM tries", on: connection) == "0")
    }
  }
}

extension AccountStore {
  func change(
    _ current: String, _ new: String, account: Int64 = 1, key: String = "run:1", now: Int64 = 1_000
  ) throws -> PasswordChangeOutcome {
    try Array(current.utf8).withUnsafeBytes { current in
      try Array(new.utf8).withUnsafeBytes { new in
        try changePassword(of: account, from: current, to: new, key: key, now: now)
      }
    }
  }
}

extension PasswordChangeOutcome {
  fileprivate var isChanged: Bool { if case .changed = self { true } else { false } }
}
