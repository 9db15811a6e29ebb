import Accounts
import TestServer
import Testing

@Suite struct StoreThrottleTests {
  let file: TemporaryFile
  let store: AccountStore

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    _ = try store.register("ada@example.com", "ada", now: 0)
  }

  static let delays: [Int64] = [
    0, 0, 0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000, 900_000, 900_000,
  ]

  @Test(arguments: ["ada", "ada@example.com", "nobody", "nobody@example.com"])
  func `the delay after failed logins doubles from the fifth one on, whether or not the name has an account`(
    identifier: String
  ) throws {
    var now: Int64 = 1_000_000
    for delay in Self.delays {
      #expect(try store.login(identifier, "wrong", now: now) == .rejected)
      if delay > 0 {
        #expect(try store.login(identifier, "wrong", now: now) == .throttled(retryAfterMs: delay))
        #expect(try store.login(identifier, now: now + delay - 1) == .throttled(retryAfterMs: 1))
      }
      now += delay
    }
  }

  @Test(arguments: [Int64.min, -1, 0, 1, Int64.max - 1_800_000_000_000, Int64.max])
  func `logins and registrations get an answer whatever numbers a damaged accounts file contains`(number: Int64) throws
  {
    for _ in 0..<5 { _ = try store.login("ada", "wrong") }
    for column in ["failures", "first_ms", "last_ms", "seen_ms"] {
      try file.other { _ = try AccountsTests.run("UPDATE tries SET \(column) = \(number)", on: $0) }
      for now in [0, 1_700_000_000_000] as [Int64] {
        _ = try store.login("ada", "wrong", now: now)
        _ = try store.register("ada@example.com", "ada", now: now)
      }
    }
  }

  @Test func `all spellings of a name share one failure count, and other names and accounts are not affected`() throws {
    _ = try store.register("bob@example.com", "bob")
    for name in ["ada", "ADA", "Ada", "aDa", "ada"] { #expect(try store.login(name, "wrong") == .rejected) }
    #expect(try store.login("ada") == .throttled(retryAfterMs: 1_000))
    #expect(try store.login("bob").isAccepted)
    #expect(try store.login("ada@example.com").isAccepted)
  }

  @Test(arguments: [["ada", "ada@example.com"], ["ada@example.com", "ada"]])
  func `a successful login with one of an account's names clears the failures of both names`(names: [String]) throws {
    for _ in 0..<5 { #expect(try store.login(names[0], "wrong") == .rejected) }
    for _ in 0..<4 { #expect(try store.login(names[1], "wrong") == .rejected) }
    #expect(try store.login(names[1]).isAccepted)
    for name in names {
      for _ in 0..<4 { #expect(try store.login(name, "wrong") == .rejected) }
      #expect(try store.login(name).isAccepted)
    }
  }

  @Test func `a successful login clears the failures before it`() throws {
    for _ in 0..<3 {
      for _ in 0..<4 { #expect(try store.login("ada", "wrong") == .rejected) }
      #expect(try store.login("ada").isAccepted)
    }
  }

  @Test func `even a login with the right password has to wait after failed logins`() throws {
    for _ in 0..<5 { _ = try store.login("ada", "wrong", now: 5_000) }
    #expect(try store.login("ada", now: 5_999) == .throttled(retryAfterMs: 1))
    #expect(try store.login("ada", now: 6_000).isAccepted)
  }

  @Test func `failed logins still count after a restart`() throws {
    for _ in 0..<5 { _ = try store.login("ada", "wrong", now: 5_000) }
    let again = try file.store()
    #expect(try again.login("ada", now: 5_000) == .throttled(retryAfterMs: 1_000))
  }

  @Test(arguments: ["ada", "nobody"])
  func `failed logins are forgotten a day after the last of them`(identifier: String) throws {
    let day: Int64 = 86_400_000
    for _ in 0..<5 { _ = try store.login(identifier, "wrong", now: 0) }
    #expect(try store.login(identifier, "wrong", now: day - 1) == .rejected)
    #expect(try store.login(identifier, "wrong", now: day - 1) == .throttled(retryAfterMs: 2_000))
    for _ in 0..<5 { #expect(try store.login(identifier, "wrong", now: 2 * day) == .rejected) }
  }

  @Test func `setting the clock back does not lengthen the delay after failed logins`() throws {
    for _ in 0..<5 { _ = try store.login("ada", "wrong", now: 1_000_000_000) }
    #expect(try store.login("ada", now: 5_000) == .throttled(retryAfterMs: 1_000))
    #expect(try store.login("ada", now: 5_500) == .throttled(retryAfterMs: 500))
    #expect(try store.login("ada", now: 6_000).isAccepted)
  }

  @Test(arguments: ["ada", "nobody"])
  func `a process whose clock is behind shortens no delay for processes with correct clocks`(identifier: String) throws
  {
    let now: Int64 = 1_000_000_000
    for _ in 0..<5 { #expect(try store.login(identifier, "wrong", now: now) == .rejected) }
    var late = now
    while case .throttled(let wait) = try store.login(identifier, "wrong", now: late) { late += wait }
    guard case .throttled(let wait) = try store.login(identifier, now: late) else {
      Issue.record("the last one was a failure")
      return
    }
    // A process whose clock is twenty minutes behind waits by this clock, from when it first saw
    // the record.
    let behind = late - 1_200_000
    #expect(try store.login(identifier, "wrong", now: behind) == .throttled(retryAfterMs: wait))
    #expect(try store.login(identifier, now: late) == .throttled(retryAfterMs: wait))
    #expect(try store.login(identifier, "wrong", now: behind + wait - 1) == .throttled(retryAfterMs: 1))
    #expect(try store.login(identifier, now: late + wait - 1) == .throttled(retryAfterMs: 1))
    // The failures that it counts lengthen the delay for all processes.
    #expect(try store.login(identifier, "wrong", now: behind + wait) == .rejected)
    #expect(try store.login(identifier, now: late + wait) == .throttled(retryAfterMs: 2 * wait))
    #expect(try store.login(identifier, "wrong", now: behind + wait) == .throttled(retryAfterMs: 2 * wait))
  }

  @Test func `setting the clock back a second time lengthens the delay after failed logins by at most a day`() throws {
    let day: Int64 = 86_400_000
    for _ in 0..<5 { _ = try store.login("ada", "wrong", now: 100 * day) }
    #expect(try store.login("ada", now: 50 * day) == .throttled(retryAfterMs: 1_000))
    #expect(try store.login("ada", now: 49 * day + 1) == .throttled(retryAfterMs: day + 999))
    #expect(try store.login("ada", now: 48 * day) == .throttled(retryAfterMs: 1_000))
    #expect(try store.login("ada", now: 48 * day + 1_000).isAccepted)
  }

  @Test(arguments: [Int64.min, -1, 0, Int64.max])
  func `failed logins are counted and delayed whatever time the clock shows`(now: Int64) throws {
    for _ in 0..<5 { #expect(try store.login("ada", "wrong", now: now) == .rejected) }
    #expect(try store.login("ada", "wrong", now: now) == .throttled(retryAfterMs: 1_000))
  }

  @Test(arguments: ["ada", "n0"])
  func `the number of counted names is limited, and the oldest are dropped, with or without an account`(first: String)
    throws
  {
    let store = try file.store { $0.maximumUnknownIdentifiers = 3 }
    for (index, name) in [first, "n1", "n2"].enumerated() {
      for _ in 0..<5 { _ = try store.login(name, "wrong", now: Int64(index)) }
    }
    #expect(try store.login(first, now: 10) == .throttled(retryAfterMs: 990))
    #expect(try store.login("n4", "wrong", now: 10) == .rejected)
    #expect(try store.login(first, "wrong", now: 10) == .rejected)
    #expect(try store.login("n2", "wrong", now: 10) == .throttled(retryAfterMs: 992))
    try file.other { connection throws in
      #expect(try run("SELECT count(*) FROM tries WHERE known = 0", on: connection) == "3")
      guard !TestServer.isUsed else { return }
      #expect(try run("SELECT value FROM settings WHERE name = 'unknownTries'", on: connection) == "3")
    }
  }

  @Test func `an account's own failure count stays when the counts of its names are dropped`() throws {
    let store = try file.store { $0.maximumUnknownIdentifiers = 1 }
    for index in 0..<100 {
      #expect(try store.login("ada", "wrong", now: 0) == .rejected)
      _ = try store.login("n\(index)", "wrong", now: 1)
    }
    #expect(try store.login("ada", now: 900_000) == .rejected)
    #expect(try store.accountStatus(identifier: "ada")?.failures == 100)
  }

  @Test func `no typed login name is stored in readable form`() throws {
    for name in ["somebody.else", "ada", "ada@example.com"] { _ = try store.login(name, "wrong") }
    try file.other { connection throws in
      let subjects = "SELECT subject FROM tries WHERE known = 0"
      let names = "SELECT count(*) FROM (\(subjects)) AS names"
      #expect(try run(names, on: connection) == "3")
      // Rows of accounts reveal no more than the accounts do, and an unknown name is a code of 43
      // characters.
      #expect(try run(names + " WHERE subject IN ('email:1', 'userName:1')", on: connection) == "2")
      #expect(try run(names + " WHERE subject LIKE 'name:%' AND length(subject) = 48", on: connection) == "1")
      let accounts = "SELECT count(*) FROM tries WHERE known = 2"
      #expect(try run(accounts + " AND subject LIKE 'account:-%'", on: connection) == "1")
      #expect(try run(accounts + " AND subject = 'account:1'", on: connection) == "1")
      #expect(try run(accounts, on: connection) == "2")
    }
  }

  @Test func `a user who tried to log in before signing up need not wait`() throws {
    for name in ["eve", "eve@example.com"] { for _ in 0..<5 { _ = try store.login(name, "wrong") } }
    #expect(try store.register("eve@example.com", "eve").isAccepted)
    for name in ["eve", "eve@example.com"] { #expect(try store.login(name).isAccepted) }
  }

  @Test func `after twenty taken names within an hour, registrations wait, with taken and free names alike`() throws {
    for _ in 0..<21 { #expect(try store.register("ada@example.com", "x", now: 0) == taken) }
    #expect(try store.register("ada@example.com", "x", now: 0) == .throttled(retryAfterMs: 1_000))
    #expect(try store.register("new@example.com", "new", now: 999) == .throttled(retryAfterMs: 1))
    #expect(try store.register("new@example.com", "new", now: 1_000).isAccepted)
    #expect(try store.register("ada@example.com", "x", now: 1_000) == taken)
    #expect(try store.register("ada@example.com", "x", now: 1_000) == .throttled(retryAfterMs: 2_000))
    for _ in 0..<21 { #expect(try store.register("ada@example.com", "x", now: 3_600_000) == taken) }
    #expect(try store.register("ada@example.com", "x", now: 3_600_000) == .throttled(retryAfterMs: 1_000))
  }

  @Test func `a client that signs up with taken names has to wait, and no other client does`() throws {
    let guesser = ClientAddress("192.0.2.1"), other = ClientAddress("192.0.2.2")
    func signUp(
      _ email: String, _ name: String, _ client: ClientAddress?, now: Int64 = 0
    ) throws -> RegistrationOutcome { try store.register(email, name, client: client, now: now) }
    for _ in 0..<21 { #expect(try signUp("ada@example.com", "x", guesser) == taken) }
    #expect(try signUp("ada@example.com", "x", guesser) == .throttled(retryAfterMs: 1_000))
    #expect(try signUp("new@example.com", "new", guesser) == .throttled(retryAfterMs: 1_000))
    #expect(try signUp("ada@example.com", "x", other) == taken)
    #expect(try signUp("new@example.com", "new", other).isAccepted)
    #expect(try signUp("newer@example.com", "newer", nil).isAccepted)
    // However long the guessing continues, other users with the same address wait for at most a
    // minute.
    var now: Int64 = 0
    for _ in 0..<20 {
      while case .throttled(let wait) = try signUp("ada@example.com", "x", guesser, now: now) {
        #expect(wait <= 60_000)
        now += wait
      }
    }
    #expect(now < 3_600_000)
  }

  @Test func `changes to taken addresses count against the client's limit on taken names`() throws {
    let guesser = ClientAddress("192.0.2.1"), other = ClientAddress("192.0.2.2")
    _ = try store.register("eve@example.com", "eve")
    func usesSteps(_ client: ClientAddress?) throws -> Bool {
      let change = try store.beginEmailChange(
        of: 1, to: "eve@example.com", concealsTaken: false, client: client, now: 0)
      return if case .refused(.taken) = change { true } else { false }
    }
    for _ in 0..<21 { #expect(try usesSteps(guesser)) }
    #expect(try !usesSteps(guesser))
    #expect(try usesSteps(other))
    #expect(try store.register("new@example.com", "new", client: guesser, now: 0) == .throttled(retryAfterMs: 1_000))
  }

  @Test
  func `after a client has found a hundred taken names, only this client sees taken names as free`() throws {
    let guesser = ClientAddress("192.0.2.1"), other = ClientAddress("192.0.2.2")
    for _ in 0..<101 { #expect(try store.isTaken("ada", as: .userName, client: guesser, now: 0)) }
    #expect(try !store.isTaken("ada", as: .userName, client: guesser, now: 0))
    #expect(try store.isTaken("ada", as: .userName, client: other, now: 0))
    #expect(try store.isTaken("ada", as: .userName, now: 0))
  }

  @Test func `a registration repeated with its idempotency key is answered without a delay`() throws {
    _ = try store.register("eve@example.com", "eve", key: "run:9", now: 0)
    for _ in 0..<21 { _ = try store.register("ada@example.com", "x", now: 0) }
    #expect(try store.register("eve@example.com", "eve", key: "run:9", now: 0).isAccepted)
  }

  private let taken: RegistrationOutcome = .refused([RefusedValue(.email, .taken)])
}
