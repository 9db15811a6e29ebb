import Accounts
import CAccountLibraries
import Foundation
import System
import TestSupport
import Testing

/// What the check reports about damaged or untrusted files, and backups.
@Suite(.waits, .onFile) struct FindingTests {
  let file: TemporaryFile

  init() throws { file = try TemporaryFile() }

  private func fill(_ count: Int) throws {
    let store = try file.store()
    for index in 0..<count { _ = try store.register("a\(index)@example.com", "a\(index)", now: Int64(index)) }
  }

  @Test func `the check of an accounts file finds no problem in a file that this program made`() throws {
    try fill(3)
    #expect(try AccountStore.findings(at: file.path) == [])
    try file.store().requireIntact(maximumBytes: 1 << 20)
  }

  @Test(arguments: [
    ("DROP INDEX tries_by_age", AccountFileFinding.tables), ("CREATE TABLE more (x)", .tables),
    ("DROP TRIGGER unknown_added", .tables), ("ALTER TABLE accounts ADD COLUMN x TEXT", .tables),
    ("PRAGMA user_version = 9", .newer(9)), ("PRAGMA application_id = 9", .foreign),
    ("INSERT INTO recovery_codes (account, code_hash) VALUES (99, 'x')", .references(table: "recovery_codes")),
  ])
  func `the check of an accounts file reports unexpected tables, another version and rows without an account`(
    sql: String, finding: AccountFileFinding
  ) throws {
    try fill(1)
    try file.other { try run(sql, on: $0) }
    #expect(try AccountStore.findings(at: file.path) == [finding])
  }

  @Test(arguments: [
    "recovery_codes (account, code_hash) VALUES (99, 'x')", "remembered_devices VALUES (1, 99, 'x', 1, 2)",
  ])
  func `rows that belong to no account prevent neither logins nor backups`(row: String) throws {
    try fill(1)
    try file.other { try run("INSERT INTO " + row, on: $0) }
    let store = try file.store()
    try store.requireIntact(maximumBytes: 1 << 20)
    #expect(try store.login("a0").isAccepted)
    try store.backUp(to: file.directory + "/copy.sqlite3")
  }

  @Test
  func `the check of an accounts file reports a damaged index, and a store does not open a file with one`() throws {
    try fill(200)
    // Overwrites a page of the index of addresses.
    var root = 0
    try file.other { connection throws in
      try run("PRAGMA wal_checkpoint(TRUNCATE)", on: connection)
      root =
        Int(
          try run(
            "SELECT pageno FROM dbstat WHERE name = 'sqlite_autoindex_accounts_1' AND pagetype = 'leaf' LIMIT 1",
            on: connection)) ?? 0
    }
    try #require(root > 1)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
    bytes.replaceSubrange((root - 1) * 4_096..<root * 4_096, with: Data(repeating: 0x0A, count: 4_096))
    try bytes.write(to: URL(fileURLWithPath: file.path))
    chmod(file.path, 0o600)
    let findings = try AccountStore.findings(at: file.path)
    #expect(!findings.isEmpty)
    #expect(findings.allSatisfy { if case .pages = $0 { true } else { false } })
    let store = try file.store()
    #expect(throws: AccountStoreError.damaged) { try store.requireIntact(maximumBytes: 1 << 30) }
  }

  @Test func `a registration fails if the new account could not be found again`() throws {
    let store = try file.store()
    // Changes the new row at once, as if the index had lost it.
    try file.other {
      try run(
        "CREATE TRIGGER spoiled AFTER INSERT ON accounts BEGIN UPDATE accounts SET email_key = 'x' || id; END", on: $0)
    }
    #expect(throws: AccountStoreError.damaged) { try store.register("ada@example.com", "ada") }
    #expect(try store.accounts() == [])
  }

  /// Returns why `work` does not trust a file. Nil if `work` succeeds or fails for another reason.
  private func refusal<Result>(_ work: () throws -> Result) -> PathProblem.Reason? {
    do {
      _ = try work()
      return nil
    } catch {
      guard case .untrusted(let problem) = error as? AccountStoreError else { return nil }
      return problem.reason
    }
  }

