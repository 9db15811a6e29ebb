import Accounts
import Foundation
import TestSupport
import Testing

/// Names that were typed and that nobody has: they may be passwords.
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
  func `a typed name is counted over restarts, and nothing in the accounts tells it without the key file`(name: String)
    throws
  {
    try fail(file.store(), name, 5)
    #expect(try waits(file.store(), name))
    // Whoever has the accounts alone computes another code for each name that is tried.
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
  func `with a pepper its key is that of the names, and no key file is made for them`(name: String) throws {
    let pepper = file.directory + "/pepper"
    func store() throws -> AccountStore { try file.store { $0.pepperFile = pepper } }
    try fail(store(), name, 5)
    #expect(try waits(store(), name))
    #expect(!FileManager.default.fileExists(atPath: key))
    #expect(try !waits(file.store { $0.pepperFile = file.directory + "/other" }, name))
  }

  @Test(arguments: ["ada", "ada@example.com", "ADA"])
  func `names of accounts are counted, and unlocked, whatever becomes of the key`(name: String) throws {
    _ = try file.store().register("ada@example.com", "ada")
    try fail(file.store(), name, 5)
    try? FileManager.default.removeItem(atPath: key)
    #expect(try waits(file.store(), name))
    try? FileManager.default.removeItem(atPath: key)
    #expect(try file.store().unlock(identifier: "ada") != nil)
    #expect(try file.store().login(name).isAccepted)
  }

  @Test func `without a usable key a process counts by itself, in all of its stores, and people get in`() throws {
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

  @Test func `names of one account are two counts, as those of nobody are, and another address begins anew`() throws {
    let store = try file.store()
    _ = try store.register("ada@example.com", "ada")
    try fail(store, "ada@example.com", 5)
    #expect(try waits(store, "ADA@example.com") && !waits(store, "ada"))
  }
}
