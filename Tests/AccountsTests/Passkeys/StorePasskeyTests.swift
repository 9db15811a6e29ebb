import Accounts
import CAccountLibraries
import TestSupport
import Testing

/// How the store keeps and uses passkeys. The tests of `RelyingParty` cover their signatures.
@Suite struct StorePasskeyTests {
  let file: TemporaryFile
  let store: AccountStore
  let ada: Account

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    ada = try store.account("ada@example.com", "ada")
  }

  @Test func `a passkey is stored, found, listed, used and removed`() throws {
    #expect(try store.add(1, to: ada) == .done)
    #expect(try store.add(2, to: ada, now: 2_000) == .done)
    #expect(try store.passkeys(identifier: "ADA@example.com")?.map(\.id) == [[1], [2]])
    #expect(try store.passkeys(identifier: "nobody") == nil)
    #expect(try store.accountStatuses().map(\.hasPasskeys) == [true])
    let found = try #require(try file.store().passkey(id: [1]))
    #expect(found.userHandle.count == 32)
    #expect(found.passkey.publicKey == [9, 1])
    #expect(found.passkey.createdMs == 1_000)
    #expect(found.passkey.usedMs == nil)
    #expect(try store.logIn(by: found.passkey.use(counter: 5, backedUp: true), key: "a", now: 7_000) == .accepted(ada))
    let used = try #require(try store.passkey(id: [1])?.passkey)
    #expect((used.counter, used.usedMs, used.isBackedUp) == (5, 7_000, true))
    // Backup eligibility and state are known from the start.
    for (id, flags) in [(UInt8(7), (true, true)), (8, (true, false)), (9, (false, false))] {
      let holder = try #require(try store.passkeyHolder(of: ada))
      let new = NewPasskey(
        id: [id], publicKey: [9], counter: 0, isBackupEligible: flags.0, isBackedUp: flags.1)
      #expect(try store.addPasskey(new, to: holder, key: "new:\(id)", now: 3_000) == .done)
      let kept = try #require(try store.passkey(id: [id])?.passkey)
      #expect((kept.isBackupEligible, kept.isBackedUp) == flags)
    }
    #expect(try !store.removePasskey(id: [3], of: ada))
    #expect(try store.removePasskey(id: [1], of: ada))
    #expect(try store.passkey(id: [1]) == nil)
    #expect(try store.logIn(by: used.use(counter: 6), key: "b", now: 8_000) == .over)
  }

  @Test func `all passkeys of an account have the same random user handle`() throws {
    let bob = try store.account("bob@example.com", "bob")
    for (id, account) in [(UInt8(1), ada), (2, ada), (3, bob)] { #expect(try store.add(id, to: account) == .done) }
    let handles = try [1, 2, 3].map { try #require(try store.passkey(id: [UInt8($0)])).userHandle }
    #expect(handles[0] == handles[1])
    #expect(handles[0] != handles[2])
    // Two registrations that started at once, before there was a handle.
    let eve = try store.account("eve@example.com", "eve")
    let (one, other) = (try #require(try store.passkeyHolder(of: eve)), try #require(try store.passkeyHolder(of: eve)))
    #expect(try store.addPasskey(.known(4), to: one, key: "x", now: 0) == .done)
    #expect(try store.addPasskey(.known(5), to: other, key: "y", now: 0) == .over)
  }

  @Test func `a passkey can be registered a second time only by a retry of the same request`() throws {
    let holder = try #require(try store.passkeyHolder(of: ada))
    for _ in 0..<3 { #expect(try store.addPasskey(.known(1), to: holder, key: "a", now: 0) == .done) }
    #expect(try store.addPasskey(.known(1), to: holder, key: "b", now: 0) == .known)
    let bob = try #require(try store.passkeyHolder(of: try store.account("bob@example.com", "bob")))
    #expect(try store.addPasskey(.known(1), to: bob, key: "a", now: 0) == .known)
    for id in 2...10 { #expect(try store.add(UInt8(id), to: ada) == .done) }
    #expect(try store.add(11, to: ada) == .tooMany)
  }

  @Test func `a change of the password ends passkey registrations that were started before`() throws {
    let holder = try #require(try store.passkeyHolder(of: ada))
    _ = try store.setPassword("ada", "another horse")
    #expect(try store.addPasskey(.known(1), to: holder, key: "a", now: 0) == .over)
    #expect(try store.passkeys(of: ada) == [])
  }

  @Test func `the user of a disabled account can neither log in with its passkey nor register another one`() throws {
    _ = try store.add(1, to: ada)
    let holder = try #require(try store.passkeyHolder(of: ada))
    let passkey = try #require(try store.passkey(id: [1])?.passkey)
    _ = try store.disable(identifier: "ada", now: 5)
    #expect(try store.logIn(by: passkey.use(counter: 5), key: "a", now: 7_000) == .disabled)
    #expect(try store.addPasskey(.known(2), to: holder, key: "b", now: 0) == .over)
    #expect(try store.passkeyHolder(of: ada) == nil)
    #expect(try store.accountStatus(identifier: "ada")?.lastLoginMs == nil)
    _ = try store.enable(identifier: "ada")
    #expect(try store.logIn(by: passkey.use(counter: 6, challenge: [9]), key: "c", now: 8_000) == .accepted(ada))
    #expect(try store.accountStatus(identifier: "ada")?.lastLoginMs == 8_000)
  }

  @Test func `a passkey challenge is valid for one use, and the passkey's signature counter must increase`() throws {
    _ = try store.add(1, to: ada)
    let passkey = try #require(try store.passkey(id: [1])?.passkey)
    #expect(try store.logIn(by: passkey.use(counter: 2, challenge: [1]), key: "a", now: 0) == .accepted(ada))
    // The same attempt, as after a lost answer.
    #expect(try store.logIn(by: passkey.use(counter: 2, challenge: [1]), key: "a", now: 0) == .accepted(ada))
    #expect(try store.logIn(by: passkey.use(counter: 2, challenge: [1]), key: "b", now: 0) == .rejected)
    #expect(try store.logIn(by: passkey.use(counter: 3, challenge: [1]), key: "b", now: 0) == .rejected)
    #expect(try store.logIn(by: passkey.use(counter: 2, challenge: [2]), key: "b", now: 0) == .rejected)
    #expect(try store.logIn(by: passkey.use(counter: 1, challenge: [2]), key: "b", now: 0) == .rejected)
    #expect(try store.logIn(by: passkey.use(counter: 0, challenge: [2]), key: "b", now: 0) == .rejected)
    #expect(try store.logIn(by: passkey.use(counter: 3, challenge: [2]), key: "b", now: 0) == .accepted(ada))
  }

  @Test func `a passkey without a signature counter can be used again with each new challenge`() throws {
    _ = try store.add(1, to: ada, counter: 0)
    let passkey = try #require(try store.passkey(id: [1])?.passkey)
    for round in 0..<3 {
      #expect(
        try store.logIn(by: passkey.use(counter: 0, challenge: [UInt8(round)]), key: "\(round)", now: 0)
          == .accepted(ada))
      #expect(try store.logIn(by: passkey.use(counter: 0, challenge: [UInt8(round)]), key: "x", now: 0) == .rejected)
    }
  }

  @Test func `a passkey can be the second factor if the view can use passkeys, and codes remain alternatives`() throws {
    _ = try store.add(1, to: ada)
    // A passkey alone does not make the password insufficient.
    #expect(try store.login("ada").isAccepted)
    let codes = try store.codes(count: 2)
    #expect(try store.pending()?.demand == .recoveryCode)
    let login = try #require(try store.pendingWithPasskeys())
    #expect((login.demand, login.otherWays, login.passkeys) == (.passkey, [.recoveryCode], [[1]]))
    _ = try store.enrol(now: 1_000)
    let all = try #require(try store.pendingWithPasskeys())
    #expect((all.demand, all.otherWays) == (.passkey, [.oneTimeCode, .recoveryCode]))
    #expect(all.choosing(.oneTimeCode)?.otherWays == [.passkey, .recoveryCode])
    let passkey = try #require(try store.passkey(id: [1])?.passkey)
    #expect(try store.useAsSecondFactor(passkey.use(counter: 2), for: login, key: "a", now: 0) == .accepted(ada))
    #expect(try store.useAsSecondFactor(passkey.use(counter: 3), for: login, key: "b", now: 0) == .rejected)
    // With all recovery codes used, they are not an alternative.
    for (index, code) in codes.enumerated() {
      let other = try #require(all.choosing(.recoveryCode))
      #expect(try store.use(code, other, key: "c\(index)").isAccepted)
    }
    #expect(try store.pendingWithPasskeys()?.otherWays == [.oneTimeCode])
  }

  @Test func `another account's passkey is no second factor, and the right one leaves an expired password expired`()
    throws
  {
    let eve = try store.account("eve@example.com", "eve")
    _ = try store.add(1, to: ada)
    _ = try store.add(2, to: eve)
    _ = try store.codes(count: 1)
    _ = try store.expirePassword(identifier: "ada")
    let login = try #require(try store.pendingWithPasskeys())
    let evil = try #require(try store.passkey(id: [2])?.passkey)
    #expect(try store.useAsSecondFactor(evil.use(counter: 2), for: login, key: "a", now: 0) == .rejected)
    let own = try #require(try store.passkey(id: [1])?.passkey)
    guard case .pending(let next) = try store.useAsSecondFactor(own.use(counter: 2), for: login, key: "b", now: 0)
    else {
      Issue.record("a new password is asked for")
      return
    }
    #expect((next.demand, next.otherWays) == (.newPassword, []))
    #expect(try store.replace(next, "another horse").isAccepted)
    #expect(try store.useAsSecondFactor(own.use(counter: 3, challenge: [5]), for: login, key: "c", now: 0) == .over)
  }

  @Test func `passkeys are removed with their account`() throws {
    _ = try store.add(1, to: ada)
    let passkey = try #require(try store.passkey(id: [1])?.passkey)
    _ = try store.remove(identifier: "ada")
    #expect(try store.passkey(id: [1]) == nil)
    #expect(try store.logIn(by: passkey.use(counter: 9), key: "a", now: 0) == .over)
    #expect(try store.passkeyHolder(of: ada) == nil)
  }

  @Test(.waits)
  func `exactly one of several concurrent uses of a passkey challenge succeeds, unless all have one idempotency key`()
    async throws
  {
    try await PasskeyRace.run(rounds: Workload.amount(200))
  }
}

/// Four stores that use the same challenge of a passkey at the same time.
enum PasskeyRace {
  static func run(rounds: Int) async throws {
    let file = try TemporaryFile()
    let store = try file.store()
    let ada = try store.account("ada@example.com", "ada")
    _ = try store.add(1, to: ada, counter: 0)
    _ = try store.codes(count: 1)
    let stores = try (0..<4).map { _ in Lent(store: try TemporaryFile.store(at: file.path)) }
    let passkey = try #require(try store.passkey(id: [1])?.passkey)
    let login = try #require(try store.pendingWithPasskeys())
    for round in 0..<rounds {
      let isSame = round % 5 == 4
      // A passkey without a counter, so that only the challenge tells uses apart.
      let use = passkey.use(counter: 0, challenge: [UInt8(round & 255), UInt8(round >> 8)])
      let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
        for (index, lent) in stores.enumerated() {
          let key = isSame ? "\(round)" : "\(round):\(index)"
          group.addTask {
            if round % 2 == 0 { return try lent.store.logIn(by: use, key: key, now: 0) == .accepted(ada) }
            return try lent.store.useAsSecondFactor(use, for: login, key: key, now: 0).isAccepted
          }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(accepted == (isSame ? 4 : 1), "round \(round)")
    }
  }

  /// A store that is used by one task at a time.
  private struct Lent: @unchecked Sendable {
    let store: AccountStore
  }
}

@Suite("Stress tests of passkeys", .enabled(if: Workload.includesStress, "\(Workload.stressHint)"), .waits)
struct PasskeyStressTests {
  @Test func `exactly one of four concurrent uses of a passkey's challenge succeeds, a thousand times`() async throws {
    try await PasskeyRace.run(rounds: Workload.amount(1_000))
  }
}

extension NewPasskey {
  /// A passkey whose bytes contain its number.
  static func known(_ number: UInt8, counter: UInt32 = 1) -> NewPasskey {
    NewPasskey(id: [number], publicKey: [9, number], counter: counter, isBackupEligible: true, isBackedUp: false)
  }
}

extension Passkey {
  func use(counter: UInt32, challenge: [UInt8] = [7], backedUp: Bool = false) -> PasskeyUse {
    PasskeyUse(of: self, challenge: challenge, counter: counter, isBackedUp: backedUp)
  }
}

extension AccountStore {
  func account(_ email: String, _ userName: String) throws -> Account {
    guard case .accepted(let account) = try register(email, userName) else { throw AccountStoreError.damaged }
    return account
  }

  func add(_ number: UInt8, to account: Account, counter: UInt32 = 1, now: Int64 = 1_000) throws -> PasskeyEnrolment {
    guard let holder = try passkeyHolder(of: account) else { throw AccountStoreError.damaged }
    return try addPasskey(.known(number, counter: counter), to: holder, key: "add:\(number)", now: now)
  }

  /// Logs in with a view that can use passkeys. Returns the pending login.
  func pendingWithPasskeys(device: String? = nil, now: Int64 = 1_000) throws -> PendingLogin? {
    let outcome = try Array("correct horse".utf8).withUnsafeBytes { password in
      try Array((device ?? "").utf8).withUnsafeBytes {
        try login(
          identifier: "ada", password: password, canUsePasskeys: true, device: device == nil ? nil : $0, now: now)
      }
    }
    guard case .pending(let login) = outcome else { return nil }
    return login
  }
}