  private func reason(of finding: AccountFileFinding) -> PathProblem.Reason? {
    if case .untrusted(let problem) = finding { problem.reason } else { nil }
  }

  @Test(
    .enabled(if: geteuid() == 0, "to give links away takes the rights of root"),
    arguments: ["link", "folder/accounts.sqlite3", "shared/folder/accounts.sqlite3"])
  func `a path through a symbolic link of another user is refused, and the check names the link`(name: String) throws {
    try fill(1)
    let other = try TemporaryDirectory()
    mkdir(other.file("shared"), 0o700)
    chmod(other.file("shared"), 0o1777)
    symlink(file.path, other.file("link"))
    for folder in ["folder", "shared/folder"] { symlink(file.directory, other.file(folder)) }
    let path = other.file(name)
    #expect(try TemporaryFile.store(at: path).accounts().count == 1)
    for link in ["link", "folder", "shared/folder"] { lchown(other.file(link), 12_345, 12_345) }
    #expect(refusal { try TemporaryFile.store(at: path) } == .foreignLink)
    #expect(refusal { try file.store().backUp(to: path + ".copy") } == (name == "link" ? nil : .foreignLink))
    let explanations = try AccountStore.findings(at: path).map(\.explanation)
    let link = other.file(String(name.hasSuffix("3") ? name.dropLast("/accounts.sqlite3".count) : name[...]))
    #expect(explanations.first?.contains("the link \(link) belongs to another user") == true)
  }

  @Test(arguments: [(0o666, 0o700), (0o602, 0o700), (0o600, 0o777), (0o600, 0o702), (0o600, 0o1777)])
  func `an accounts file is refused if everyone can write the file or its directory`(file mode: Int, folder: Int) throws
  {
    try fill(1)
    chmod(file.path, mode_t(mode))
    chmod(file.directory, mode_t(folder))
    defer { chmod(file.directory, 0o700) }
    #expect(refusal { try file.store() } == .writableByEveryone)
    #expect(try AccountStore.findings(at: file.path).contains { reason(of: $0) == .writableByEveryone })
  }

  @Test(arguments: [(0o600, 0o700), (0o660, 0o770), (0o644, 0o755)])
  func `an accounts file that only its owner or a group can write or replace is opened`(file mode: Int, folder: Int)
    throws
  {
    try fill(1)
    chmod(file.path, mode_t(mode))
    chmod(file.directory, mode_t(folder))
    #expect(try file.store().accounts().count == 1)
    #expect(try AccountStore.findings(at: file.path) == (mode & 0o004 == 0 ? [] : [.readableByEveryone]))
  }

  @Test(arguments: [(0o1777, true), (0o777, false)])
  func `an accounts file below a directory writable by everyone is opened only if others cannot move its directory`(
    outer: Int, isUsed: Bool
  ) throws {
    let path = file.directory + "/inner/accounts.sqlite3"
    _ = try TemporaryFile.store(at: path)
    chmod(file.directory, mode_t(outer))
    defer { chmod(file.directory, 0o700) }
    if isUsed {
      _ = try TemporaryFile.store(at: path)
    } else {
      #expect(refusal { try TemporaryFile.store(at: path) } == .writableByEveryone)
    }
  }

