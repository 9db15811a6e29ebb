import Accounts
import Testing

/// Requests with the idempotency key of an earlier request.
@Suite struct StoreRepetitionTests {
  let file: TemporaryFile
  let store: AccountStore

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
  }

  /// The result of an attempt with a password.
  private enum Answer { case same, other, early }

  private func registration(_ password: String, now: Int64) throws -> Answer {
    switch try store.register("ada@example.com", "ada", password, key: "k", now: now) {
    case .accepted: .same
    case .refused: .other
    case .throttled: .early
    }
  }

  private func reset(_ password: String, now: Int64) throws -> Answer {
    switch try store.reset("ada@example.com", "0000000000", password, key: "k", now: now) {
    case .done, .doneRemovingFactors: .same
    case .rejected, .refused: .other
    case .throttled: .early
    }
  }

  @Test(arguments: [false, true])
  func `guessing a password with the idempotency key of the registration or reset that set it is throttled`(
    isReset: Bool
  ) throws {
    _ = try store.register("ada@example.com", "ada", key: "k", now: 0)
    if isReset {
      let code = try #require(try store.code(for: "ada@example.com"))
      #expect(try store.reset("ada@example.com", code, "correct horse", key: "k") == .done)
    }
    let answer = isReset ? reset : registration
    for _ in 0..<5 { #expect(try answer("another horse", 1_000) == .other) }
    #expect(try answer("correct horse", 1_000) == .early)
    // The count survives restarts and is shared with the attempts of the logged-in user.
    #expect(try file.store().prove("wrong", "ada", now: 1_000) == .throttled(retryAfterMs: 1_000))
    #expect(try answer("correct horse", 2_000) == .same)
    for _ in 0..<5 { #expect(try answer("another horse", 2_000) == .other) }
  }

  @Test func `guessing a new password with the idempotency key of its change is throttled`() throws {
    _ = try store.register("ada@example.com", "ada", now: 0)
    guard case .proven(let proof) = try store.prove("correct horse", "ada", now: 0) else { throw Missing() }
    #expect(try store.replace(proof, "another horse", key: "k").isAccepted)
    for _ in 0..<5 { #expect(try !isSet("wrong horse")) }
    #expect(try !isSet("another horse"))
    #expect(try store.prove("another horse", "ada", now: 1_000) == .throttled(retryAfterMs: 1_000))
  }

  @Test func `guessing the replacement of an expired password with its idempotency key is throttled`() throws {
    _ = try store.register("ada@example.com", "ada", now: 0)
    _ = try store.expirePassword(identifier: "ada")
    let login = try #require(try store.pending())
    #expect(try store.replace(login, "another horse", key: "k").isAccepted)
    for _ in 0..<5 { #expect(try store.replace(login, "wrong horses", key: "k") == .over) }
    #expect(try store.replace(login, "another horse", key: "k") == .over)
    #expect(try store.prove("another horse", "ada", now: 1_000) == .throttled(retryAfterMs: 1_000))
  }

  @Test(arguments: [false, true])
  func `at most five wrong passwords are compared for a sign-up's idempotency key, before and after confirmation`(
    isConfirmed: Bool
  ) throws {
    let signUp = try #require(try signUp("correct horse", after: nil))
    if isConfirmed {
      #expect(try store.confirm(signUp, signUp.text).isAccepted)
    }
    // This holds however often the sign-up's own request is repeated, and for the sign-up with
    // another code too.
    guard case .pending(let renewed) = try store.renewCode(of: signUp, now: 1_000) else { throw Missing() }
    for _ in 0..<20 { #expect(try self.signUp("correct horse", after: signUp) === signUp) }
    for earlier in [signUp, signUp, signUp, renewed, renewed] {
      #expect(try self.signUp("another horse", after: earlier) !== earlier)
    }
    for earlier in [signUp, renewed] { #expect(try self.signUp("correct horse", after: earlier) !== earlier) }
  }

  private func signUp(_ password: String, after earlier: PendingSignUp?) throws -> PendingSignUp? {
    let outcome = try Array(password.utf8).withUnsafeBytes {
      try store.beginSignUp(
        email: "ada@example.com", userName: "ada", password: $0, key: "k", after: earlier, concealsTaken: false,
        now: 1_000)
    }
    guard case .pending(let signUp) = outcome else { return nil }
    return signUp
  }

  @Test func `wrong recovery codes are throttled even with the idempotency key of a code that was used`() throws {
    _ = try store.register("ada@example.com", "ada", now: 0)
    let codes = try store.codes()
    let login = try #require(try store.pending())
    #expect(try store.use(codes[0], login, key: "k").isAccepted)
    for _ in 0..<5 { #expect(try store.use(RecoveryCodeTests.wrong, login, key: "k") == .rejected) }
    #expect(try store.use(codes[0], login, key: "k") == .throttled(retryAfterMs: 1_000))
    #expect(try store.use(codes[0], login, key: "k", now: 2_000).isAccepted)
  }

  @Test func `at most a hundred wrong passwords are compared for the idempotency key of a reset`() throws {
    _ = try store.register("ada@example.com", "ada", key: "k", now: 0)
    let code = try #require(try store.code(for: "ada@example.com"))
    #expect(try store.reset("ada@example.com", code, "correct horse", key: "k") == .done)
    var now: Int64 = 1_000
    for _ in 0..<100 { while try reset("another horse", now: now) == .early { now += 900_000 } }
    #expect(try reset("correct horse", now: now + 900_000) == .other)
    #expect(try store.login("ada", now: now).isAccepted)
    #expect(try reset("correct horse", now: now) == .same)
  }

  @Test func `wrong one-time codes are throttled even with the idempotency key of a code that was used`() throws {
    let secret = OneTimeSecret.known, now: Int64 = 1_000_000_000
    _ = try store.register("ada@example.com", "ada", now: 0)
    _ = try store.enrol()
    let login = try #require(try store.pending(now: now))
    #expect(try store.useOneTimeCode(secret.code(now: now), login, key: "k", now: now).isAccepted)
    let wrong = secret.code(now: 0)
    for _ in 0..<5 { #expect(try store.useOneTimeCode(wrong, login, key: "k", now: now) == .rejected) }
    #expect(
      try store.useOneTimeCode(secret.code(now: now), login, key: "k", now: now) == .throttled(retryAfterMs: 1_000))
    #expect(try store.useOneTimeCode(secret.code(now: now), login, key: "k", now: now + 1_000).isAccepted)
  }

  private func isSet(_ password: String) throws -> Bool {
    try Array(password.utf8).withUnsafeBytes {
      try store.hasSetPassword(principal: "ada", key: "k", password: $0, now: 1_000)
    }
  }

  private struct Missing: Error {}
}
