import Accounts
import Foundation
import TestServer
import Testing

@Suite struct TransferTests {
  let (file, other): (TemporaryFile, TemporaryFile)
  let (store, target): (AccountStore, AccountStore)

  init() throws {
    file = try TemporaryFile()
    other = try TemporaryFile()
    store = try file.store()
    target = try other.store()
    // Makes the accounts get different ids there.
    _ = try target.register("eve@example.com", "eve", now: 0)
  }

  private func exported() throws -> [TransferredAccount] { try store.exportedAccounts(after: 0, limit: 100) }

  @Test func `an exported account is imported into another file with everything that belongs to it`() throws {
    try Array("correct horse".utf8).withUnsafeBytes {
      _ = try store.register(
        email: "ada@example.com", userName: "ada", password: $0, attributes: #"{"team":"blue"}"#, now: 17)
    }
    _ = try store.register("bob@example.com", "bob", now: 18)
    let codes = try store.codes(count: 3)
    #expect(try store.use(codes[0], try #require(try store.pending()), now: 20).isAccepted)
    #expect(try store.enrol("ada", now: 60_000) == .done)
    _ = try store.expirePassword(identifier: "bob")
    _ = try store.disable(identifier: "bob", now: 5)
    try FileManager.default.copyItem(atPath: file.path + ".key", toPath: other.path + ".key")

    #expect(try target.importAccounts(try exported(), now: 99) == [.imported, .imported])
    #expect(try target.accountStatuses(after: 1).map(\.account.id) == [2, 3])
    let ada = try #require(try target.accountStatus(identifier: "ada@example.com"))
    #expect(ada.account.attributes == #"{"team":"blue"}"#)
    #expect((ada.account.createdMs, ada.lastLoginMs ?? 0, ada.recoveryCodesLeft ?? 0) == (17, 20, 2))
    let bob = try #require(try target.accountStatus(identifier: "bob"))
    #expect((bob.isDisabled, bob.isPasswordExpired, bob.account.attributes == nil) == (true, true, true))
    #expect(try target.login("bob", now: 1_000) == .disabled)
    // The enrolment's code and the first recovery code are used there as well.
    let login = try #require(try target.pending(now: 60_000))
    #expect(
      try target.useOneTimeCode(OneTimeSecret.known.code(now: 60_000), login, key: "a", now: 60_000) == .rejected)
    #expect(
      try target.useOneTimeCode(OneTimeSecret.known.code(now: 90_000), login, key: "b", now: 90_000).isAccepted)
    let next = try #require(try target.pending(now: 91_000)?.choosing(.recoveryCode))
    #expect(try target.use(codes[0], next, key: "c", now: 91_000) == .rejected)
    #expect(try target.use(codes[1], next, key: "d", now: 91_000).isAccepted)
    #expect(try target.keyFindings() == [])
    if !TestServer.isUsed { #expect(try AccountStore.findings(at: other.path) == []) }
  }

  @Test func `hashes with a pepper can only be imported where the same pepper is used`() throws {
    let source = try file.store { $0.pepperFile = file.directory + "/pepper" }
    _ = try source.register("ada@example.com", "ada")
    let accounts = try source.exportedAccounts(after: 0, limit: 10)
    #expect(try target.importAccounts(accounts, now: 1) == [.unusablePepper])
    let another = try other.store { $0.pepperFile = other.directory + "/pepper" }
    #expect(try another.importAccounts(accounts, now: 1) == [.unusablePepper])
    let third = try TemporaryFile()
    let same = try third.store { $0.pepperFile = file.directory + "/pepper" }
    #expect(try same.importAccounts(accounts, now: 1) == [.imported])
    #expect(try same.login("ada").isAccepted)
    #expect(try same.login("ada", "wrong") == .rejected)
  }

  @Test func `an import leaves existing accounts unchanged, so that it can be repeated`() throws {
    _ = try store.register("ada@example.com", "ada")
    #expect(try target.importAccounts(try exported(), now: 1) == [.imported])
    _ = try target.setPassword("ada", "another horse")
    #expect(try target.importAccounts(try exported(), now: 1) == [.alreadyThere])
    #expect(try target.login("ada", "another horse").isAccepted)
  }

  @Test func `an account that cannot be imported does not affect the others`() throws {
    let hash = ImportedHashTests.hashes[0]
    func account(_ email: String, _ userName: String) -> TransferredAccount {
      TransferredAccount(email: email, userName: userName, passwordHash: hash)
    }
    let wrong = [
      account("nothing", "x"), account("a@example.com", "@"), account("EVE@example.com", "x"),
      account("a@example.com", "eve"), account("ok@example.com", "ok"), account("ok@example.com", "another"),
    ]
    #expect(
      try target.importAccounts(wrong, now: 1) == [
        .refused([RefusedValue(.email, .invalid)]), .refused([RefusedValue(.userName, .invalid)]),
        .refused([RefusedValue(.email, .taken)]), .refused([RefusedValue(.userName, .taken)]), .imported,
        .refused([RefusedValue(.email, .taken)]),
      ])
    #expect(try target.accounts().map(\.userName) == ["eve", "ok"])
  }

  @Test func `an account with an undecryptable one-time code secret or an unusable recovery code is not imported`()
    throws
  {
    _ = try store.register("ada@example.com", "ada")
    #expect(try store.enrol() == .done)
    var accounts = try exported()
    #expect(try target.importAccounts(accounts, now: 1) == [.unusableSecret])
    try FileManager.default.copyItem(atPath: file.path + ".key", toPath: other.path + ".key")
    accounts[0].id = 5
    #expect(try target.importAccounts(accounts, now: 1) == [.unusableSecret])
    accounts[0].oneTimeCodes = nil
    accounts[0].recoveryCodes = [.init(hash: "$5$saltsalt$myjXcpMpE2Ofk7fj9hqyNYSn6lmWG4Mqnjx.KIRRr4/", isUsed: false)]
    #expect(try target.importAccounts(accounts, now: 1) == [.unusableRecoveryCode])
    #expect(try target.accounts().count == 1)
  }
}
