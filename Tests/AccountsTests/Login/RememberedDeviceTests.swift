import Accounts
import CAccountLibraries
import Foundation
import SecretMemory
import TestSupport
import Testing

@Suite struct RememberedDeviceTests {
  let file: TemporaryFile
  let store: AccountStore
  let ada: Account

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    ada = try store.account("ada@example.com", "ada")
    _ = try store.codes(count: 2)
  }

  private func token(lifetimeMs: Int64 = 10_000, now: Int64 = 1_000) throws -> String {
    let token = try #require(try store.rememberDevice(of: ada, lifetimeMs: lifetimeMs, now: now))
    return token.text.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  private func isAsked(_ device: String?, _ identifier: String = "ada", now: Int64 = 2_000) throws -> Bool {
    let outcome = try Array("correct horse".utf8).withUnsafeBytes { password in
      try Array((device ?? "").utf8).withUnsafeBytes {
        try store.login(identifier: identifier, password: password, device: device == nil ? nil : $0, now: now)
      }
    }
    return if case .accepted = outcome { false } else { true }
  }

  @Test func `a remembered device needs no second factor until it expires`() throws {
    let device = try token()
    #expect(device.utf8.count == 52)
    #expect(try isAsked(nil))
    #expect(try isAsked(""))
    #expect(try !isAsked(device))
    #expect(try !isAsked(device, now: 10_999))
    #expect(try isAsked(device, now: 11_000))
    #expect(try isAsked(device.lowercased()))
    #expect(try isAsked(String(device.dropLast())))
  }

  @Test(.onFile) func `after a login on a remembered device, no file contains the device's token`() throws {
    let device = try token()
    #expect(try !isAsked(device))
    for name in try FileManager.default.contentsOfDirectory(atPath: file.directory) {
      let data = try Data(contentsOf: URL(fileURLWithPath: file.directory + "/" + name))
      for part in [device, String(device.prefix(26)), String(device.suffix(26))] {
        #expect(data.range(of: Data(part.utf8)) == nil)
      }
    }
  }

  @Test func `the token of a remembered device is useless without the password or for another account`() throws {
    let device = try token()
    let outcome = try Array("wrong horse".utf8).withUnsafeBytes { password in
      try Array(device.utf8).withUnsafeBytes {
        try store.login(identifier: "ada", password: password, device: $0, now: 2_000)
      }
    }
    #expect(outcome == .rejected)
    _ = try store.register("bob@example.com", "bob")
    _ = try store.codes("bob")
    #expect(try isAsked(device, "bob"))
  }

  @Test func `an expired password must be replaced on a remembered device too`() throws {
    let device = try token()
    _ = try store.expirePassword(identifier: "ada")
    let login = try #require(try store.pendingWithPasskeys(device: device))
    #expect((login.demand, login.otherWays) == (.newPassword, []))
    #expect(try store.replace(login, "another horse").isAccepted)
  }

  @Test(arguments: ["administrator", "reset", "expiry", "person"])
  func `every change of the password forgets remembered devices`(way: String) throws {
    let device = try token()
    switch way {
    case "administrator": _ = try store.setPassword("ada", "correct horse")
    case "reset":
      let code = try #require(try store.code(for: "ada@example.com"))
      #expect(try store.reset("ada@example.com", code, "correct horse") == .doneRemovingFactors)
    case "person":
      let outcome = try Array("correct horse".utf8).withUnsafeBytes {
        try store.prove(principal: "ada", password: $0, now: 2_000)
      }
      // A change of the password needs the code even on a remembered device.
      guard case .pending(let login) = outcome else {
        Issue.record("a code is asked for")
        return
      }
      #expect(try store.rememberedDevices(identifier: "ada", now: 2_000)?.count == 1)
      #expect(try store.replace(login.proof, "another horse").isAccepted)
      #expect(try store.rememberedDevices(identifier: "ada", now: 2_000) == [])
      _ = try store.setPassword("ada", "correct horse")
    default:
      _ = try store.expirePassword(identifier: "ada")
      let login = try #require(try store.pendingWithPasskeys(device: device))
      #expect(try store.replace(login, "another horse").isAccepted)
      _ = try store.setPassword("ada", "correct horse")
    }
    #expect(try isAsked(device))
    #expect(try store.rememberedDevices(identifier: "ada", now: 2_000) == [])
  }

  @Test func `renewing the hash of an unchanged password forgets no remembered device`() throws {
    let device = try token()
    let costly = try file.store { $0.hashCost = 2 }
    #expect(try costly.login("ada").isAccepted == false)
    #expect(try !isAsked(device))
  }

  @Test func `remembered devices can be listed and forgotten, and beyond the maximum the oldest is forgotten`()
    throws
  {
    let devices = try (0..<3).map { try token(now: 1_000 + Int64($0)) }
    let listed = try #require(try store.rememberedDevices(identifier: "ada", now: 2_000))
    #expect(listed.map(\.createdMs) == [1_000, 1_001, 1_002])
    #expect(listed.map(\.expiresMs) == [11_000, 11_001, 11_002])
    #expect(try store.rememberedDevices(identifier: "nobody", now: 2_000) == nil)
    #expect(try store.forgetDevice(id: listed[1].id, of: ada))
    #expect(try !store.forgetDevice(id: listed[1].id, of: ada))
    #expect(try devices.map { try isAsked($0) } == [false, true, false])
    try store.forgetDevices(of: ada)
    #expect(try devices.allSatisfy { try isAsked($0) })
    let many = try (0...AccountStore.maximumRememberedDevices).map { _ in try token() }
    #expect(try isAsked(many[0]))
    #expect(try many.dropFirst().allSatisfy { try !isAsked($0) })
    // Expired devices are dropped when another one is remembered.
    _ = try token(now: 20_000)
    #expect(try store.rememberedDevices(identifier: "ada", now: 0)?.count == 1)
    _ = try store.remove(identifier: "ada")
    #expect(try store.rememberDevice(of: ada, lifetimeMs: 1, now: 0) == nil)
  }

  @Test func `setting the clock far back does not make the system remember a device for longer`() throws {
    let day: Int64 = 86_400_000
    let device = try token(lifetimeMs: day, now: 10 * day)
    #expect(try !isAsked(device, now: 10 * day - 60_000))
    #expect(try isAsked(device, now: 8 * day))
  }

  @Test func `no file contains the token of a device that was just remembered`() throws {
    let device = try token()
    for name in try FileManager.default.contentsOfDirectory(atPath: file.directory) {
      let data = try Data(contentsOf: URL(fileURLWithPath: file.directory + "/" + name))
      for form in [device, String(device.prefix(16)), String(device.suffix(16))] {
        #expect(data.range(of: Data(form.utf8)) == nil, "\(name)")
      }
    }
  }
}
