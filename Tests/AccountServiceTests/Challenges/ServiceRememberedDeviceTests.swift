import Foundation
import JSONCodec
import TestSupport
import Testing

@Suite(.waits) struct ServiceRememberedDeviceTests {
  let directory: TemporaryDirectory
  let service: Service

  init() throws {
    directory = try TemporaryDirectory()
    service = try Service(
      directory.file, Service.passkeyOptions + ["--clock", "manual", "--remember-devices", "1", "--hardening", "off"])
    _ = try service.ask(1, "setup", ada)
  }

  private func isAsked(_ attempt: Int, _ device: String?) throws -> Bool {
    let outcome = try service.ask(attempt, "login", adasLogin, supports: [], device: device).outcome
    return outcome == "challenge"
  }

  @Test func `a device is remembered on request, for a limited time`() throws {
    let codes = try Service.codes(directory.file)
    let asked = try service.ask(10, "login", adasLogin, supports: [])
    #expect(asked.items == ["about", "code", "remember"])
    #expect(asked.item("remember")?["value"] == .bool(false))
    let plain = try service.proceed(11, 10, json: #"{"code":"\#(codes[0])","remember_device":false}"#, supports: [])
    #expect(plain["result"]?["secret"] == nil)
    _ = try service.ask(20, "login", adasLogin, supports: [])
    let accepted = try service.proceed(21, 20, json: #"{"code":"\#(codes[1])","remember_device":true}"#, supports: [])
    let device = try #require(accepted["result"]?["secret"]?["rememberedDevice"]?.string)
    #expect(accepted["result"]?["data"]?["recoveryCode"]?["left"]?.integer == 1)
    #expect(try !isAsked(30, device))
    #expect(try isAsked(31, nil))
    #expect(try isAsked(32, String(device.reversed())))
    try service.advance(86_399_999)
    #expect(try !isAsked(33, device))
    try service.advance(1)
    #expect(try isAsked(34, device))
  }

  @Test func `a device can also be remembered when a passkey is used after the password`() throws {
    let key = SoftwareKey()
    try service.registerPasskey(key, 2)
    _ = try Service.codes(directory.file)
    let asked = try service.ask(10, "login", adasLogin, supports: Service.both)
    #expect(asked.items == ["about", "passkey", "remember"])
    let accepted = try service.proceed(11, 10, json: asked.used(by: key, remember: true))
    #expect(try !isAsked(12, accepted["result"]?["secret"]?["rememberedDevice"]?.string))
    // A login by passkey alone has no second factor that a remembered device could skip.
    #expect(try service.ask(20, "passkey", [:], supports: Service.both).items == ["about", "passkey"])
  }

  @Test func `if a login requires a new password, the device is remembered only once this password is set`() throws {
    let codes = try Service.codes(directory.file)
    _ = try Service.run(directory.file, ["expire", "ada"])
    _ = try service.ask(10, "login", adasLogin, supports: [])
    let next = try service.proceed(11, 10, json: #"{"code":"\#(codes[0])","remember_device":true}"#)
    #expect(next.screen == "newPassword")
    #expect(next["result"]?["secret"] == nil)
    #expect(try Service.run(directory.file, ["devices", "ada"]).output == "")
    let accepted = try service.proceed(12, 10, json: #"{"password":"another horse"}"#, supports: [])
    let device = try #require(accepted["result"]?["secret"]?["rememberedDevice"]?.string)
    let login = ["userName": "ada", "password": "another horse"]
    #expect(try service.ask(13, "login", login, supports: [], device: device).outcome == "accepted")
  }

  @Test
  func `the token of a remembered device is sent only after an offered passkey was registered or skipped`() throws {
    let codes = try Service.codes(directory.file)
    _ = try service.ask(10, "login", adasLogin, supports: Service.both)
    let offered = try service.proceed(11, 10, json: #"{"code":"\#(codes[0])","remember_device":true}"#)
    #expect(offered.screen == "newPasskey")
    let accepted = try service.proceed(12, 10, json: "{}", action: "later")
    #expect(try !isAsked(13, accepted["result"]?["secret"]?["rememberedDevice"]?.string))
    #expect(accepted.factors == ["pwd", "otp"])
  }

  @Test
  func `a user who logs in on a remembered device is offered nothing that would count as a second factor`() throws {
    let codes = try Service.codes(directory.file)
    _ = try service.ask(10, "login", adasLogin, supports: Service.both)
    _ = try service.proceed(11, 10, json: #"{"code":"\#(codes[0])","remember_device":true}"#)
    let accepted = try service.proceed(12, 10, json: "{}", action: "later")
    let device = try #require(accepted["result"]?["secret"]?["rememberedDevice"]?.string)
    let spared = try service.ask(20, "login", adasLogin, supports: Service.both, device: device)
    #expect(spared.outcome == "accepted" && spared.factors == ["pwd"])
    // The same holds if the password has expired. Changing it forgets the device.
    _ = try Service.run(directory.file, ["expire", "ada"])
    #expect(try service.ask(30, "login", adasLogin, supports: Service.both, device: device).screen == "newPassword")
    let changed = try service.proceed(31, 30, json: #"{"password":"another horse"}"#)
    #expect(changed.outcome == "accepted" && changed.factors == ["pwd"])
  }

  @Test func `new recovery codes are offered after the last one was used, but not on a remembered device`() throws {
    let codes = try Service.codes(directory.file)
    _ = try service.ask(10, "login", adasLogin, supports: [])
    _ = try service.proceed(11, 10, json: #"{"code":"\#(codes[0])"}"#, supports: [])
    _ = try service.ask(20, "login", adasLogin, supports: [])
    _ = try service.proceed(21, 20, json: #"{"code":"\#(codes[1])"}"#, supports: [])
    _ = try service.ask(30, "login", adasLogin, supports: [])
    let offered = try service.proceed(31, 30, json: #"{"code":"\#(codes[2])","remember_device":true}"#, supports: [])
    #expect(offered.screen == "newRecoveryCodes")
    let accepted = try service.proceed(32, 30, json: "{}", action: "later")
    let device = try #require(accepted["result"]?["secret"]?["rememberedDevice"]?.string)
    #expect(try service.ask(40, "login", adasLogin, supports: [], device: device).outcome == "accepted")
  }

  @Test func `administrators list and forget remembered devices`() throws {
    let codes = try Service.codes(directory.file)
    // Only devices that have not expired by the system's clock are listed, so this service uses
    // that clock.
    let service = try Service(directory.file, ["--remember-devices", "30"])
    var devices: [String] = []
    for (index, code) in codes.enumerated() {
      let attempt = 10 * (index + 1)
      _ = try service.ask(attempt, "login", adasLogin, supports: [])
      let answer = try service.proceed(
        attempt + 1, attempt, json: #"{"code":"\#(code)","remember_device":true}"#, supports: [])
      let left = index < 2 ? answer : try service.proceed(attempt + 2, attempt, json: "{}", action: "later")
      devices.append(try #require(left["result"]?["secret"]?["rememberedDevice"]?.string))
    }
    let listed = try Service.run(directory.file, ["devices", "ada"]).output.split(separator: "\n")
    #expect(listed.count == 3)
    #expect(listed.allSatisfy { $0.contains(#/^\d\t20\d\d-.*Z\t20\d\d-.*Z$/#) })
    func accepted(_ attempt: Int, _ device: String) throws -> Bool {
      try service.ask(attempt, "login", adasLogin, supports: [], device: device).outcome == "accepted"
    }
    #expect(try Service.run(directory.file, ["devices", "ada", "--remove", "2"]).status == 0)
    #expect(try Service.run(directory.file, ["devices", "ada", "--remove", "2"]).status == 1)
    #expect(try Service.run(directory.file, ["devices", "nobody", "--remove", "all"]).status == 1)
    #expect(try devices.enumerated().map { try accepted(100 + $0, $1) } == [true, false, true])
    #expect(try Service.run(directory.file, ["devices", "ada", "--remove", "all"]).status == 0)
    #expect(try devices.enumerated().map { try accepted(110 + $0, $1) } == [false, false, false])
  }

  @Test
  func `a remembered device's token does not stay in memory after it was sent or after the device returned it`() throws
  {
    let codes = try Service.codes(directory.file)
    _ = try service.ask(10, "login", adasLogin, supports: [])
    let accepted = try service.proceed(11, 10, json: #"{"code":"\#(codes[0])","remember_device":true}"#, supports: [])
    let device = try #require(accepted["result"]?["secret"]?["rememberedDevice"]?.string)
    #expect(try !isAsked(12, device))
    // Until the time for another question has passed, the conversation's last reply can be
    // repeated.
    try service.advance(600_000)
    _ = try service.ask(13, "login", adasLogin, supports: [])
    let memory = try Memory(processID: service.processID)
    #expect(memory.count(of: Array("ada@example.com".utf8)) > 0)
    #expect(memory.count(of: Array(device.utf8)) == 0)
    #expect(memory.count(of: Array(device.utf8.prefix(16))) == 0)
  }
}
