import Accounts
import CAccountLibraries
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.waits, .onFile) struct FileTests {
  let file: TemporaryFile

  init() throws {
    file = try TemporaryFile()
  }

  @Test func `only the owner may access a new accounts file and its new directories`() throws {
    let path = file.directory + "/a/b/accounts.sqlite3"
    let store = try AccountStore(path: path)
    _ = try store.accounts()
    #expect(try mode(file.directory + "/a") == 0o700)
    #expect(try mode(file.directory + "/a/b") == 0o700)
    for suffix in ["", "-wal", "-shm"] { #expect(try mode(path + suffix) == 0o600) }
  }

  @Test func `a new accounts file has a write-ahead log, strict tables and its own application id`() throws {
    _ = try file.store()
    try file.other { connection throws in
      #expect(try run("PRAGMA journal_mode", on: connection) == "wal")
      #expect(try run("PRAGMA application_id", on: connection) == String(0x6C6F_6769))
      #expect(try run("PRAGMA user_version", on: connection) == "1")
      #expect(
        try run(
          "SELECT min(strict) FROM pragma_table_list WHERE name IN ('accounts', 'tries', 'reset_codes')", on: connection
        ) == "1")
      #expect(try run("PRAGMA integrity_check", on: connection) == "ok")
    }
  }

  @Test func `after a login that did not wait for the disk, later transactions wait for it again`() throws {
    let store = try file.store()
    _ = try store.register("ada@example.com", "ada")
    for _ in 0..<2 {
      #expect(try store.login("ada").isAccepted)
      // The value 2 means FULL.
      #expect(try store.database.rows("PRAGMA synchronous") { $0.integer(0) } == [2])
    }
  }

  @Test(arguments: [Array("xy".utf8), Array(repeating: 0x61, count: 4_096), Array("SQLite format 3".utf8) + [1, 2, 3]])
  func `an accounts file that is not a database is refused and left unchanged`(bytes: [UInt8]) throws {
    file.write(bytes)
    #expect(throws: AccountStoreError.notADatabase) { try file.store() }
    #expect(FileManager.default.contents(atPath: file.path) == Data(bytes))
  }

  @Test(
    arguments: [
      "CREATE TABLE notes (text)", "PRAGMA application_id = 7", "PRAGMA user_version = 3",
    ])
  func `an accounts file that is another program's database is refused and left unchanged`(sql: String) throws {
    try file.other { try run(sql, on: $0) }
    let before = FileManager.default.contents(atPath: file.path)
    #expect(throws: AccountStoreError.notADatabase) { try file.store() }
    #expect(FileManager.default.contents(atPath: file.path) == before)
  }

  @Test func `an accounts file of a later version is refused and left unchanged`() throws {
    _ = try file.store()
    try file.other { try run("PRAGMA user_version = 9", on: $0) }
    let before = FileManager.default.contents(atPath: file.path)
    #expect(throws: AccountStoreError.newer(9)) { try file.store() }
    #expect(FileManager.default.contents(atPath: file.path) == before)
  }

  @Test func `opening a read-only accounts file fails with an error for this case`() throws {
    _ = try file.store()
    // SQLite opens a file with this version number in its header for reading only.
    var bytes = try #require(FileManager.default.contents(atPath: file.path))
    bytes[18] = 3
    try bytes.write(to: URL(fileURLWithPath: file.path))
    #expect(throws: AccountStoreError.readOnly) {
      let store = try file.store()
      _ = try store.register("ada@example.com", "ada")
    }
  }

  @Test func `a path that is a directory or leads through a file is reported as unavailable`() throws {
    let folder = file.directory + "/folder"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    #expect(throws: AccountStoreError.unavailable) { try AccountStore(path: folder) }
    #expect(throws: AccountStoreError.unavailable) { try AccountStore(path: "/dev/null/accounts.sqlite3") }
    #expect(throws: AccountStoreError.unavailable) { try AccountStore(path: "") }
    #expect(throws: AccountStoreError.unavailable) { try AccountStore(path: "/proc/accounts/accounts.sqlite3") }
  }

  @Test func `no file is created where a dangling symbolic link points`() throws {
    try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: file.directory + "/elsewhere")
    #expect(throws: AccountStoreError.unavailable) { try file.store() }
    #expect(!FileManager.default.fileExists(atPath: file.directory + "/elsewhere"))
  }

  @Test func `an accounts file that another program keeps locked is reported as locked`() throws {
    let store = try file.store()
    _ = try store.register("ada@example.com", "ada")
    try file.other { connection throws in
      try run("BEGIN IMMEDIATE", on: connection)
      #expect(throws: AccountStoreError.locked) { try store.login("ada") }
      #expect(throws: AccountStoreError.locked) { try store.register("bob@example.com", "bob") }
      try run("ROLLBACK", on: connection)
      #expect(try store.login("ada").isAccepted)
    }
  }

  @Test
  func `all threads report an accounts file that another program keeps locked, and log in once it is unlocked`() throws
  {
    _ = try file.store().register("ada@example.com", "ada")
    let path = file.path
    /// The results of four threads that log in at once.
    func all() -> [String] {
      let outcomes = Mutex<[String]>([])
      let isDone = DispatchSemaphore(value: 0)
      for _ in 0..<4 {
        Thread.detachNewThread {
          var options = AccountStore.Options()
          (options.hashCost, options.busyTimeoutMs) = (1, 2_000)
          do {
            let isAccepted = try AccountStore(path: path, options: options).login("ada").isAccepted
            outcomes.withLock { $0.append("\(isAccepted)") }
          } catch {
            outcomes.withLock { $0.append("\(error)") }
          }
          isDone.signal()
        }
      }
      for _ in 0..<4 { isDone.wait() }
      return outcomes.withLock { $0 }
    }
    try file.other { connection throws in
      try run("BEGIN IMMEDIATE", on: connection)
      #expect(all() == Array(repeating: "locked", count: 4))
      try run("ROLLBACK", on: connection)
    }
    #expect(all() == Array(repeating: "true", count: 4))
  }

  @Test func `an accounts file that is already locked when it is opened is reported as locked`() throws {
    try file.other { connection throws in
      try run("CREATE TABLE x (y)", on: connection)
      try run("DROP TABLE x", on: connection)
      try run("BEGIN EXCLUSIVE", on: connection)
      #expect(throws: AccountStoreError.locked) { try file.store() }
      try run("ROLLBACK", on: connection)
      _ = try file.store()
    }
  }

  @Test func `a store detects that its accounts file was removed`() throws {
    let store = try file.store()
    #expect(store.isCurrent)
    try FileManager.default.removeItem(atPath: file.path)
    #expect(!store.isCurrent)
  }

  @Test func `a path with a special meaning in SQLite is used as an ordinary file name`() throws {
    // Relative to the working directory, so only as far as possible without leaving files there.
    #expect(throws: AccountStoreError.unavailable) { try AccountStore(path: "/dev/null/:memory:") }
    let path = file.directory + "/file:x?mode=memory"
    _ = try AccountStore(path: path)
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `several stores that create the accounts file at the same time share one file`() async throws {
    let path = file.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<8 {
        group.addTask {
          let store = try TemporaryFile.store(at: path)
          #expect(try store.register("a\(index)@example.com", "a\(index)").isAccepted)
        }
      }
      try await group.waitForAll()
    }
    #expect(try file.store().accounts().count == 8)
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }
}
