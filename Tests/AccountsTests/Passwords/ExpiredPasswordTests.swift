import Accounts
import Testing

@Suite struct ExpiredPasswordTests {
  let file: TemporaryFile
  let store: AccountStore

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    _ = try store.register("ada@example.com", "ada")
  }

  @Test func `after a user has replaced an expired password, the new one is not expired`() throws {
    #expect(try store.expirePassword(identifier: "ADA")?.userName == "ada")
    #expect(try store.login("ada", "wrong") == .rejected)
    let login = try #require(try store.pending())
    #expect(login.demand == .newPassword)
    #expect(try store.replace(login, "another horse").isAccepted)
    #expect(try store.login("ada", "another horse").isAccepted)
    #expect(try store.login("ada") == .rejected)
  }

  @Test func `if codes are turned on while a new password is asked for, the login must start again with a code`() throws
  {
    _ = try store.expirePassword(identifier: "ada")
    let login = try #require(try store.pending())
    #expect(login.demand == .newPassword)
    _ = try store.codes()
    #expect(try store.replace(login, "another horse") == .over)
    #expect(try store.pending()?.demand == .recoveryCode)
  }

  @Test func `an expired password is replaced only after a code is entered, and the next login requires a code again`()
    throws
  {
    _ = try store.expirePassword(identifier: "ada")
    let codes = try store.codes()
    let login = try #require(try store.pending())
    #expect(login.demand == .recoveryCode)
    guard case .pending(let next) = try store.use(codes[0], login) else {
      Issue.record("a new password is asked for")
      return
    }
    #expect(next.demand == .newPassword)
    #expect(try store.pending()?.demand == .recoveryCode)
    #expect(try store.replace(next, "another horse").isAccepted)
    #expect(try store.pending("ada", "another horse")?.demand == .recoveryCode)
  }

  @Test(
    arguments: [
      ("correct horse", .unchanged), ("", .missing), ("short", .tooShort(minimum: 9)), ("long enough\0", .unusable),
      (String(repeating: "x", count: 512), .unusable),
    ] as [(String, ValueProblem)])
  func `a new password that breaks the rules is refused, and the old one stays expired`(
    password: String, problem: ValueProblem
  ) throws {
    _ = try store.expirePassword(identifier: "ada")
    let login = try #require(try store.pending())
    #expect(try store.replace(login, password) == .refused(problem))
    #expect(try store.pending()?.demand == .newPassword)
    #expect(try store.replace(login, "another horse").isAccepted)
  }

  @Test func `a repeated password change is accepted only with its idempotency key and its password`() throws {
    _ = try store.expirePassword(identifier: "ada")
    let login = try #require(try store.pending())
    #expect(try store.replace(login, "another horse", key: "run:5").isAccepted)
    #expect(try store.replace(login, "another horse", key: "run:5").isAccepted)
    #expect(try store.replace(login, "a third horse", key: "run:5") == .over)
    #expect(try store.replace(login, "another horse", key: "run:6") == .over)
    #expect(try store.login("ada", "another horse").isAccepted)
  }

  @Test
  func `after an administrator or a reset sets a password, it is not expired, and pending logins have ended`() throws {
    _ = try store.expirePassword(identifier: "ada")
    let login = try #require(try store.pending())
    _ = try store.setPassword("ada", "administrator's")
    #expect(try store.replace(login, "another horse") == .over)
    #expect(try store.login("ada", "administrator's").isAccepted)
    _ = try store.expirePassword(identifier: "ada")
    let code = try #require(try store.code(for: "ada@example.com"))
    #expect(try store.reset("ada@example.com", code, "a third horse") == .done)
    #expect(try store.login("ada", "a third horse").isAccepted)
  }

  @Test func `replacing an expired password revokes a mailed reset code`() throws {
    _ = try store.expirePassword(identifier: "ada")
    let code = try #require(try store.code(for: "ada@example.com"))
    #expect(try store.replace(try #require(try store.pending()), "another horse").isAccepted)
    #expect(try store.reset("ada@example.com", code, "a third horse") == .rejected)
  }

  @Test func `renewing the hash of an expired password does not end the login that replaces the password`() throws {
    _ = try store.expirePassword(identifier: "ada")
    let dearer = try file.store { $0.hashCost = 2 }
    let login = try #require(try dearer.pending())
    #expect(try dearer.replace(login, "correct horse") == .refused(.unchanged))
    #expect(try dearer.replace(login, "another horse").isAccepted)
  }

  @Test func `the list of accounts shows which require codes or have an expired password`() throws {
    for name in ["bob", "eve"] { _ = try store.register(name + "@example.com", name) }
    _ = try store.codes("bob", count: 2)
    _ = try store.expirePassword(identifier: "eve")
    #expect(try store.expirePassword(identifier: "nobody") == nil)
    _ = try store.use("x", try #require(try store.pending("bob")))
    let statuses = try store.accountStatuses()
    #expect(statuses.map(\.account.userName) == ["ada", "bob", "eve"])
    #expect(statuses.map(\.recoveryCodesLeft) == [nil, 2, nil])
    #expect(statuses.map(\.isPasswordExpired) == [false, false, true])
    #expect(try store.accountStatuses(after: 1, limit: 1).map(\.account.userName) == ["bob"])
  }
}
