import Accounts
import Foundation
import SecretMemory
import TestSupport
import Testing

/// Files left by earlier versions, which stay in the tests permanently: `Tests/Fixtures/accounts`.
///
/// In the file of version 1, ada has a passkey, a remembered device, one-time codes, three recovery
/// codes, the first of which is used, and attributes; bob has failed five times at the time 0, carl
/// is disabled, and dora's password has expired.
@Suite struct VersionFileTests {
  private let file: TemporaryFile

  init() throws {
    file = try TemporaryFile()
    for (suffix, mode) in [("", 0o600), (".key", 0o600)] {
      let kept = Checkout.tests.appending(path: "Fixtures/accounts/version-1.sqlite3" + suffix)
      try Data(contentsOf: kept).write(to: URL(fileURLWithPath: file.path + suffix))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path + suffix)
    }
  }

  /// The secret of ada's authenticator app.
  private static let secret =
    [
      151, 198, 253, 109, 135, 103, 59, 63, 226, 6, 79, 162, 12, 7, 3, 203, 66, 62, 135, 170,
    ] as [UInt8]
  private static let device = "QYNQDUKETOUZLX7SA67ARWS77NMBMYYZ3UNPAM3IWL3R3EF2RWIA"

  @Test(.onFile) func `an accounts file of version 1 opens with all of its content`() throws {
    let store = try file.store()
    let statuses = try store.accountStatuses()
    #expect(statuses.map(\.account.userName) == ["ada", "bob", "carl", "dora"])
    #expect(statuses.map(\.account.email) == ["Ada", "Bob", "Carl", "Dora"].map { $0 + "@example.com" })
    #expect(statuses.map(\.recoveryCodesLeft) == [2, nil, nil, nil])
    #expect(statuses.map(\.hasOneTimeCodes) == [true, false, false, false])
    #expect(statuses.map(\.hasPasskeys) == [true, false, false, false])
    #expect(statuses.map(\.isDisabled) == [false, false, true, false])
    #expect(statuses.map(\.isPasswordExpired) == [false, false, false, true])
    #expect(statuses.map(\.failures) == [0, 5, 0, 0])
    #expect(statuses[0].account.attributes == #"{"age":42,"city":"Bern"}"#)
    let passkey = try #require(try store.passkey(id: [1])?.passkey)
    #expect((passkey.counter, passkey.isBackedUp, passkey.usedMs) == (5, true, 2_000))
    #expect(try AccountStore.findings(at: file.path) == [])
  }

  @Test(.onFile) func `users whose accounts are in a file of version 1 log in as before`() throws {
    let store = try file.store()
    #expect(try store.login("bob", now: 1_000).isAccepted)
    #expect(try store.login("carl", now: 0) == .disabled)
    #expect(try store.pending("dora", now: 0)?.demand == .newPassword)
    let login = try #require(try store.pending("ada", now: 60_000))
    let secret = Self.secret.withUnsafeBytes { OneTimeSecret(copying: $0) }
    #expect(try store.use("17FH-FPVM-AAQQ-GX6R", login) == .rejected)
    #expect(try store.useOneTimeCode(secret.code(now: 60_000), login, now: 60_000).isAccepted)
    #expect(try store.use("V46W-0JA4-J00K-S2ZJ", login, key: "other").isAccepted)
    let isRemembered = try Array("correct horse".utf8).withUnsafeBytes { password in
      try Array(Self.device.utf8).withUnsafeBytes {
        try store.login(identifier: "ada", password: password, device: $0, now: 90_000).isAccepted
      }
    }
    #expect(isRemembered)
  }
}
