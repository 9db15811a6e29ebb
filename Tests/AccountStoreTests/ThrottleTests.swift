import AccountStore
import Testing

@Suite struct ThrottleTests {
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
  func `the delay doubles from the fifth failure on, alike for known and unknown`(identifier: String) throws {
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

  @Test func `an account's two names share one count, and another account is not touched`() throws {
    _ = try store.register("bob@example.com", "bob")
    for name in ["ada", "ADA@example.com", "Ada", "ada@example.com", "ada"] {
      #expect(try store.login(name, "wrong") == .rejected)
    }
    #expect(try store.login("ada@example.com") == .throttled(retryAfterMs: 1_000))
    #expect(try store.login("bob").isAccepted)
  }

  @Test func `a success forgets the failures`() throws {
    for _ in 0..<3 {
      for _ in 0..<4 { #expect(try store.login("ada", "wrong") == .rejected) }
      #expect(try store.login("ada").isAccepted)
    }
  }

  @Test func `the right password has to wait as well`() throws {
    for _ in 0..<5 { _ = try store.login("ada", "wrong", now: 5_000) }
    #expect(try store.login("ada", now: 5_999) == .throttled(retryAfterMs: 1))
    #expect(try store.login("ada", now: 6_000).isAccepted)
  }

  @Test func `failures outlive the process`() throws {
    for _ in 0..<5 { _ = try store.login("ada", "wrong", now: 5_000) }
    let again = try file.store()
    #expect(try again.login("ada", now: 5_000) == .throttled(retryAfterMs: 1_000))
  }

  @Test(arguments: ["ada", "nobody"])
  func `failures are forgotten a day after the last`(identifier: String) throws {
    let day: Int64 = 86_400_000
    for _ in 0..<5 { _ = try store.login(identifier, "wrong", now: 0) }
    #expect(try store.login(identifier, "wrong", now: day - 1) == .rejected)
    #expect(try store.login(identifier, "wrong", now: day - 1) == .throttled(retryAfterMs: 2_000))
    for _ in 0..<5 { #expect(try store.login(identifier, "wrong", now: 2 * day) == .rejected) }
  }

  @Test func `a clock that was set back does not lengthen the wait`() throws {
    for _ in 0..<5 { _ = try store.login("ada", "wrong", now: 1_000_000_000) }
    #expect(try store.login("ada", now: 5_000) == .throttled(retryAfterMs: 1_000))
    #expect(try store.login("ada", now: 5_500) == .throttled(retryAfterMs: 500))
    #expect(try store.login("ada", now: 6_000).isAccepted)
  }

  @Test(arguments: [Int64.min, -1, 0, Int64.max])
  func `every time is accepted`(now: Int64) throws {
    for _ in 0..<5 { #expect(try store.login("ada", "wrong", now: now) == .rejected) }
    #expect(try store.login("ada", "wrong", now: now) == .throttled(retryAfterMs: 1_000))
  }

  @Test func `unknown names are limited in number and the oldest go, while the count of an account stays`() throws {
    let store = try file.store { $0.maximumUnknownIdentifiers = 3 }
    for _ in 0..<5 { _ = try store.login("ada", "wrong", now: 0) }
    for (index, name) in ["n1", "n2", "n3"].enumerated() {
      for _ in 0..<5 { _ = try store.login(name, "wrong", now: Int64(index)) }
    }
    #expect(try store.login("n1", now: 10) == .throttled(retryAfterMs: 990))
    #expect(try store.login("n4", "wrong", now: 10) == .rejected)
    #expect(try store.login("n1", "wrong", now: 10) == .rejected)
    #expect(try store.login("n3", "wrong", now: 10) == .throttled(retryAfterMs: 992))
    #expect(try store.login("ada", now: 10) == .throttled(retryAfterMs: 990))
    try file.other { connection throws in
      #expect(try run("SELECT count(*) FROM tries WHERE known = 0", on: connection) == "3")
      #expect(try run("SELECT value FROM settings WHERE name = 'unknownTries'", on: connection) == "3")
    }
  }

  @Test func `an unknown name is not kept readable`() throws {
    _ = try store.login("somebody.else", "wrong")
    try file.other { connection throws in
      let subject = try run("SELECT subject FROM tries", on: connection)
      #expect(subject.hasPrefix("unknown:$5$rounds=1000$"))
    }
  }

  @Test func `registrations wait after twenty taken names an hour, whether the name is taken or not`() throws {
    for _ in 0..<21 { #expect(try store.register("ada@example.com", "x", now: 0) == taken) }
    #expect(try store.register("ada@example.com", "x", now: 0) == .throttled(retryAfterMs: 1_000))
    #expect(try store.register("new@example.com", "new", now: 999) == .throttled(retryAfterMs: 1))
    #expect(try store.register("new@example.com", "new", now: 1_000).isAccepted)
    #expect(try store.register("ada@example.com", "x", now: 1_000) == taken)
    #expect(try store.register("ada@example.com", "x", now: 1_000) == .throttled(retryAfterMs: 2_000))
    for _ in 0..<21 { #expect(try store.register("ada@example.com", "x", now: 3_600_000) == taken) }
    #expect(try store.register("ada@example.com", "x", now: 3_600_000) == .throttled(retryAfterMs: 1_000))
  }

  @Test func `a registration that was carried out need not wait for its answer`() throws {
    _ = try store.register("eve@example.com", "eve", key: "run:9", now: 0)
    for _ in 0..<21 { _ = try store.register("ada@example.com", "x", now: 0) }
    #expect(try store.register("eve@example.com", "eve", key: "run:9", now: 0).isAccepted)
  }

  private let taken: RegistrationOutcome = .refused([RefusedValue(.email, .taken)])
}
