import Accounts
import Testing

/// Limits on wrong recovery codes that are entered after the right password.
@Suite struct RecoveryAttemptTests {
  let file: TemporaryFile
  let store: AccountStore
  let codes: [String]
  static let wrong = "0000-0000-0000-0000"

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    _ = try store.register("ada@example.com", "ada")
    codes = try store.codes()
  }

  @Test
  func `the delay after wrong recovery codes doubles from the fifth one on, across restarts, even for a right code`()
    throws
  {
    var now: Int64 = 1_000
    for delay: Int64 in [0, 0, 0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000] {
      let store = try file.store()
      let login = try #require(try store.pending(now: now))
      #expect(try store.use(Self.wrong, login, now: now) == .rejected)
      if delay > 0 { #expect(try store.use(codes[0], login, now: now) == .throttled(retryAfterMs: delay)) }
      now += delay
    }
  }

  @Test func `the delay after wrong recovery codes is at most 15 minutes, and a right code ends it`() throws {
    let login = try #require(try store.pending())
    var now: Int64 = 1_000
    var longest: Int64 = 0
    for _ in 0..<20 {
      #expect(try store.use(Self.wrong, login, now: now) == .rejected)
      if case .throttled(let wait) = try store.use(Self.wrong, login, now: now) {
        longest = max(longest, wait)
        now += wait
      }
    }
    #expect(longest == 900_000)
    #expect(try store.use(codes[0], login, now: now).isAccepted)
    #expect(try store.use(Self.wrong, login, key: "run:2", now: now) == .rejected)
    #expect(try store.use(codes[1], login, key: "run:3", now: now).isAccepted)
  }

  @Test func `the right password does not end the delay after wrong recovery codes, but new codes do`() throws {
    for _ in 0..<5 { #expect(try store.use(Self.wrong, try #require(try store.pending())) == .rejected) }
    let login = try #require(try store.pending())
    #expect(try store.use(codes[0], login) == .throttled(retryAfterMs: 1_000))
    let others = try store.codes()
    #expect(try store.use(others[0], login).isAccepted)
  }

  @Test(arguments: [
    "", "abc", "00000-00000", "0000-0000-0000-0000-0", "UUUU-0000-0000-0000", "0000 0000 0000 000\0", "ä",
  ])
  func `a text that cannot be a recovery code counts as a wrong one`(typed: String) throws {
    let login = try #require(try store.pending())
    for _ in 0..<5 { #expect(try store.use(typed, login) == .rejected) }
    #expect(try store.use(codes[0], login) == .throttled(retryAfterMs: 1_000))
  }

  @Test func `a recovery code that was used before counts as a wrong one`() throws {
    let login = try #require(try store.pending())
    #expect(try store.use(codes[0], login, key: "first").isAccepted)
    for index in 0..<5 { #expect(try store.use(codes[0], login, key: "run:\(index)") == .rejected) }
    #expect(try store.use(codes[1], login, key: "run:9") == .throttled(retryAfterMs: 1_000))
  }

  @Test func `wrong recovery codes for one account do not delay the codes of another account`() throws {
    _ = try store.register("eve@example.com", "eve")
    let eves = try store.codes("eve")
    let login = try #require(try store.pending())
    for _ in 0..<5 { _ = try store.use(Self.wrong, login) }
    #expect(try store.use(eves[0], try #require(try store.pending("eve"))).isAccepted)
  }
}
