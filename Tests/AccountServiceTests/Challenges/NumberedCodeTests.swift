import Foundation
import JSONCodec
import TestSupport
import Testing

/// Tests of numbered recovery codes, and of the offer of new codes after the last one.
@Suite(.waits) struct NumberedCodeTests {
  let directory: TemporaryDirectory
  let service: Service

  init() throws {
    directory = try TemporaryDirectory()
    service = try Service.withAda(directory.file, ["--clock", "manual"])
  }

  private func use(_ code: String, _ attempt: Int) throws -> JSONValue {
    _ = try service.ask(attempt, "login", adasLogin)
    return try service.proceed(attempt + 1, attempt, ["code": code])
  }

  @Test func `a login reports which recovery code it used and how many are left`() throws {
    let codes = try Service.codes(directory.file, count: 10)
    let accepted = try use(codes[2], 10)
    #expect(accepted["result"]?["data"]?["recoveryCode"]?.text == #"{"number":3,"count":10,"left":9}"#)
    #expect(
      try use(codes[0], 20)["result"]?["data"]?["recoveryCode"]?.text == #"{"number":1,"count":10,"left":8}"#)
    #expect(try service.proceed(22, 20, ["code": codes[0]], retryOf: 21).outcome == "accepted")
  }

  @Test func `if a login continues after a recovery code, the next screen shows a notice about that code`() throws {
    let codes = try Service.codes(directory.file, count: 3)
    _ = try Service.run(directory.file, ["expire", "ada"])
    let next = try use(codes[1], 10)
    #expect(next.screen == "newPassword")
    #expect(
      next["result"]?["notice"]?.text
        == #"{"code":"recoveryCode.used","params":{"number":2,"count":3,"left":2},"severity":"info"}"#)
    let accepted = try service.proceed(12, 10, ["password": "another horse"])
    #expect(accepted["result"]?["data"]?["recoveryCode"]?["number"]?.integer == 2)
  }

  @Test func `new recovery codes are offered after the last one was used, shown once, and accepted at the next login`()
    throws
  {
    let codes = try Service.codes(directory.file, count: 2)
    _ = try use(codes[0], 10)
    let offered = try use(codes[1], 20)
    #expect((offered.screen, offered.links) == ("newRecoveryCodes", ["later"]))
    #expect(offered["result"]?["notice"]?["params"]?["left"]?.integer == 0)
    let shown = try service.proceed(22, 20, [:])
    #expect(shown.screen == "recoveryCodes")
    let items = try #require(shown["result"]?["screen"]?["sections"]?[0]?["items"]?.array).dropFirst()
    #expect(items.compactMap { $0["title"]?.string } == ["1", "2"])
    #expect(items.allSatisfy { $0["kind"]?.string == "code" && $0["format"]?.string == "plain" })
    let new = items.compactMap { $0["text"]?.string }
    #expect(Set(new + codes).count == 4)
    // A poll does not change the screen.
    let poll = try service.proceed(23, 20, [:], [.init("poll", .bool(true))])
    #expect(poll["result"]?.text == #"{"outcome":"challenge"}"#)
    let accepted = try service.proceed(24, 20, [:])
    #expect(accepted.outcome == "accepted")
    #expect(accepted.factors == ["pwd", "otp"])
    #expect(try use(codes[0], 30).challengeError == "recoveryCode.invalid")
    #expect(try service.proceed(32, 30, ["code": new[1]]).outcome == "accepted")
    #expect(try Service.run(directory.file, ["list"]).output.contains("\t1\t-\t-\t"))
  }

  @Test func `a user who skips the offer of new recovery codes is logged in, and the next login requires a code again`()
    throws
  {
    let codes = try Service.codes(directory.file, count: 1)
    #expect(try use(codes[0], 10).screen == "newRecoveryCodes")
    let later = try service.proceed(12, 10, [:], [.init("action", .string("later"))])
    #expect(later.outcome == "accepted")
    #expect(later["result"]?["data"]?["recoveryCode"]?["left"]?.integer == 0)
    #expect(try service.ask(20, "login", adasLogin).screen == "recoveryCode")
  }

  @Test func `if a reply with new recovery codes is lost, a retry generates other codes, and only those are valid`()
    throws
  {
    let codes = try Service.codes(directory.file, count: 1)
    _ = try use(codes[0], 10)
    let first = try service.proceed(12, 10, [:])
    let second = try service.proceed(13, 10, [:], retryOf: 12)
    #expect(second.screen == "recoveryCodes")
    func code(_ answer: JSONValue) throws -> String { try #require(answer.item("code1")?["text"]?.string) }
    #expect(try service.proceed(14, 10, [:]).outcome == "accepted")
    #expect(try use(try code(first), 20).challengeError == "recoveryCode.invalid")
    #expect(try service.proceed(22, 20, ["code": try code(second)]).outcome == "challenge")
  }

  @Test func `a change of the password ends the offer of new recovery codes`() throws {
    let codes = try Service.codes(directory.file, count: 1)
    _ = try use(codes[0], 10)
    _ = try Service.run(directory.file, ["passwd", "ada"], "another horse")
    #expect(try service.proceed(12, 10, [:]).reason == "challengeExpired")
  }

  @Test func `new recovery codes do not stay in memory after they were shown to the user`() throws {
    let codes = try Service.codes(directory.file, count: 1)
    let service = try Service(directory.file, ["--hardening", "off"])
    _ = try service.ask(10, "login", adasLogin)
    _ = try service.proceed(11, 10, ["code": codes[0]])
    let shown = try service.proceed(12, 10, [:])
    let code = try #require(shown.item("code1")?["text"]?.string)
    #expect(try service.proceed(13, 10, [:]).outcome == "accepted")
    let memory = try Memory(processID: service.processID)
    #expect(memory.count(of: Array("ada@example.com".utf8)) > 0)
    for text in [code, code.replacingOccurrences(of: "-", with: "")] {
      #expect(memory.count(of: Array(text.utf8)) == 0)
    }
  }
}
