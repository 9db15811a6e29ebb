import Accounts
import Testing

@Suite struct PersonTests {
  let file: TemporaryFile
  let store: AccountStore

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    _ = try store.register("ada@example.com", "ada", now: 0)
  }

  private func prove(_ password: String = "correct horse", _ principal: String = "ada", now: Int64 = 1_000) throws
    -> ProofOutcome
  {
    try store.prove(password, principal, now: now)
  }

  private func proof() throws -> PendingLogin {
    guard case .proven(let proof) = try prove() else { throw Missing() }
    return proof
  }

  private struct Missing: Error {}

  private func isSet(_ key: String, _ password: String) throws -> Bool {
    try Array(password.utf8).withUnsafeBytes {
      try store.hasSetPassword(principal: "ada", key: key, password: $0, now: 1_000)
    }
  }

  @Test func `wrong passwords of a logged-in user are counted separately from failed logins`() throws {
    for _ in 0..<5 { #expect(try store.login("ada", "wrong") == .rejected) }
    #expect(try store.login("ada") == .throttled(retryAfterMs: 1_000))
    _ = try proof()
    for _ in 0..<5 { #expect(try prove("wrong") == .rejected) }
    #expect(try prove() == .throttled(retryAfterMs: 1_000))
    #expect(try store.login("ada@example.com").isAccepted)
    // A login clears the failures.
    _ = try proof()
    #expect(try prove("x", "nobody") == .gone)
  }

  @Test func `after a hundred wrong passwords, a logged-in user can change nothing before the next login`() throws {
    var now: Int64 = 1_000
    for _ in 0..<100 { while case .throttled(let wait) = try prove("wrong", now: now) { now += wait } }
    #expect(try prove(now: now + 86_400_000) == .locked)
    #expect(try store.login("ada", now: now).isAccepted)
    guard case .proven = try prove(now: now) else { throw Missing() }
  }

  @Test func `the user of a disabled account can change nothing`() throws {
    let proof = try proof()
    _ = try store.disable(identifier: "ada", now: 5)
    #expect(try prove() == .disabled)
    #expect(try store.replace(proof, "another horse") == .over)
    #expect(try !store.delete(by: proof))
    #expect(try store.enrol(by: proof) == .noSuchAccount)
  }

  @Test
  func `after a password change, an earlier entry of the old password authorises no further change to the account`()
    throws
  {
    let old = try proof()
    #expect(try store.replace(old, "another horse", key: "k").isAccepted)
    #expect(try store.replace(old, "battery staple", key: "l") == .over)
    #expect(try !store.delete(by: old))
    #expect(try !store.removeOneTimeCodes(by: old))
    #expect(try store.enrol(by: old) == .noSuchAccount)
    let codes = try store.prepareRecoveryCodes(for: old.account, count: 2)
    #expect(try !store.storeRecoveryCodes(codes, by: old))
    #expect(try store.login("ada", "another horse").isAccepted)
    #expect(try store.login("ada") == .rejected)
  }

  @Test func `a retried password change is recognised by its idempotency key and the new password`() throws {
    #expect(try store.replace(try proof(), "another horse", key: "k").isAccepted)
    #expect(try isSet("k", "another horse"))
    #expect(try !isSet("l", "another horse"))
    #expect(try !isSet("k", "correct horse"))
  }

  @Test func `two password changes with an empty idempotency key are not taken for retries of one change`() throws {
    #expect(try store.replace(try proof(), "another horse", key: "").isAccepted)
    #expect(try !isSet("", "another horse"))
    guard case .proven(let proof) = try prove("another horse") else { throw Missing() }
    #expect(try store.replace(proof, "another horse", key: "") == .refused(.unchanged))
    #expect(try store.reset("ada@example.com", "0000000000", key: "") == .rejected)
  }

  @Test func `a user turns on one-time codes with a first code, and removing them removes the recovery codes too`()
    throws
  {
    let proof = try proof()
    #expect(try store.enrol(by: proof, code: "000000") == .wrongCode)
    #expect(try store.enrol(by: proof) == .done)
    guard case .pending(let login) = try prove() else { throw Missing() }
    #expect(login.demand == .oneTimeCode)
    let codes = try store.prepareRecoveryCodes(for: proof.account, count: 3)
    #expect(try store.accountStatus(identifier: "ada")?.recoveryCodesLeft == nil)
    #expect(try store.storeRecoveryCodes(codes, by: proof))
    #expect(try store.accountStatus(identifier: "ada")?.recoveryCodesLeft == 3)
    var first = ""
    codes.printed.forEach { if first.isEmpty { first = String(decoding: $0, as: UTF8.self) } }
    #expect(try store.use(first, try #require(try store.pending()?.choosing(.recoveryCode))).isAccepted)
    #expect(try store.removeOneTimeCodes(by: proof))
    #expect(try !store.removeOneTimeCodes(by: proof))
    #expect(try store.login("ada").isAccepted)
  }

  @Test func `an account deleted by its owner is gone permanently`() throws {
    let proof = try proof()
    #expect(try store.delete(by: proof))
    #expect(try store.accounts().isEmpty)
    #expect(try prove() == .gone)
    // A later account with the same name is not affected by the old proof.
    _ = try store.register("ada@example.com", "ada")
    #expect(try !store.delete(by: proof))
    #expect(try store.accounts().count == 1)
  }
}

extension AccountStore {
  func prove(
    _ password: String = "correct horse", _ principal: String = "ada", now: Int64 = 1_000
  ) throws -> ProofOutcome {
    try Array(password.utf8).withUnsafeBytes { try prove(principal: principal, password: $0, now: now) }
  }

  func enrol(by proof: PendingLogin, code: String? = nil) throws -> Enrolment {
    try Array((code ?? OneTimeSecret.known.code(now: 1_000)).utf8).withUnsafeBytes {
      try enrol(by: proof, secret: .known, code: $0, now: 1_000)
    }
  }
}
