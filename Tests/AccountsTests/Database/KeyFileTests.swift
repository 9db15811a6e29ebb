import Accounts
import Foundation
import System
import Testing

@Suite struct KeyFileTests {
  let file: TemporaryFile
  let store: AccountStore
  static let now = OneTimeCodeTests.now
  private var path: String { file.path + ".key" }

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    _ = try store.register("ada@example.com", "ada")
  }

  private func problem(_ now: Int64 = now) throws -> KeyProblem? {
    let login = try #require(try store.pending(now: now))
    do {
      _ = try store.useOneTimeCode(OneTimeSecret.known.code(now: now), login, key: "\(now)", now: now)
      return nil
    } catch AccountStoreError.keyUnusable(let problem) {
      return problem
    }
  }

  @Test func `the key file is created with the first secret, is accessible only to its owner and never changes`() throws
  {
    #expect(!FileManager.default.fileExists(atPath: path))
    _ = try store.enrol()
    let key = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(key.count == 32)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    _ = try store.register("eve@example.com", "eve")
    _ = try store.enrol("eve")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == key)
    let names = try FileManager.default.contentsOfDirectory(atPath: file.directory).filter { $0.contains(".key") }
    #expect(names == ["accounts.sqlite3.key"])
  }

  @Test(.enabled(if: geteuid() == 0, "to give files away takes the rights of root"))
  func `a key file of another user is read, but refused in a directory writable by everyone`() throws {
    _ = try store.enrol()
    chown(path, 12_345, 12_345)
    #expect(try problem(Self.now + 60_000) == nil)
    chmod(file.directory, 0o1777)
    defer { chmod(file.directory, 0o700) }
    guard case .untrusted(let path) = try problem(Self.now + 120_000) else {
      Issue.record("the key was used")
      return
    }
    #expect(path.reason == .foreignFile)
    chown(self.path, 0, 0)
    #expect(try problem(Self.now + 180_000) == nil)
  }

  @Test func `while secrets exist, no new secret is encrypted with a different key`() throws {
    _ = try store.enrol()
    _ = try store.register("eve@example.com", "eve")
    let key = try Data(contentsOf: URL(fileURLWithPath: path))
    try Data(repeating: 7, count: 32).write(to: URL(fileURLWithPath: path))
    #expect(throws: AccountStoreError.keyUnusable(.invalid)) { try store.enrol("eve") }
    #expect(try store.login("eve").isAccepted)
    try key.write(to: URL(fileURLWithPath: path))
    #expect(try store.enrol("eve") == .done)
  }

  @Test func `while secrets exist, a missing key file is an error, and no new key is created`() throws {
    _ = try store.enrol()
    try FileManager.default.moveItem(atPath: path, toPath: path + "-away")
    #expect(try problem() == .missing)
    _ = try store.register("eve@example.com", "eve")
    #expect(throws: AccountStoreError.keyUnusable(.missing)) { try store.enrol("eve") }
    #expect(!FileManager.default.fileExists(atPath: path))
    // Users without one-time codes can still log in. With the key back in place, everything works
    // as before.
    #expect(try store.login("eve").isAccepted)
    try FileManager.default.moveItem(atPath: path + "-away", toPath: path)
    #expect(try problem() == nil)
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o666])
  func `a key file that others may read or write is refused`(mode: Int) throws {
    _ = try store.enrol()
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    #expect(try problem() == .exposed)
    #expect(throws: AccountStoreError.keyUnusable(.exposed)) { try store.enrol("ada", .random()) }
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
    #expect(try problem() == nil)
  }

  @Test(arguments: [0, 31, 33, 4_096]) func `a key file that does not have the length of a key is refused`(count: Int)
    throws
  {
    _ = try store.enrol()
    try write(Data(repeating: 7, count: count))
    #expect(try problem() == .invalid)
  }

  @Test func `a key file with a different key is refused, and attempts with codes are then not counted`() throws {
    _ = try store.enrol()
    let key = try Data(contentsOf: URL(fileURLWithPath: path))
    try write(Data(repeating: 7, count: 32))
    for _ in 0..<9 { #expect(try problem() == .invalid) }
    try write(key)
    #expect(try problem() == nil)
  }

  @Test func `a directory or a pipe in place of the key file is refused without waiting`() throws {
    _ = try store.enrol()
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(try problem() == .invalid)
    try FileManager.default.removeItem(atPath: path)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(try problem() == .invalid)
  }

  @Test func `if the key file cannot be opened, the error contains the system's error number`() throws {
    _ = try store.enrol()
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
    #expect(try problem() == .failed(code: -ELOOP))
  }

  @Test func `a key file that already exists is not changed when the first secret is stored`() throws {
    try write(Data((0..<32).map { UInt8($0) }))
    _ = try store.enrol()
    #expect(try problem() == nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).first == 0)
  }

  @Test
  func `if several stores need the first key at the same time, one store creates it and all of them use it`()
    async throws
  {
    for index in 0..<8 { _ = try store.register("a\(index)@example.com", "a\(index)") }
    let path = file.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<8 {
        group.addTask {
          let outcome = try TemporaryFile.store(at: path).enrol("a\(index)")
          #expect(outcome == .done)
        }
      }
      try await group.waitForAll()
    }
    for index in 0..<8 {
      let login = try #require(try store.pending("a\(index)", now: Self.now))
      let code = OneTimeSecret.known.code(now: Self.now)
      #expect(try store.useOneTimeCode(code, login, now: Self.now).isAccepted)
    }
  }

  @Test func `each problem with the key file has a different explanation, and the error names the key file`() {
    let problems = [KeyProblem.missing, .exposed, .failed(code: -1), .invalid]
    #expect(Set(problems.map { AccountStoreError.keyUnusable($0).explanation }).count == 4)
    #expect(AccountStoreError.keyUnusable(.missing).file("x") == "x.key")
    #expect(AccountStoreError.locked.file("x") == "x")
  }

  private func write(_ data: Data) throws {
    try data.write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  @Test(.onFile)
  func `the check of an accounts file reports a key file that is missing, exposed or has a different key`() throws {
    #expect(try AccountStore.findings(at: file.path) == [])
    _ = try store.enrol()
    #expect(try AccountStore.findings(at: file.path) == [])
    try FileManager.default.moveItem(atPath: path, toPath: path + "-away")
    #expect(try AccountStore.findings(at: file.path) == [.key(.missing)])
    try Data(repeating: 7, count: 32).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(try AccountStore.findings(at: file.path) == [.key(.invalid)])
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(try AccountStore.findings(at: file.path) == [.key(.exposed)])
    // The accounts keep their key even when it encrypts nothing any more.
    _ = try store.removeOneTimeCodes(identifier: "ada")
    #expect(try AccountStore.findings(at: file.path) == [.key(.exposed)])
  }

  @Test(.onFile, arguments: ["'x'", "replace(secret, substr(secret, 1, 4), 'ffff')", "'\u{FFFD}'"])
  func `a damaged one-time code secret is reported for its account, and not as a problem with the key`(damage: String)
    throws
  {
    _ = try store.enrol()
    try file.other { try run("UPDATE one_time_codes SET secret = \(damage)", on: $0) }
    #expect(try AccountStore.findings(at: file.path) == [.secret(account: 1)])
    // The key is right, so the error is not about the key.
    #expect(throws: AccountStoreError.damaged) { try problem() }
  }

  @Test(.onFile) func `a backup contains the encrypted secrets but no key, and changes no existing key file`() throws {
    _ = try store.enrol()
    let copy = file.directory + "/copy.sqlite3"
    try store.backUp(to: copy)
    #expect(!FileManager.default.fileExists(atPath: copy + ".key"))
    #expect(try AccountStore.findings(at: copy) == [.key(.missing)])
    let other = file.directory + "/other.sqlite3"
    try Data("another's".utf8).write(to: URL(fileURLWithPath: other + ".key"))
    try store.backUp(to: other)
    #expect(try Data(contentsOf: URL(fileURLWithPath: other + ".key")) == Data("another's".utf8))
    try FileManager.default.copyItem(atPath: path, toPath: copy + ".key")
    #expect(try AccountStore.findings(at: copy) == [])
  }
}

