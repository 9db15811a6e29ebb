import Accounts
import Testing

@Suite struct AdministrationTests {
  let file: TemporaryFile
  let store: AccountStore

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    for name in ["ada", "bob", "eve"] { _ = try store.register(name + "@example.com", name) }
  }

  @Test func `accounts are listed in pages`() throws {
    #expect(try store.accounts().map(\.userName) == ["ada", "bob", "eve"])
    #expect(try store.accountStatuses(limit: 2).map(\.account.userName) == ["ada", "bob"])
    #expect(try store.accountStatuses(after: 2, limit: 2).map(\.account.userName) == ["eve"])
    #expect(try store.accountStatuses(after: 3).isEmpty)
  }

  @Test(arguments: ["BOB", "Bob@Example.com"]) func `an account can be removed by its user name or its email address`(
    name: String
  ) throws {
    #expect(try store.remove(identifier: name)?.userName == "bob")
    #expect(try store.remove(identifier: name) == nil)
    #expect(try store.login("bob") == .rejected)
    #expect(try store.accounts().map(\.userName) == ["ada", "eve"])
  }

  @Test func `the id of a removed account is never reused`() throws {
    _ = try store.remove(identifier: "eve")
    guard case .accepted(let account) = try store.register("eve@example.com", "eve") else {
      Issue.record("the names were free")
      return
    }
    #expect(account.id == 4)
  }

  @Test func `a password set by an administrator replaces the old one and ends a lockout`() throws {
    for _ in 0..<5 { _ = try store.login("ada", "wrong") }
    guard case .changed = try store.setPassword("ADA@example.com", "another horse") else {
      Issue.record("the account is there")
      return
    }
    #expect(try store.login("ada", "another horse").isAccepted)
    #expect(try store.login("ada") == .rejected)
  }

  @Test func `setting an invalid password, or setting a password for an unknown account, changes nothing`() throws {
    #expect(try store.setPassword("ada", "short") == .refused(.tooShort(minimum: 9)))
    #expect(try store.setPassword("nobody", "long enough") == .noSuchAccount)
    #expect(try store.login("ada").isAccepted)
  }

  @Test func `an administrator can add accounts even while sign-ups are throttled`() throws {
    for _ in 0..<21 { _ = try store.register("ada@example.com", "x") }
    let password = Array("correct horse".utf8)
    try password.withUnsafeBytes { bytes throws in
      #expect(try store.add(email: "new@example.com", userName: "new", password: bytes, now: 1_000).isAccepted)
      let again = try store.add(email: "new@example.com", userName: "neu", password: bytes, now: 1_000)
      #expect(again == .refused([RefusedValue(.email, .taken)]))
    }
    #expect(try store.register("y@example.com", "y") == .throttled(retryAfterMs: 1_000))
  }
}
