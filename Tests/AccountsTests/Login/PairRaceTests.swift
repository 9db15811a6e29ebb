import Accounts
import Foundation
import Synchronization
import TestServer
import TestSupport
import Testing

/// Every pair of operations on an account, run like two processes: one starts while the other has
/// done its work but not committed.
@Suite(.waits) struct PairRaceTests {
  @Test(arguments: Accounts.allCases)
  func `two concurrent operations on an account have the same outcome as one after the other`(kind: Accounts) throws {
    let file = try TemporaryFile()
    let one = try file.store { $0.busyTimeoutMs = 30_000 }
    let race = Race(
      one: one, other: try file.store { $0.busyTimeoutMs = 30_000 }, file: file, kind: kind)
    let operations = Operation.all(of: kind)
    // All pairs take an hour on a server; LOGIN_ENGINE_STRESS=2 enables them. In a file one
    // transaction waits for the other from its start, so a few pairs suffice for what can happen
    // between two.
    let step = Workload.takesAnHour ? 1 : TestServer.isUsed ? 7 : Workload.includesStress ? 3 : 18
    for (index, first) in operations.enumerated() {
      for (offset, second) in operations.enumerated()
      where (offset - index) % step == 0 && (kind == .full || index < 3 || offset < 3) {
        try race.run(first, beside: second)
      }
    }
    if TestServer.isUsed { #expect(race.overlaps > 0) }
  }

  @Test
  func `rows that belong to an account can be written only in a transaction that has locked the account`() throws {
    let file = try TemporaryFile()
    let store = try file.store()
    let ada = try store.account("ada@example.com", "ada")
    let eve = try store.account("eve@example.com", "eve")
    let database = store.database
    let writes: [(StaticString, [SQLValue])] = [
      ("UPDATE accounts SET password_hash = '' WHERE id = ?1", [.integer(ada.id)]),
      ("DELETE FROM accounts WHERE id = ?1", [.integer(ada.id)]),
      ("DELETE FROM passkeys WHERE account = ?1", [.integer(ada.id)]),
      ("DELETE FROM remembered_devices WHERE expires_ms > ?1", [.integer(0)]),
      ("INSERT INTO recovery_codes (account, code_hash) VALUES (?1, 'x')", [.integer(ada.id)]),
      ("UPDATE one_time_codes SET step = ?1", [.integer(7)]),
      ("INSERT INTO reset_codes (address, account, code_hash, issued_ms) VALUES ('x', ?1, 'y', 0)", [.null]),
      ("WITH gone AS (SELECT 1) DELETE FROM passkeys", []),
    ]
    for (sql, values) in writes {
      #expect(throws: AccountStoreError.self, "\(sql)") { try database.execute(sql, values) { _ in } }
      #expect(throws: AccountStoreError.self, "\(sql)") {
        try database.transaction { () throws(AccountStoreError) in try database.execute(sql, values) { _ in } }
      }
    }
    // Nor while holding another account.
    #expect(throws: AccountStoreError.self) {
      try database.transaction { () throws(AccountStoreError) in
        _ = try database.hold(eve.id)
        try database.run("UPDATE accounts SET password_expired = 1 WHERE id = ?1", .integer(ada.id))
      }
    }
    #expect(try store.accountStatus(identifier: "ada")?.isPasswordExpired == false)
    try database.transaction { () throws(AccountStoreError) in
      _ = try database.hold(ada.id)
      try database.run("UPDATE accounts SET password_expired = 1 WHERE id = ?1", .integer(ada.id))
    }
    #expect(try store.accountStatus(identifier: "ada")?.isPasswordExpired == true)
  }

  @Test func `no device is remembered after a login whose password was replaced meanwhile`() throws {
    let file = try TemporaryFile()
    let store = try file.store()
    let ada = try store.account("ada@example.com", "ada")
    _ = try store.expirePassword(identifier: "ada")
    let login = try #require(try store.pending())
    #expect(try store.replace(login, "another horse", key: "run:1").isAccepted)
    #expect(try store.rememberDevice(of: ada, after: login, key: "run:1", lifetimeMs: 9, now: 1) != nil)
    #expect(try store.rememberDevice(of: ada, after: login, key: "run:2", lifetimeMs: 9, now: 1) == nil)
    // Another process has set a password since the login did.
    _ = try store.setPassword("ada", "a third horse")
    #expect(try store.rememberDevice(of: ada, after: login, key: "run:1", lifetimeMs: 9, now: 1) == nil)
    #expect(try store.rememberedDevices(identifier: "ada", now: 2) == [])
  }
}

