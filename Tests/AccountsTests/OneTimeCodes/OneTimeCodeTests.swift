import Accounts
import Foundation
import TestSupport
import Testing

@Suite struct OneTimeCodeTests {
  let file: TemporaryFile
  let store: AccountStore
  let secret = OneTimeSecret.known
  /// A time whose step is far from that of the enrolment.
  static let now: Int64 = 1_000_000_000_000

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    _ = try store.register("ada@example.com", "ada")
  }

  private func pending() throws -> PendingLogin { try #require(try store.pending(now: Self.now)) }

  @Test func `an account requires one-time codes once the user has typed a first right one, which is then used up`()
    throws
  {
    #expect(try store.enrol(code: "000000") == .wrongCode)
    #expect(try store.enrol(code: "x") == .wrongCode)
    #expect(try store.enrol("nobody") == .noSuchAccount)
    #expect(try store.login("ada").isAccepted)
    #expect(try store.accountStatuses().map(\.hasOneTimeCodes) == [false])
    #expect(try store.enrol(now: Self.now) == .done)
    #expect(try store.accountStatuses().map(\.hasOneTimeCodes) == [true])
    let login = try pending()
    #expect(login.demand == .oneTimeCode)
    #expect(login.otherWays == [])
    #expect(try store.useOneTimeCode(secret.code(now: Self.now), login, now: Self.now) == .rejected)
    let next = Self.now + 30_000
    #expect(try store.useOneTimeCode(secret.code(now: next), login, now: next).isAccepted)
  }

  @Test(arguments: [(-60_000, false), (-30_000, true), (0, true), (30_000, true), (60_000, false)])
  func `a one-time code is accepted if it is at most one time step early or late`(drift: Int64, isRight: Bool) throws {
    _ = try store.enrol()
    let outcome = try store.useOneTimeCode(secret.code(now: Self.now + drift), try pending(), now: Self.now)
    #expect(outcome.isAccepted == isRight)
    if !isRight { #expect(outcome == .rejected) }
  }

  @Test func `no code works twice, nor any code of an earlier step than the one used`() throws {
    _ = try store.enrol()
    let login = try pending()
    let codes = [-30_000, 0, 30_000].map { secret.code(now: Self.now + $0) }
    #expect(try store.useOneTimeCode(codes[1], login, key: "a", now: Self.now).isAccepted)
    #expect(try store.useOneTimeCode(codes[1], login, key: "b", now: Self.now) == .rejected)
    #expect(try store.useOneTimeCode(codes[0], login, key: "c", now: Self.now) == .rejected)
    #expect(try file.store().useOneTimeCode(codes[1], login, key: "d", now: Self.now) == .rejected)
    #expect(try store.useOneTimeCode(codes[2], login, key: "e", now: Self.now).isAccepted)
  }

  @Test func `setting the clock back makes no used code valid again`() throws {
    _ = try store.enrol()
    let login = try pending()
    #expect(try store.useOneTimeCode(secret.code(now: Self.now), login, key: "a", now: Self.now).isAccepted)
    let before = Self.now - 3_600_000
    #expect(try store.useOneTimeCode(secret.code(now: before), login, key: "b", now: before) == .rejected)
  }

  @Test
  func `a one-time code repeated with its idempotency key gets the same answer, unless the code is different`() throws {
    _ = try store.enrol()
    let login = try pending()
    let code = secret.code(now: Self.now)
    #expect(try store.useOneTimeCode(code, login, key: "run:7", now: Self.now).isAccepted)
    for _ in 0..<9 { #expect(try store.useOneTimeCode(code, login, key: "run:7", now: Self.now).isAccepted) }
    // Also much later, when the code is no longer current.
    #expect(try store.useOneTimeCode(code, login, key: "run:7", now: Self.now + 500_000).isAccepted)
    let next = secret.code(now: Self.now + 30_000)
    #expect(try store.useOneTimeCode(next, login, key: "run:7", now: Self.now) == .rejected)
    #expect(try store.useOneTimeCode(next, login, key: "run:8", now: Self.now).isAccepted)
  }

  @Test func `wrong one-time and recovery codes are counted together, across restarts, and delay right codes too`()
    throws
  {
    _ = try store.enrol()
    let codes = try store.codes(count: 1)
    let login = try pending()
    let recovery = try #require(login.choosing(.recoveryCode))
    let wrong = secret.code(now: 0)
    // A text that cannot be a code counts as wrong.
    for text in [wrong, "", "123456a"] {
      #expect(try store.useOneTimeCode(text, login, key: text, now: Self.now) == .rejected)
    }
    for index in 3..<5 {
      #expect(try store.use("0000-0000-0000-0000", recovery, key: "\(index)", now: Self.now) == .rejected)
    }
    let right = secret.code(now: Self.now)
    let again = try file.store()
    #expect(try again.useOneTimeCode(right, login, now: Self.now) == .throttled(retryAfterMs: 1_000))
    #expect(try again.use(codes[0], recovery, now: Self.now) == .throttled(retryAfterMs: 1_000))
    #expect(try again.useOneTimeCode(wrong, login, now: Self.now + 1_000) == .rejected)
    #expect(try again.useOneTimeCode(right, login, now: Self.now + 2_999) == .throttled(retryAfterMs: 1))
    #expect(try again.useOneTimeCode(right, login, now: Self.now + 3_000).isAccepted)
    // The success has cleared the count of wrong codes.
    for index in 0..<5 {
      #expect(try store.useOneTimeCode(wrong, login, key: "n\(index)", now: Self.now + 3_000) == .rejected)
    }
  }

  @Test func `a recovery code is accepted in place of a one-time code as long as one is left`() throws {
    _ = try store.enrol()
    let codes = try store.codes(count: 1)
    let login = try pending()
    #expect(login.demand == .oneTimeCode)
    #expect(login.otherWays == [.recoveryCode])
    let other = try #require(login.choosing(.recoveryCode))
    #expect(other.choosing(.oneTimeCode) == login)
    #expect(login.choosing(.newPassword) == nil)
    _ = try store.expirePassword(identifier: "ada")
    guard case .pending(let next) = try store.use(codes[0], other, now: Self.now) else {
      Issue.record("a new password is asked for")
      return
    }
    #expect(next.demand == .newPassword)
    #expect(next.otherWays == [])
    #expect(try pending().otherWays == [])
  }

  @Test func `turning one-time codes off affects an account's next login and ends its pending logins`() throws {
    _ = try store.enrol()
    let login = try pending()
    #expect(try store.removeOneTimeCodes(identifier: "ADA@example.com")?.userName == "ada")
    #expect(try store.useOneTimeCode(secret.code(now: Self.now), login, now: Self.now) == .over)
    #expect(try store.login("ada", now: Self.now).isAccepted)
    #expect(try store.removeOneTimeCodes(identifier: "nobody") == nil)
  }

  @Test func `turning on one-time codes with a new secret replaces the former secret`() throws {
    _ = try store.enrol()
    let other = OneTimeSecret.random()
    #expect(try store.enrol("ada", other, now: 90_000) == .done)
    let login = try pending()
    #expect(try store.useOneTimeCode(secret.code(now: Self.now), login, key: "a", now: Self.now) == .rejected)
    #expect(try store.useOneTimeCode(other.code(now: Self.now), login, key: "b", now: Self.now).isAccepted)
  }

  @Test
  func `a login that waits for a one-time code ends when its password is changed or its account removed`() throws {
    _ = try store.enrol()
    let login = try pending()
    _ = try store.setPassword("ada", "another horse")
    #expect(try store.useOneTimeCode(secret.code(now: Self.now), login, now: Self.now) == .over)
    let later = try #require(try store.pending("ada", "another horse", now: Self.now))
    _ = try store.remove(identifier: "ada")
    #expect(try store.useOneTimeCode(secret.code(now: Self.now), later, now: Self.now) == .over)
    try file.other { connection throws in
      #expect(try run("SELECT count(*) FROM one_time_codes", on: connection) == "0")
    }
  }

  @Test(.onFile) func `no file contains a plain one-time code secret, and only the key file contains the key`() throws {
    _ = try store.enrol()
    _ = try store.useOneTimeCode(secret.code(now: Self.now), try pending(), now: Self.now)
    let key = try Data(contentsOf: URL(fileURLWithPath: file.path + ".key"))
    let raw = Data("12345678901234567890".utf8)
    let hexadecimal = raw.map { String(format: "%02x", $0) }.joined()
    let forms = [raw, Data("GEZDGNBVGY3TQOJQ".utf8), Data(hexadecimal.utf8), Data(raw.base64EncodedString().utf8)]
    let names = try FileManager.default.contentsOfDirectory(atPath: file.directory)
    #expect(Set(names).isSuperset(of: ["accounts.sqlite3", "accounts.sqlite3.key"]))
    for name in names {
      let data = try Data(contentsOf: URL(fileURLWithPath: file.directory + "/" + name))
      for form in forms { #expect(data.range(of: form) == nil, "\(name)") }
      if !name.hasSuffix(".key") { #expect(data.range(of: key) == nil, "\(name)") }
    }
  }

  @Test(arguments: ["", "00", "zz", "the other one"])
  func `a damaged one-time code secret affects only its account, and other users enrol as usual`(damage: String) throws
  {
    _ = try store.enrol("ada", .random())
    try file.other { _ = try run("UPDATE one_time_codes SET secret = '\(damage)' WHERE account = 1", on: $0) }
    _ = try store.register("eve@example.com", "eve")
    // The settings table has the id of the key, so the damaged secret does not make the key look
    // wrong.
    #expect(try store.enrol("eve") == .done)
    try file.other { _ = try run("DELETE FROM one_time_codes", on: $0) }
    #expect(try store.enrol("ada", .random()) == .done)
    #expect(try store.enrol("eve") == .done)
    try file.other { _ = try run("UPDATE one_time_codes SET secret = '\(damage)' WHERE account = 1", on: $0) }
    _ = try store.register("zoe@example.com", "zoe")
    #expect(try store.enrol("zoe") == .done)
  }

  @Test func `a one-time code secret that is copied to another account's row cannot be decrypted`() throws {
    _ = try store.register("eve@example.com", "eve")
    _ = try store.enrol("eve")
    _ = try store.enrol("ada", .random())
    try file.other {
      _ = try run(
        "UPDATE one_time_codes SET secret = (SELECT secret FROM one_time_codes WHERE account = 2) WHERE account = 1",
        on: $0)
    }
    let login = try pending()
    #expect(throws: AccountStoreError.damaged) {
      try store.useOneTimeCode(secret.code(now: Self.now), login, now: Self.now)
    }
  }

  @Test(.waits)
  func `exactly one of several concurrent uses of a one-time code succeeds, unless all have one idempotency key`()
    async throws
  {
    try await OneTimeCodeRace.run(rounds: Workload.amount(200))
  }
}

/// Four stores that use the same one-time code at the same time.
enum OneTimeCodeRace {
  static func run(rounds: Int) async throws {
    let file = try TemporaryFile()
    let store = try file.store()
    _ = try store.register("ada@example.com", "ada")
    _ = try store.enrol()
    let stores = try (0..<4).map { _ in Lent(store: try TemporaryFile.store(at: file.path)) }
    var now = OneTimeCodeTests.now
    for round in 0..<rounds {
      // A step that no earlier round has used, not even by the following code.
      now += 60_000
      let isSame = round % 5 == 4
      let (code, time) = (OneTimeSecret.known.code(now: now), now)
      let login = try #require(try store.pending(now: now))
      let outcomes = try await withThrowingTaskGroup(of: CodeOutcome.self) { group in
        for (index, lent) in stores.enumerated() {
          let key = isSame ? "\(round)" : "\(round):\(index)"
          group.addTask { try lent.store.useOneTimeCode(code, login, key: key, now: time) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.count { $0.isAccepted } == (isSame ? 4 : 1), "round \(round)")
      #expect(outcomes.count { $0 == .rejected } == (isSame ? 0 : 3), "round \(round)")
    }
  }

  /// A store that is used by one task at a time.
  private struct Lent: @unchecked Sendable {
    let store: AccountStore
  }
}

@Suite(
  "Stress tests of one-time codes in the store",
  .enabled(if: Workload.includesStress, "\(Workload.stressHint)"), .waits)
struct OneTimeCodeStressTests {
  @Test func `exactly one of four concurrent uses of a one-time code succeeds, a thousand times`() async throws {
    try await OneTimeCodeRace.run(rounds: Workload.amount(1_000))
  }
}
