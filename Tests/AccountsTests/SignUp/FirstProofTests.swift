import Accounts
import SecretMemory
import Testing

/// Someone signs up with another person's address, registers factors that outlive a password, and
/// waits until the owner of the address resets the password.
@Suite struct FirstProofTests {
  let file: TemporaryFile
  let store: AccountStore
  let account: Account

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    account = try store.account("ada@example.com", "ada")
  }

  private struct Missing: Error {}

  private func proof(_ password: String = "correct horse", now: Int64 = 1_000) throws -> PendingLogin {
    switch try store.prove(password, "ada", now: now) {
    case .proven(let proof): return proof
    case .pending(let login):
      guard try store.useOneTimeCode(OneTimeSecret.known.code(now: now), login, key: "\(now)", now: now).isAccepted
      else {
        throw Missing()
      }
      return login.proof
    default: throw Missing()
    }
  }

  private func ownerResets(_ password: String = "another horse", key: String = "reset", now: Int64 = 1_000_000) throws
    -> ResetOutcome
  {
    let code = try #require(try store.code(for: "ada@example.com", now: now))
    return try store.reset("ada@example.com", code, password, key: key, now: now)
  }

  private func status() throws -> AccountStatus { try #require(try store.accountStatus(identifier: "ada")) }

  @Test
  func `the first reset with a mailed code removes passkeys registered before, which then cannot log in any more`()
    throws
  {
    #expect(try store.add(1, to: account) == .done)
    let passkey = try #require(try store.passkey(id: [1])?.passkey)
    #expect(try ownerResets() == .doneRemovingFactors)
    #expect(try store.passkeys(of: account).isEmpty)
    #expect(try store.logIn(by: passkey.use(counter: 2), key: "k", now: 5) == .over)
    #expect(try store.login("ada", "another horse", now: 1_000_000).isAccepted)
    #expect(try status().isEmailProven)
  }

  @Test
  func `the first reset with a mailed code removes the authenticator app and recovery codes that a user has set up`()
    throws
  {
    #expect(try store.enrol(by: try proof()) == .done)
    let proof = try proof(now: 60_000)
    let codes = try store.prepareRecoveryCodes(for: account, count: 3)
    #expect(try store.storeRecoveryCodes(codes, by: proof))
    #expect(try ownerResets() == .doneRemovingFactors)
    #expect((try status().hasOneTimeCodes, try status().recoveryCodesLeft) == (false, nil))
    #expect(try store.login("ada", "another horse", now: 1_000_000).isAccepted)
  }

  @Test
  func `the first reset with a mailed code forgets remembered devices and ends pending changes and registrations`()
    throws
  {
    _ = try store.rememberDevice(of: account, lifetimeMs: 1_000_000_000, now: 1_000)
    let holder = try #require(try store.passkeyHolder(of: account))
    let proof = try proof()
    guard
      case .pending(let change) = try store.beginEmailChange(
        by: proof, to: "eve@example.com", concealsTaken: false, now: 1_000)
    else { throw Missing() }
    #expect(try ownerResets() == .doneRemovingFactors)
    #expect(try store.rememberedDevices(identifier: "ada", now: 2_000)?.isEmpty == true)
    #expect(try store.addPasskey(.known(1), to: holder, key: "k", now: 2_000) == .over)
    #expect(try store.enrol(by: proof) == .noSuchAccount)
    let mailed = change.code.issued.code.withBytes { String(decoding: $0, as: UTF8.self) }
    #expect(try Array(mailed.utf8).withUnsafeBytes { try store.confirm(change, code: $0, now: 2_000) } == .over)
    // The owner's passkeys have a different user handle.
    #expect(try store.passkeyHolder(of: account)?.userHandle != holder.userHandle)
  }

  @Test
  func `only the first reset with a mailed code removes passkeys and codes, and later resets keep them`() throws {
    #expect(try ownerResets() == .done)
    #expect(try store.add(1, to: account) == .done)
    #expect(try store.enrol(by: try proof("another horse", now: 2_000_000)) == .done)
    #expect(try ownerResets("a third horse", key: "again", now: 90_000_000) == .done)
    #expect(try store.passkeys(of: account).count == 1)
    #expect(try status().hasOneTimeCodes)
  }

  @Test
  func `a retry of a reset reports, like the first attempt, that factors were removed, even from another process`()
    throws
  {
    _ = try store.add(1, to: account)
    let code = try #require(try store.code(for: "ada@example.com"))
    #expect(try store.reset("ada@example.com", code, key: "k") == .doneRemovingFactors)
    #expect(try store.reset("ada@example.com", code, key: "k") == .doneRemovingFactors)
    #expect(try file.store().reset("ada@example.com", code, key: "k") == .doneRemovingFactors)
    #expect(try ownerResets("a third horse", key: "l", now: 90_000_000) == .done)
  }

  @Test
  func `the first reset with a mailed code keeps codes that an administrator requires, and removes passkeys`() throws {
    let codes = try store.codes(count: 2)
    #expect(try store.add(1, to: account) == .done)
    #expect(try ownerResets() == .doneRemovingFactors)
    #expect(try store.passkeys(of: account).isEmpty)
    let login = try #require(try store.pending("ada", "another horse", now: 1_000_000))
    #expect(try store.use(codes[0], login, now: 1_000_000).isAccepted)
  }

  @Test
  func `after an administrator turns codes off, the first reset with a mailed code removes codes that the user adds`()
    throws
  {
    _ = try store.codes(count: 2)
    _ = try store.removeRecoveryCodes(identifier: "ada")
    #expect(try store.enrol(by: try proof()) == .done)
    #expect(try ownerResets() == .doneRemovingFactors)
    #expect(try !status().hasOneTimeCodes)
  }

  @Test func `an address counts as proved from the start after a confirmed sign-up, or if an administrator added it`()
    throws
  {
    _ = try Array("correct horse".utf8).withUnsafeBytes {
      try store.add(email: "bob@example.com", userName: "bob", password: $0, now: 0)
    }
    guard
      case .pending(let signUp) = try Array("correct horse".utf8).withUnsafeBytes({
        try store.beginSignUp(
          email: "eve@example.com", userName: "eve", password: $0, key: "k", concealsTaken: false, now: 1_000)
      })
    else { throw Missing() }
    let mailed = signUp.code.issued.code.withBytes { String(decoding: $0, as: UTF8.self) }
    _ = try Array(mailed.utf8).withUnsafeBytes { try store.confirm(signUp, code: $0, now: 1_000) }
    for name in ["bob", "eve"] {
      let account = try #require(try store.account(identifier: name))
      #expect(try store.accountStatus(identifier: name)?.isEmailProven == true)
      #expect(try store.add(name == "bob" ? 2 : 3, to: account) == .done)
      let code = try #require(try store.code(for: account.email))
      #expect(try store.reset(account.email, code, "another horse") == .done)
      #expect(try store.passkeys(of: account).count == 1)
    }
  }

  @Test func `the first confirmed change of address removes passkeys and devices, but keeps one-time codes`()
    throws
  {
    #expect(try store.add(1, to: account) == .done)
    #expect(try store.enrol(by: try proof()) == .done)
    _ = try store.rememberDevice(of: account, lifetimeMs: 1_000_000_000, now: 1_000)
    func change(to email: String, now: Int64) throws -> EmailChangeOutcome {
      guard
        case .pending(let change) = try store.beginEmailChange(
          by: try proof(now: now), to: email, concealsTaken: false, now: now)
      else { throw Missing() }
      let mailed = change.code.issued.code.withBytes { String(decoding: $0, as: UTF8.self) }
      return try Array(mailed.utf8).withUnsafeBytes { try store.confirm(change, code: $0, now: now) }
    }
    guard case .changedRemovingFactors(let changed) = try change(to: "new@example.com", now: 60_000) else {
      throw Missing()
    }
    #expect(changed.email == "new@example.com")
    #expect((try store.passkeys(of: account).isEmpty, try status().hasOneTimeCodes) == (true, true))
    #expect(try store.rememberedDevices(identifier: "ada", now: 60_000)?.isEmpty == true)
    // From then on, no further change of the account's address removes factors.
    #expect(try store.add(2, to: account) == .done)
    guard case .changed = try change(to: "newer@example.com", now: 120_000) else { throw Missing() }
    #expect(try store.passkeys(of: account).count == 1)
  }

  @Test
  func `a reset that is rejected does not make the account's address count as proved, and removes nothing`() throws {
    #expect(try store.add(1, to: account) == .done)
    #expect(try store.reset("ada@example.com", "0000000000") == .rejected)
    let code = try #require(try store.code(for: "ada@example.com"))
    _ = try store.disable(identifier: "ada", now: 5)
    #expect(try store.reset("ada@example.com", code) == .rejected)
    #expect(try store.passkeys(of: account).count == 1)
    #expect(try !status().isEmailProven)
  }

  @Test func `export and import keep whether an account's address is proved and whether it requires codes`() throws {
    _ = try store.codes(count: 2)
    #expect(try ownerResets() == .done)
    let other = try TemporaryFile()
    let target = try other.store()
    let exported = try store.exportedAccounts(after: 0, limit: 10)
    #expect(exported.map { [$0.isEmailProven, $0.requiresCodes] } == [[true, true]])
    #expect(try target.importAccounts(exported, now: 1) == [.imported])
    #expect(
      try target.exportedAccounts(after: 0, limit: 10).map { [$0.isEmailProven, $0.requiresCodes] } == [[true, true]])
  }
}
