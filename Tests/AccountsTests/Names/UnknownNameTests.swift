import Accounts
import Foundation
import TestSupport
import Testing

/// Typed names that belong to no account, which may be passwords.
@Suite struct UnknownNameTests {
  static let typed = ["correct horse", "pässwörd €", "hunter2", String(repeating: "long ", count: 40)]

  let file: TemporaryFile
  private var key: String { AccountStore.keyFile(of: file.path) }

  init() throws { file = try TemporaryFile() }

  private func fail(_ store: AccountStore, _ name: String, _ count: Int) throws {
    for _ in 0..<count { #expect(try store.login(name, "wrong") == .rejected) }
  }

  private func waits(_ store: AccountStore, _ name: String) throws -> Bool {
    if case .throttled = try store.login(name, "wrong") { true } else { false }
  }

  @Test(arguments: typed)
  func `failed logins with an unknown name are counted across restarts under a hash that depends on the key file`(
    name: String
  )
    throws
  {
    try fail(file.store(), name, 5)
    #expect(try waits(file.store(), name))
    // Someone with only the database, and not the key file, cannot compute the hash of a guessed
    // name.
    let kept = try Data(contentsOf: URL(filePath: key))
    #expect(kept.count == 32)
    try FileManager.default.removeItem(atPath: key)
    #expect(try !waits(file.store(), name))
    #expect(!FileManager.default.fileExists(atPath: key))
    try kept.write(to: URL(filePath: key))
    chmod(key, 0o600)
    #expect(try waits(file.store(), name))
  }

  @Test(arguments: typed)
  func `with a pepper, unknown names are hashed with a key derived from the pepper, and no key file is created`(
    name: String
  )
    throws
  {
    let pepper = file.directory + "/pepper"
    func store() throws -> AccountStore { try file.store { $0.pepperFile = pepper } }
    try fail(store(), name, 5)
    #expect(try waits(store(), name))
    #expect(!FileManager.default.fileExists(atPath: key))
    #expect(try !waits(file.store { $0.pepperFile = file.directory + "/other" }, name))
  }

  @Test(arguments: ["ada", "ada@example.com", "ADA"])
  func `failed logins with names of existing accounts are counted and can be unlocked without the key file`(
    name: String
  ) throws {
    _ = try file.store().register("ada@example.com", "ada")
    try fail(file.store(), name, 5)
    try? FileManager.default.removeItem(atPath: key)
    #expect(try waits(file.store(), name))
    try? FileManager.default.removeItem(atPath: key)
    #expect(try file.store().unlock(identifier: "ada") != nil)
    #expect(try file.store().login(name).isAccepted)
  }

  @Test
  func `without a usable key file, failed logins with unknown names count within one process, and users can log in`()
    throws
  {
    _ = try file.store().register("ada@example.com", "ada")
    try Data([1, 2, 3]).write(to: URL(filePath: key))
    chmod(key, 0o600)
    let names = UnknownNames()
    func store() throws -> AccountStore { try file.store { $0.unknownNames = names } }
    try fail(store(), "nobody", 5)
    #expect(try waits(store(), "nobody"))
    #expect(try store().login("ada").isAccepted)
    #expect(try !waits(file.store(), "nobody"))
  }

  @Test func `failed logins are counted separately for an account's email address and its user name`() throws {
    let store = try file.store()
    _ = try store.register("ada@example.com", "ada")
    try fail(store, "ada@example.com", 5)
    #expect(try waits(store, "ADA@example.com") && !waits(store, "ada"))
  }
}
