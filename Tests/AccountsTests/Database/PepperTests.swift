import Accounts
import Foundation
import Testing

@Suite struct PepperTests {
  let file: TemporaryFile
  private var pepper: String { file.directory + "/pepper" }

  init() throws { file = try TemporaryFile() }

  private func store(_ pepper: String?) throws -> AccountStore { try file.store { $0.pepperFile = pepper } }

  private func hash() throws -> String {
    var hash = ""
    try file.other { hash = try run("SELECT password_hash FROM accounts", on: $0) }
    return hash
  }

  @Test func `passwords can be checked with the pepper, and not without it`() throws {
    _ = try store(pepper).register("ada@example.com", "ada")
    #expect(try hash().hasPrefix("hmac-sha256:"))
    #expect(try store(pepper).login("ada").isAccepted)
    #expect(try store(pepper).login("ada", "wrong") == .rejected)
    for name in ["ada", "nobody"] {
      #expect(throws: AccountStoreError.pepperUnusable(.missing)) { try store(nil).login(name) }
    }
    #expect(throws: AccountStoreError.pepperUnusable(.missing)) { try store(nil).register("bob@example.com", "bob") }
  }

  @Test func `without the pepper, a stored hash does not match its password`() throws {
    _ = try store(pepper).register("ada@example.com", "ada")
    let rest = try String(#require(try hash().split(separator: ":").last))
    let isHash = try Array("correct horse".utf8).withUnsafeBytes { try PasswordHasher().verify($0, against: rest) }
    #expect(!isHash)
  }

  @Test func `hashes from before the pepper was introduced stay valid and get the pepper at the next login`() throws {
    _ = try file.store().register("ada@example.com", "ada")
    #expect(try hash().hasPrefix("$y$"))
    #expect(try store(pepper).login("ada", "wrong") == .rejected)
    #expect(try hash().hasPrefix("$y$"))
    #expect(try store(pepper).login("ada").isAccepted)
    #expect(try hash().hasPrefix("hmac-sha256:"))
    #expect(try store(pepper).login("ada").isAccepted)
  }

  @Test func `every way to set a password uses the pepper`() throws {
    let store = try store(pepper)
    _ = try store.register("ada@example.com", "ada")
    var hashes = [try hash()]
    let code = try #require(try store.code(for: "ada@example.com"))
    #expect(try store.reset("ada@example.com", code, "second horse") == .done)
    hashes.append(try hash())
    _ = try store.setPassword("ada", "third horse")
    hashes.append(try hash())
    _ = try store.expirePassword(identifier: "ada")
    let login = try #require(try store.pending("ada", "third horse"))
    #expect(try store.replace(login, "third horse") == .refused(.unchanged))
    #expect(try store.replace(login, "fourth horse").isAccepted)
    hashes.append(try hash())
    #expect(Set(hashes).count == 4)
    #expect(hashes.allSatisfy { $0.hasPrefix("hmac-sha256:") })
    #expect(try store.login("ada", "fourth horse").isAccepted)
  }

  @Test
  func `a pepper file that is missing, exposed or contains another pepper is refused, and none is created`()
    throws
  {
    _ = try store(pepper).register("ada@example.com", "ada")
    let other = file.directory + "/other"
    #expect(throws: AccountStoreError.pepperUnusable(.missing)) { try store(other) }
    try Data(repeating: 7, count: 32).write(to: URL(fileURLWithPath: other))
    chmod(other, 0o600)
    #expect(throws: AccountStoreError.pepperUnusable(.invalid)) { try store(other) }
    chmod(pepper, 0o640)
    #expect(throws: AccountStoreError.pepperUnusable(.exposed)) { try store(pepper) }
    try FileManager.default.removeItem(atPath: pepper)
    #expect(throws: AccountStoreError.pepperUnusable(.missing)) { try store(pepper) }
  }

  @Test func `a store that was opened before a pepper was introduced reports that it lacks the pepper`() throws {
    let old = try file.store()
    _ = try old.register("ada@example.com", "ada")
    #expect(try store(pepper).login("ada").isAccepted)
    #expect(throws: AccountStoreError.pepperUnusable(.missing)) { try old.login("ada") }
  }

  @Test
  func `a pepper is required once a password is hashed with it, and not merely because a store was opened with it`()
    throws
  {
    let early = try store(pepper)
    let other = file.directory + "/other"
    _ = try store(other).register("ada@example.com", "ada")
    #expect(throws: AccountStoreError.pepperUnusable(.invalid)) { try early.register("bob@example.com", "bob") }
    #expect(throws: AccountStoreError.pepperUnusable(.invalid)) { try store(pepper) }
    #expect(try store(other).login("ada").isAccepted)
  }

  @Test func `attempts that fail because the pepper is missing are not counted`() throws {
    _ = try store(pepper).register("ada@example.com", "ada")
    let (blind, code) = (try store(nil), try #require(try store(pepper).code(for: "ada@example.com")))
    for _ in 0..<30 {
      #expect(throws: AccountStoreError.pepperUnusable(.missing)) { try blind.login("ada") }
      #expect(throws: AccountStoreError.pepperUnusable(.missing)) { try blind.prove() }
      #expect(throws: AccountStoreError.pepperUnusable(.missing)) {
        try blind.reset("ada@example.com", code, "another horse")
      }
    }
    try file.other { connection throws in
      let counted = try run("SELECT count(*) FROM tries WHERE subject NOT LIKE 'reset%'", on: connection)
      #expect(counted == "0")
    }
    #expect(try store(pepper).login("ada").isAccepted)
  }

  @Test func `replacing a pepper, even by none, voids the hashes that use it`() throws {
    _ = try store(pepper).register("ada@example.com", "ada")
    _ = try store(pepper).register("bob@example.com", "bob")
    _ = try file.store { $0.replacesPepper = true }.setPassword("ada", "second horse")
    #expect(try store(nil).login("ada", "second horse").isAccepted)
    #expect(try store(nil).login("bob") == .rejected)
    let code = try #require(try store(nil).code(for: "bob@example.com"))
    #expect(try store(nil).reset("bob@example.com", code, "third horse") == .done)
    #expect(try store(nil).login("bob", "third horse").isAccepted)
  }

  @Test func `a login with an unknown name computes the same kind of hash as one with an existing name`() throws {
    let store = try store(pepper)
    #expect(try store.substituteSetting(identifierHash: "x", now: 0).hasPrefix("hmac-sha256:"))
    _ = try store.register("ada@example.com", "ada")
    #expect(try store.substituteSetting(identifierHash: "x", now: 0).hasPrefix("hmac-sha256:"))
    #expect(try store.login("nobody") == .rejected)
  }

  @Test func `only the owner may access a new pepper file`() throws {
    _ = try store(pepper)
    var status = stat()
    #expect(stat(pepper, &status) == 0 && status.st_mode & 0o777 == 0o600 && status.st_size == 32)
  }
}