  @Test(arguments: [(0o1777, true), (0o777, false)])
  func `a backup is made only where other users cannot replace it`(folder: Int, isMade: Bool) throws {
    try fill(1)
    let other = try TemporaryDirectory()
    chmod(other.path, mode_t(folder))
    let copy = other.file("copy.sqlite3")
    if isMade {
      try file.store().backUp(to: copy)
    } else {
      #expect(refusal { try file.store().backUp(to: copy) } == .writableByEveryone)
    }
    #expect(FileManager.default.fileExists(atPath: copy) == isMade)
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.path).count == (isMade ? 1 : 0))
  }

  @Test func `an accounts file is refused through a symbolic link in a directory writable by everyone`() throws {
    try fill(1)
    let other = try TemporaryDirectory()
    symlink(file.path, other.file("link"))
    #expect(try TemporaryFile.store(at: other.file("link")).accounts().count == 1)
    chmod(file.directory, 0o1777)
    defer { chmod(file.directory, 0o700) }
    #expect(refusal { try TemporaryFile.store(at: other.file("link")) } == .writableByEveryone)
  }

  @Test(.enabled(if: geteuid() == 0, "to give files away takes the rights of root"))
  func `an accounts file of another user is opened, but refused in a directory writable by everyone`() throws {
    try fill(1)
    chown(file.path, 12_345, 12_345)
    #expect(try file.store().accounts().count == 1)
    chmod(file.directory, 0o1777)
    defer { chmod(file.directory, 0o700) }
    #expect(refusal { try file.store() } == .writableByEveryone)
    #expect(try AccountStore.findings(at: file.path).contains { reason(of: $0) == .writableByEveryone })
  }

  /// The arguments are the owners of the directory, of its parent directory and of the file, and
  /// whether root may use the file.
  @Test(
    .enabled(if: geteuid() == 0, "to give files away takes the rights of root"),
    arguments: [
      ((12_345, 0, 0), false), ((65_534, 0, 0), false), ((0, 12_345, 0), false), ((12_345, 0, 12_346), false),
      ((12_345, 12_345, 12_345), true), ((0, 0, 12_345), true), ((0, 65_534, 0), true),
    ] as [((uid_t, uid_t, uid_t), Bool)])
  func `an accounts file is refused if its directory belongs to neither this user, root nor the file's owner`(
    owners: (folder: uid_t, above: uid_t, file: uid_t), isUsed: Bool
  ) throws {
    // Below a directory that everyone may write, such as /tmp, a directory of another user would be
    // refused in any case.
    let above = file.directory + "/above"
    let folder = above + "/inner"
    let path = folder + "/accounts.sqlite3"
    _ = try TemporaryFile.store(at: path).register("ada@example.com", "ada")
    chown(path, owners.file, 0)
    chown(folder, owners.folder, 0)
    chown(above, owners.above, 0)
    if isUsed {
      #expect(try TemporaryFile.store(at: path).accounts().count == 1)
    } else {
      #expect(refusal { try TemporaryFile.store(at: path) } == .foreignFolder)
    }
    #expect(try AccountStore.findings(at: path).map { reason(of: $0) } == (isUsed ? [] : [.foreignFolder]))
  }

  @Test func `exactly one of several concurrent backups to one path succeeds, and no partial copies are left`()
    async throws
  {
    try fill(20)
    let copy = file.directory + "/copy.sqlite3"
    let path = file.path
    let made = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask { (try? TemporaryFile.store(at: path).backUp(to: copy)) != nil }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(made == 1)
    #expect(try TemporaryFile.store(at: copy).accounts().count == 20)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: file.directory).filter {
        $0.hasPrefix("copy") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
      }
        == ["copy.sqlite3"])
  }

  @Test func `a backup works while accounts are in use, is accessible only to its owner and replaces no file`() throws {
    try fill(20)
    let store = try file.store()
    let other = try file.store()
    let copy = file.directory + "/copy.sqlite3"
    _ = try other.register("late@example.com", "late")
    try store.backUp(to: copy)
    _ = try other.register("later@example.com", "later")
    #expect(try TemporaryFile.store(at: copy).accounts().count == 21)
    #expect(try TemporaryFile.store(at: copy).login("late").isAccepted)
    #expect(try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int == 0o600)
    #expect(throws: AccountStoreError.unavailable) { try store.backUp(to: copy) }
    #expect(try TemporaryFile.store(at: copy).accounts().count == 21)
    #expect(throws: AccountStoreError.unavailable) { try store.backUp(to: "/proc/copy.sqlite3") }
  }
}