/// What the accounts of a race have.
enum Accounts: CaseIterable {
  /// A password alone.
  case plain
  /// A second factor of each kind, a device, and a mailed code.
  case full
}

/// A new account, and what its user or an administrator has at hand to change it.
private struct Fixture {
  let name: String
  let account: Account
  let proof: PendingLogin
  let login: PendingLogin?
  let code: String
  let change: PendingEmailChange
  let recoveryCodes: [String]
  let moreCodes: PreparedCodes
  let holder: PasskeyHolder
  let passkey: Passkey?

  var email: String { account.email }

  static let now: Int64 = 1_000

  init(_ store: AccountStore, _ name: String, _ kind: Accounts) throws {
    self.name = name
    account = try store.account("\(name)@example.com", name)
    recoveryCodes = kind == .full ? try store.codes(name, count: 2) : []
    if kind == .full {
      try #require(try store.enrol(name) == .done)
      let holder = try #require(try store.passkeyHolder(of: account))
      let key = NewPasskey(
        id: Array(name.utf8), publicKey: [1], counter: 1, isBackupEligible: false, isBackedUp: false)
      try #require(try store.addPasskey(key, to: holder, key: "p", now: Self.now) == .done)
      _ = try #require(try store.rememberDevice(of: account, lifetimeMs: 1_000_000, now: Self.now))
    }
    holder = try #require(try store.passkeyHolder(of: account))
    passkey = try store.passkeys(of: account).first
    login = try store.pending(name)
    let proven = try Array("correct horse".utf8).withUnsafeBytes {
      try store.prove(principal: name, password: $0, now: Self.now)
    }
    switch proven {
    case .proven(let proof): self.proof = proof
    case .pending(let login): proof = login.proof
    default: throw Failure()
    }
    code = try #require(try store.code(for: account.email))
    let begun = try store.beginEmailChange(
      of: account.id, to: "new-\(name)@example.com", concealsTaken: false, now: Self.now)
    guard case .pending(let change) = begun else { throw Failure() }
    self.change = change
    moreCodes = try store.prepareRecoveryCodes(for: account, count: 3)
  }

  struct Failure: Error {}
}

private struct Operation: Sendable {
  let name: String
  /// Runs the operation and returns its result as text, without the parts that vary.
  let run: @Sendable (AccountStore, Fixture) throws -> String

  init<Outcome>(_ name: String, _ run: @escaping @Sendable (AccountStore, Fixture) throws -> Outcome) {
    self.name = name
    self.run = { store, fixture in
      let text = "\(try run(store, fixture))"
      return String(text.prefix { $0 != "(" && $0 != "/" })
    }
  }

