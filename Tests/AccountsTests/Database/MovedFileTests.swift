import Accounts
import CAccountLibraries
import Foundation
import TestSupport
import Testing

/// What happens when an operator moves, removes or replaces files that are in use.
@Suite(.waits, .onFile) struct MovedFileTests {
  let file: TemporaryFile
  let store: AccountStore

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    _ = try store.register("ada@example.com", "ada")
  }

  enum Trouble: CaseIterable {
    case renamed, removed, replaced, logRemoved, logReplaced, indexRemoved, folderRenamed
  }

  private func make(_ trouble: Trouble) throws {
    let manager = FileManager.default
    switch trouble {
    case .renamed: try manager.moveItem(atPath: file.path, toPath: file.path + ".old")
    case .removed: try manager.removeItem(atPath: file.path)
    case .replaced:
      try manager.copyItem(atPath: file.path, toPath: file.path + ".new")
      #expect(rename(file.path + ".new", file.path) == 0)
    case .logRemoved: try manager.removeItem(atPath: file.path + "-wal")
    case .logReplaced:
      try manager.copyItem(atPath: file.path + "-wal", toPath: file.path + ".new")
      #expect(rename(file.path + ".new", file.path + "-wal") == 0)
    case .indexRemoved: try manager.removeItem(atPath: file.path + "-shm")
    case .folderRenamed:
      try manager.moveItem(atPath: file.directory, toPath: file.directory + ".old")
      try manager.createDirectory(atPath: file.directory, withIntermediateDirectories: false)
    }
  }

  @Test(arguments: Trouble.allCases)
  func `no change is acknowledged after the file, its log or its index was moved, removed or replaced`(trouble: Trouble)
    throws
  {
    try make(trouble)
    #expect(!store.isCurrent)
    #expect(throws: AccountStoreError.moved) { try store.register("bob@example.com", "bob") }
    #expect(throws: AccountStoreError.moved) { try store.login("ada") }
    #expect(throws: AccountStoreError.moved) { try store.setPassword("ada", "another horse") }
    try? FileManager.default.removeItem(atPath: file.directory + ".old")
  }

  @Test(arguments: [Trouble.renamed, .removed, .replaced])
  func `a store that is told which file to expect opens no other file and creates none`(trouble: Trouble) throws {
    let identity = try #require(store.identity)
    try make(trouble)
    let names = try FileManager.default.contentsOfDirectory(atPath: file.directory).sorted()
    #expect(throws: AccountStoreError.moved) { try AccountStore(path: file.path, identity: identity) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: file.directory).sorted() == names)
  }

  @Test func `changes that are only in a removed write-ahead log are saved in the accounts file`() throws {
    try make(.logRemoved)
    #expect(throws: AccountStoreError.moved) { try store.register("bob@example.com", "bob") }
    // As after a kill: the store stays open, and only the file is taken elsewhere.
    let copy = file.path + ".copy"
    try FileManager.default.copyItem(atPath: file.path, toPath: copy)
    #expect(try TemporaryFile.store(at: copy).accounts().map(\.userName) == ["ada"])
  }

  @Test func `changes in a write-ahead log that was replaced by another log are not written to the file`() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: file.path))
    try make(.logReplaced)
    #expect(throws: AccountStoreError.moved) { try store.register("bob@example.com", "bob") }
    store.rescueLog()
    #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == before)
  }

  @Test func `a store opened through a symbolic link writes nothing after the link points elsewhere`() throws {
    let link = file.directory + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
    let linked = try TemporaryFile.store(at: link)
    #expect(try linked.register("bob@example.com", "bob").isAccepted)
    try FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path + ".other")
    #expect(throws: AccountStoreError.moved) { try linked.register("eve@example.com", "eve") }
    #expect(try store.register("eve@example.com", "eve").isAccepted)
  }
}
