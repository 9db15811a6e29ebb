import Accounts
import Testing

@Suite struct LockTests {
  static let day: Int64 = 86_400_000
  let file: TemporaryFile
  let store: AccountStore

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    _ = try store.register("ada@example.com", "ada", now: 0)
  }

  /// Enters wrong passwords, each as soon as it may be checked. Returns the time of the last
  /// attempt.
  @discardableResult private func fail(_ names: [String], _ count: Int, from start: Int64 = 1_000) throws -> Int64 {
    var now = start
    for index in 0..<count {
      let name = names[index % names.count]
      while case .throttled(let wait) = try store.login(name, "wrong", now: now) { now += wait }
    }
    return now
  }

  @Test(arguments: ["ada", "ada@example.com", "nobody", "nobody@example.com"])
  func `a hundred failed logins lock a typed name, whether or not it belongs to an account`(name: String) throws {
    let now = try fail([name], 100)
    for later in [now, now + 900_000, now + Self.day - 1] {
      #expect(try store.login(name, "wrong", now: later) == .locked)
      #expect(try store.login(name, now: later) == .locked)
    }
    // A day later the count of the name is forgotten, like that of any other name.
    #expect(try store.login(name, "wrong", now: now + Self.day) == .rejected)
  }

  @Test(arguments: [["ada"], ["ada", "ada@example.com"]])
  func `after a hundred failures under any of an account's names, even the right password is rejected`(names: [String])
    throws
  {
    let now = try fail(names, 100)
    for later in [2, 30, 400, 4_000] as [Int64] {
      #expect(try store.login("ada", now: now + later * Self.day) == .rejected)
      #expect(try file.store().login("ada@example.com", now: now + later * Self.day) == .rejected)
      #expect(try store.login("nobody", now: now + later * Self.day) == .rejected)
    }
    #expect(try store.accountStatus(identifier: "ada")?.isLocked == true)
  }

  @Test func `ninety-nine failed logins over a year lock nothing`() throws {
    for index in 0..<99 { #expect(try store.login("ada", "wrong", now: Int64(index) * 4 * Self.day) == .rejected) }
    #expect(try store.login("ada", now: 400 * Self.day).isAccepted)
    #expect(try store.accountStatus(identifier: "ada")?.failures == 0)
  }

  @Test(arguments: ["unlock", "password", "mail"])
  func `an administrator, a new password or a mailed code unlocks an account`(way: String) throws {
    let now = try fail(["ada"], 100)
    #expect(try store.login("ada", now: now) == .locked)
    var password = "another horse"
    switch way {
    case "unlock":
      #expect(try store.unlock(identifier: "ada@example.com")?.userName == "ada")
      password = "correct horse"
    case "password": _ = try store.setPassword("ada", password)
    default:
      let code = try #require(try store.code(for: "ada@example.com", now: now))
      #expect(try store.reset("ada@example.com", code, password, now: now) == .done)
    }
    #expect(try store.login("ada", password, now: now).isAccepted)
    #expect(try store.unlock(identifier: "nobody") == nil)
  }

  @Test func `a hundred wrong one-time codes lock an account's one-time codes, and a recovery code unlocks them`()
    throws
  {
    #expect(try store.enrol() == .done)
    let codes = try store.codes(count: 2)
    var now: Int64 = 1_000_000
    for _ in 0..<100 {
      let login = try #require(try store.pending(now: now))
      func fail() throws -> CodeOutcome {
        try store.useOneTimeCode(OneTimeSecret.known.code(now: now + 300_000), login, now: now)
      }
      while case .throttled(let wait) = try fail() { now += wait }
    }
    for later in [now, now + 30 * Self.day] {
      let login = try #require(try store.pending(now: later))
      #expect(try store.useOneTimeCode(OneTimeSecret.known.code(now: later), login, key: "r", now: later) == .locked)
    }
    #expect(try store.accountStatus(identifier: "ada")?.areCodesLocked == true)
    now += 30 * Self.day
    let login = try #require(try store.pending(now: now)?.choosing(.recoveryCode))
    #expect(try store.use(codes[0], login, key: "a", now: now).isAccepted)
    let next = try #require(try store.pending(now: now))
    #expect(try store.useOneTimeCode(OneTimeSecret.known.code(now: now), next, key: "b", now: now).isAccepted)
  }

  @Test func `a hundred wrong recovery codes lock an account's recovery codes, and an administrator unlocks them`()
    throws
  {
    let codes = try store.codes(count: 2)
    var now: Int64 = 1_000_000
    func fail(_ key: String = "w") throws -> CodeOutcome {
      try store.use(RecoveryAttemptTests.wrong, try #require(try store.pending(now: now)), key: key, now: now)
    }
    for number in 1...100 {
      while case .throttled(let wait) = try fail() { now += wait }
      #expect(try store.accountStatus(identifier: "ada")?.areRecoveryCodesLocked == (number == 100), "\(number)")
    }
    for later in [now, now + 30 * Self.day] {
      #expect(try store.use(codes[0], try #require(try store.pending(now: later)), key: "a", now: later) == .locked)
    }
    now += 30 * Self.day
    #expect(try store.unlock(identifier: "ada")?.userName == "ada")
    #expect(try store.use(codes[0], try #require(try store.pending(now: now)), key: "b", now: now).isAccepted)
    #expect(try store.accountStatus(identifier: "ada")?.recoveryCodeFailures == 0)
  }

  @Test func `new recovery codes unlock locked ones, and a right one-time code clears the count of wrong ones`() throws
  {
    #expect(try store.enrol() == .done)
    var codes = try store.codes(count: 2)
    var now: Int64 = 1_000_000
    func recovery() throws -> PendingLogin { try #require(try store.pending(now: now)?.choosing(.recoveryCode)) }
    func fail(_ count: Int) throws {
      for _ in 0..<count {
        let login = try recovery()
        while case .throttled(let wait) = try store.use(RecoveryAttemptTests.wrong, login, now: now) { now += wait }
      }
    }
    func lock() throws {
      try fail(100)
      #expect(try store.use(codes[0], try recovery(), key: "l", now: now) == .locked)
    }
    try lock()
    codes = try store.codes(count: 2)
    #expect(try store.use(codes[0], try recovery(), key: "a", now: now).isAccepted)
    // Ninety-nine wrong codes lock neither kind, and a right code of either clears the count.
    try fail(99)
    now += 900_000
    let login = try #require(try store.pending(now: now))
    #expect(try store.useOneTimeCode(OneTimeSecret.known.code(now: now), login, key: "o", now: now).isAccepted)
    #expect(try store.accountStatus(identifier: "ada")?.recoveryCodeFailures == 0)
    #expect(try store.use(codes[1], try recovery(), key: "b", now: now).isAccepted)
  }

  @Test func `a login says that the account is disabled only if the typed password is right`()
    throws
  {
    let code = try #require(try store.code(for: "ada@example.com"))
    #expect(try store.disable(identifier: "ada", now: 5)?.userName == "ada")
    #expect(try store.login("ada", "wrong") == .rejected)
    #expect(try store.login("ada") == .disabled)
    #expect(try store.reset("ada@example.com", code) == .rejected)
    guard case .taken(nil) = try store.requestReset(email: "ada@example.com", now: 100_000) else {
      Issue.record("a disabled account gets no mail")
      return
    }
    #expect(try store.accountStatus(identifier: "ada")?.isDisabled == true)
    // Counted like any other attempt.
    for _ in 0..<3 { #expect(try store.login("ada") == .disabled) }
    #expect(try store.login("ada") == .throttled(retryAfterMs: 1_000))
    #expect(try store.enable(identifier: "ADA")?.userName == "ada")
    #expect(try store.login("ada", now: 2_000).isAccepted)
    #expect(try store.disable(identifier: "nobody", now: 5) == nil)
    #expect(try store.enable(identifier: "nobody") == nil)
  }

  @Test func `a login waiting for a code ends when the account is disabled`() throws {
    let codes = try store.codes()
    let login = try #require(try store.pending())
    _ = try store.disable(identifier: "ada", now: 5)
    #expect(try store.use(codes[0], login) == .over)
    _ = try store.enable(identifier: "ada")
    #expect(try store.use(codes[0], login).isAccepted)
  }

  @Test
  func `the time of the last login is stored only when the login is accepted, after its code if it needs one`() throws {
    func last() throws -> Int64? { try store.accountStatus(identifier: "ada")?.lastLoginMs }
    #expect(try last() == nil)
    _ = try store.login("ada", "wrong", now: 1)
    #expect(try last() == nil)
    _ = try store.login("ada", now: 2)
    #expect(try last() == 2)
    let codes = try store.codes()
    let login = try #require(try store.pending(now: 3))
    #expect(try last() == 2)
    _ = try store.use(codes[0], login, now: 4)
    #expect(try last() == 4)
  }

  @Test func `a client has to wait after two hundred failed attempts within an hour, whatever names it used`() throws {
    let client = try #require(ClientAddress("192.0.2.1"))
    for _ in 0..<200 { #expect(try store.countAttempt(of: client, now: 0) == nil) }
    #expect(try store.countAttempt(of: client, now: 0) == 1_000)
    #expect(try store.countAttempt(of: try #require(ClientAddress("::ffff:192.0.2.1")), now: 0) == 1_000)
    #expect(try store.countAttempt(of: try #require(ClientAddress("192.0.2.2")), now: 0) == nil)
    #expect(try file.store().countAttempt(of: client, now: 999) == 1)
    #expect(try store.countAttempt(of: client, now: 1_000) == nil)
    #expect(try store.countAttempt(of: client, now: 1_000) == 2_000)
    #expect(try store.countAttempt(of: client, now: 3_600_000) == nil)
  }

  @Test func `a successful login does not count against the client's address`() throws {
    let client = try #require(ClientAddress("office"))
    for _ in 0..<300 {
      #expect(try store.countAttempt(of: client, now: 0) == nil)
      try store.takeBackAttempt(of: client)
    }
  }

  @Test func `all IPv6 addresses of one network count as one client`() throws {
    for last in 0..<200 {
      #expect(try store.countAttempt(of: try #require(ClientAddress("2001:db8::\(last)")), now: 0) == nil)
    }
    #expect(try store.countAttempt(of: try #require(ClientAddress("2001:DB8:0:0:ffff::1")), now: 0) == 1_000)
    #expect(try store.countAttempt(of: try #require(ClientAddress("2001:db8:0:1::1")), now: 0) == nil)
    for text in ["", String(repeating: "x", count: 257), "a\0b"] { #expect(ClientAddress(text) == nil) }
  }

  @Test func `the number of stored client addresses is limited, and none is stored in readable form`() throws {
    let store = try file.store { $0.maximumUnknownIdentifiers = 10 }
    for last in 0..<50 {
      _ = try store.countAttempt(of: try #require(ClientAddress("192.0.2.\(last)")), now: Int64(last))
    }
    try file.other { connection throws in
      #expect(try run("SELECT count(*) FROM tries", on: connection) == "10")
      #expect(try run("SELECT count(*) FROM tries WHERE subject LIKE '%192%'", on: connection) == "0")
    }
  }
}