  static func all(of kind: Accounts) -> [Operation] {
    var all = [
      Operation("login") { store, ada in
        let outcome = try store.login(ada.name)
        return if case .pending(let login) = outcome { "pending \(login.demand)" } else { "\(outcome)" }
      },
      Operation("wrong login") { try $0.login($1.name, "wrong horse") },
      Operation("proof") { store, ada in
        try bytes("correct horse") { try store.prove(principal: ada.name, password: $0, now: Fixture.now) }
      },
      Operation("password of the administrator") { try $0.setPassword($1.name, "second horse") },
      Operation("expiry") { try $0.expirePassword(identifier: $1.name) != nil },
      Operation("new password") { try $0.replace($1.proof, "third horse", key: "replace") },
      Operation("reset") { try $0.reset($1.email, $1.code, "fourth horse", key: "reset") },
      Operation("request of a reset") { try $0.code(for: $1.email) != nil },
      Operation("new address") { store, ada in
        try bytes(ada.change.code.text) { try store.confirm(ada.change, code: $0, now: 1_000) }
      },
      Operation("beginning of a new address") {
        try $0.beginEmailChange(by: $1.proof, to: "third-\($1.name)@example.com", concealsTaken: false, now: 1_000)
      },
      Operation("removal") { try $0.remove(identifier: $1.name) != nil },
      Operation("deletion") { try $0.delete(by: $1.proof) },
      Operation("disabling") { try $0.disable(identifier: $1.name, now: 1_000) != nil },
      Operation("unlocking") { try $0.unlock(identifier: $1.name) != nil },
      Operation("sign-up under the name") { try $0.register("other-\($1.name)@example.com", $1.name) },
      Operation("enrolment") { store, ada in
        let secret = OneTimeSecret.random()
        return try bytes(secret.code(now: 1_000)) {
          try store.enrol(by: ada.proof, secret: secret, code: $0, now: 1_000)
        }
      },
      Operation("end of one-time codes") { try $0.removeOneTimeCodes(by: $1.proof) },
      Operation("new recovery codes") { try $0.storeRecoveryCodes($1.moreCodes, by: $1.proof) },
      Operation("end of recovery codes") { try $0.removeRecoveryCodes(identifier: $1.name) != nil },
      Operation("new passkey") {
        let key = NewPasskey(
          id: Array("second \($1.name)".utf8), publicKey: [2], counter: 0, isBackupEligible: false, isBackedUp: false)
        return try $0.addPasskey(key, to: $1.holder, key: "q", now: 1_000)
      },
      Operation("end of all devices") { try $0.forgetDevices(by: $1.proof) },
    ]
    guard kind == .full else { return all }
    all += [
      Operation("one-time code") { store, ada in
        guard let login = ada.login else { throw Fixture.Failure() }
        return try store.useOneTimeCode(OneTimeSecret.known.code(now: 61_000), login, key: "o", now: 61_000)
      },
      Operation("recovery code") { store, ada in
        guard let login = ada.login else { throw Fixture.Failure() }
        return try store.use(ada.recoveryCodes[0], login, key: "r")
      },
      Operation("end of a passkey") { try $0.removePasskey(id: Array($1.name.utf8), by: $1.proof) },
      Operation("log-in by a passkey") { store, ada in
        try store.logIn(by: try ada.use([1]), key: "l", now: 1_000)
      },
      Operation("passkey after a password") { store, ada in
        guard let login = ada.login else { throw Fixture.Failure() }
        return try store.useAsSecondFactor(try ada.use([2]), for: login, key: "s", now: 1_000)
      },
      Operation("device") { store, ada in
        try store.rememberDevice(of: ada.account, after: ada.login, lifetimeMs: 1_000_000, now: 1_000) != nil
      },
      Operation("login that goes on elsewhere") { store, ada in
        guard let token = ada.login?.resume else { throw Fixture.Failure() }
        let outcome = try store.resume(token, now: 1_000)
        return outcome.map { "\($0)" } ?? "over"
      },
    ]
    return all
  }
}

extension Fixture {
  fileprivate func use(_ challenge: [UInt8]) throws -> PasskeyUse {
    PasskeyUse(of: try #require(passkey), challenge: challenge, counter: 2, isBackedUp: false)
  }
}

private func bytes<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
  try Array(text.utf8).withUnsafeBytes(body)
}

private final class Race {
  /// How long the second operation may take if it does not have to wait for the first.
  private static let waitMs = TestServer.isUsed ? 20 : 5

  private let one: AccountStore, other: AccountStore
  private let file: TemporaryFile
  private let kind: Accounts
  private var number = 0
  /// How often the second operation finished before the first was committed.
  private(set) var overlaps = 0
  private var known: [String: Result] = [:]

  private struct Result: Equatable {
    var told: [String]
    var state: String
    /// The number of counted failures.
    var failures: Int
  }

  init(one: AccountStore, other: AccountStore, file: TemporaryFile, kind: Accounts) {
    (self.one, self.other, self.file, self.kind) = (one, other, file, kind)
  }

  /// Creates an account and returns it with its password hash.
  private func fixture() throws -> (Fixture, hash: String) {
    number += 1
    try file.other { try AccountsTests.run("DELETE FROM tries", on: $0) }
    let fixture = try Fixture(one, "n\(number)", kind)
    var hash = ""
    try file.other {
      try AccountsTests.run("DELETE FROM tries", on: $0)
      hash = try AccountsTests.run("SELECT password_hash FROM accounts WHERE id = \(fixture.account.id)", on: $0)
    }
    return (fixture, hash)
  }