/// The key of the accounts, whether or not secrets are encrypted with it.
@Suite struct AccountKeyTests {
  let file: TemporaryFile
  let store: AccountStore
  private var path: String { file.path + ".key" }

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    _ = try store.register("ada@example.com", "ada")
  }

  private func put(_ data: Data) throws {
    try data.write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  @Test func `the key of one-time codes is created once, by the first operation that needs it`() throws {
    let id = try #require(try store.makeKey())
    #expect(id.utf8.count == 16)
    #expect(try store.makeKey() == id)
    #expect(try file.store().makeKey() == id)
    let key = try Data(contentsOf: URL(fileURLWithPath: path))
    _ = try store.enrol()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == key)
    #expect(try store.keyProblem() == nil)
  }

  @Test(arguments: [false, true]) func `no second key is created if the file with the first one is missing`(
    isUsed: Bool
  ) throws {
    if isUsed {
      _ = try store.enrol()
      _ = try store.removeOneTimeCodes(identifier: "ada")
    } else {
      _ = try store.makeKey()
    }
    let key = try Data(contentsOf: URL(fileURLWithPath: path))
    try FileManager.default.removeItem(atPath: path)
    for other in [store, try file.store()] {
      #expect(try other.keyProblem() == .missing)
      #expect(throws: AccountStoreError.keyUnusable(.missing)) { try other.makeKey() }
      #expect(throws: AccountStoreError.keyUnusable(.missing)) { try other.enrol() }
    }
    // Without the key, a pending login gets no resume token, but it does not fail.
    _ = try store.codes()
    #expect(try store.pending()?.resume == nil)
    #expect(!FileManager.default.fileExists(atPath: path))
    try put(key)
    #expect(try store.keyProblem() == nil)
    #expect(try store.pending()?.resume != nil)
    #expect(try store.enrol() == .done)
  }

  @Test func `every operation refuses a key file with a different key`() throws {
    _ = try store.makeKey()
    try put(Data(repeating: 7, count: 32))
    for other in [store, try file.store()] {
      #expect(try other.keyProblem() == .invalid)
      #expect(throws: AccountStoreError.keyUnusable(.invalid)) { try other.makeKey() }
      #expect(throws: AccountStoreError.keyUnusable(.invalid)) { try other.enrol() }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(repeating: 7, count: 32))
  }

  @Test func `a lost key can be replaced if no secret is encrypted with it`() throws {
    _ = try store.enrol()
    let id = try store.makeKey()
    try FileManager.default.removeItem(atPath: path)
    #expect(try store.makeKey(replaces: true) == nil)
    #expect(!FileManager.default.fileExists(atPath: path))
    _ = try store.removeOneTimeCodes(identifier: "ada")
    let new = try #require(try store.makeKey(replaces: true))
    #expect(new != id)
    #expect(try file.store().makeKey() == new)
    #expect(try store.enrol() == .done)
    // A key that was copied to the path of the key file replaces a lost key as well.
    _ = try store.removeOneTimeCodes(identifier: "ada")
    try put(Data(repeating: 9, count: 32))
    #expect(try store.makeKey(replaces: true) != new)
    #expect(try store.enrol() == .done)
  }
}