  private func result(_ told: [String], _ fixture: Fixture, hash: String) throws -> Result {
    let id = fixture.account.id
    let counts = """
      (SELECT count(*) FROM reset_codes WHERE account = \(id)) || ' reset ' ||
      (SELECT count(*) FROM recovery_codes WHERE account = \(id)) || ' recovery ' ||
      (SELECT count(*) FROM recovery_codes WHERE account = \(id) AND used IS NOT NULL) || ' used ' ||
      (SELECT count(*) FROM one_time_codes WHERE account = \(id)) || ' app ' ||
      coalesce((SELECT CAST(step AS TEXT) || coalesce(used, '') FROM one_time_codes WHERE account = \(id)), '') ||
      (SELECT count(*) FROM passkeys WHERE account = \(id)) || ' passkeys ' ||
      (SELECT count(*) FROM passkeys WHERE account = \(id) AND counter = 2) || ' used ' ||
      (SELECT count(*) FROM remembered_devices WHERE account = \(id)) || ' devices '
      """
    let row = """
      (SELECT email || CASE WHEN password_hash = '\(hash)' THEN ' same ' ELSE ' other ' END || coalesce(reset, '-') ||
        password_expired || CASE WHEN disabled_ms IS NULL THEN '' ELSE ' disabled' END ||
        CASE WHEN last_login_ms IS NULL THEN '' ELSE ' in' END
      FROM accounts WHERE id = \(id))
      """
    var (state, failures) = ("", 0)
    try file.other {
      state = try AccountsTests.run("SELECT \(counts) || coalesce(\(row), 'gone')", on: $0)
      let sum = """
        SELECT CAST(coalesce(sum(failures), 0) AS TEXT) FROM tries
        WHERE subject IN ('account:\(id)', 'proof:\(id)', 'recovery:\(id)', 'recoveryCode:\(id)')
        """
      failures = Int(try AccountsTests.run(sum, on: $0)) ?? 0
    }
    return Result(
      told: told, state: state.replacing(fixture.name + "@", with: "ada@"), failures: failures)
  }

  /// Runs two operations one after the other and returns their results.
  private func serial(_ first: Operation, _ second: Operation) throws -> Result {
    let name = "\(first.name), \(second.name)"
    if let result = known[name] { return result }
    let (fixture, hash) = try fixture()
    let told = [try first.run(one, fixture), try second.run(other, fixture)]
    let result = try result(told, fixture, hash: hash)
    known[name] = result
    return result
  }

  /// Runs the first operation and, before each of its commits, the second operation, to its end or
  /// until it has to wait.
  func run(_ first: Operation, beside second: Operation) throws {
    let before = try serial(first, second)
    var after = try serial(second, first)
    after.told.reverse()
    var commit = 0
    while true {
      let (fixture, hash) = try fixture()
      nonisolated(unsafe) let other = other
      let told = Mutex<String?>(nil)
      let isDone = DispatchSemaphore(value: 0)
      var (count, hasBegun, overlapped) = (0, false, false)
      one.database.beforeCommit = {
        defer { count += 1 }
        guard count == commit, !hasBegun else { return }
        hasBegun = true
        Thread.detachNewThread {
          let text: String
          do { text = try second.run(other, fixture) } catch { text = "\(error)" }
          told.withLock { $0 = text }
          isDone.signal()
        }
        if isDone.wait(timeout: .now() + .milliseconds(Self.waitMs)) == .success {
          overlapped = true
          isDone.signal()
        }
      }
      let own: String
      do { own = try first.run(one, fixture) } catch { own = "\(error)" }
      one.database.beforeCommit = {}
      guard hasBegun else { return }
      isDone.wait()
      if overlapped { overlaps += 1 }
      let found = try result([own, told.withLock { $0 } ?? ""], fixture, hash: hash)
      let bounds = min(before.failures, after.failures)...max(before.failures, after.failures)
      let isSerial =
        (found.told, found.state) == (before.told, before.state)
        || (found.told, found.state) == (after.told, after.state)
      // The other operation may have cleared a count between the attempt and its answer.
      #expect(
        isSerial && (bounds.contains(found.failures) || found.state.hasSuffix("gone")),
        "\(first.name) beside \(second.name) before commit \(commit): \(found), and not \(before) or \(after)")
      commit += 1
    }
  }
}
