import Accounts
import Foundation
import JSONCodec
import TestSupport
import Testing

@Suite(.waits) struct ServiceOneTimeCodeTests {
  let directory: TemporaryDirectory
  let service: Service
  let app: AuthenticatorApp
  let wrong: String

  /// Starts the service, and advances its clock beyond the time step of the code that was entered
  /// at enrolment.
  init() throws {
    directory = try TemporaryDirectory()
    service = try Service.withAda(directory.file, ["--clock", "manual"])
    app = try Service.enrol(directory.file)
    try service.advance(60_000)
    wrong = app.code(900_000)
  }

  @Test func `a one-time code is required after the right password, and each code works for one login`() throws {
    let question = try service.ask(2, "login", adasLogin)
    #expect(
      question.textWithoutResume
        == #"{"jsonrpc":"2.0","id":2,"result":{"outcome":"challenge","screen":{"id":"oneTimeCode","title":"oneTimeCode.title","sections":[{"id":"oneTimeCode","items":[{"id":"about","kind":"text","title":"oneTimeCode.text"},{"id":"code","apiKey":"code","kind":"input","inputType":"oneTimeCode","keyboard":"number","autofill":"one-time-code","title":"oneTimeCode.code","rules":[{"rule":"required","message":"oneTimeCode.missing"}]}]}]},"expiresInMs":600000}}"#
    )
    let refused = try service.proceed(3, 2, ["code": wrong])
    #expect(
      refused.textWithoutResume
        == #"{"jsonrpc":"2.0","id":3,"result":{"outcome":"challenge","error":{"code":"oneTimeCode.invalid"},"items":{"code":[{"code":"oneTimeCode.invalid"}]}}}"#
    )
    let accepted = try service.proceed(4, 2, ["code": app.code(60_000)])
    #expect(
      accepted.text
        == #"{"jsonrpc":"2.0","id":4,"result":{"outcome":"accepted","principal":"ada","data":{"account":1,"email":"ada@example.com","userName":"ada"},"proofs":[{"factor":"pwd","at":60000},{"factor":"otp","at":60000}]}}"#
    )
    // If the first answer was lost, the retry gets the same answer, with the same times.
    try service.advance(1_000)
    #expect(try service.proceed(8, 2, ["code": app.code(60_000)], retryOf: 4)["result"] == accepted["result"])
    _ = try service.ask(5, "login", adasLogin)
    #expect(try service.proceed(3, 5, ["code": app.code(60_000)]).textWithoutResume == refused.textWithoutResume)
    try service.advance(30_000)
    #expect(try service.proceed(7, 5, ["code": app.code(90_000)]).outcome == "accepted")
  }

  @Test func `the one-time code that was entered at enrolment cannot be used for a login`() throws {
    let service = try Service(directory.file, ["--clock", "manual"])
    _ = try service.ask(2, "login", adasLogin)
    #expect(try service.proceed(3, 2, ["code": app.code(0)]).challengeError == "oneTimeCode.invalid")
    #expect(try service.proceed(4, 2, ["code": app.code(30_000)]).outcome == "accepted")
  }

  @Test func `the user can switch from a one-time code to a recovery code and back, and either one is enough`() throws {
    let codes = try Service.codes(directory.file, count: 1)
    let question = try service.ask(2, "login", adasLogin)
    #expect(question["result"]?["screen"]?["links"]?.text == #"[{"id":"recoveryCode","title":"recoveryCode.instead"}]"#)
    let other = try service.proceed(3, 2, [:], [.init("action", .string("recoveryCode"))])
    #expect(other.screen == "recoveryCode")
    #expect(other["result"]?["screen"]?["links"]?.text == #"[{"id":"oneTimeCode","title":"oneTimeCode.instead"}]"#)
    // The screen now asks for a recovery code, so a one-time code is wrong.
    #expect(try service.proceed(4, 2, ["code": app.code(60_000)]).challengeError == "recoveryCode.invalid")
    let back = try service.proceed(5, 2, [:], [.init("action", .string("oneTimeCode"))])
    #expect(back["result"] == question["result"])
    #expect(try service.proceed(6, 2, ["code": codes[0]]).challengeError == "oneTimeCode.invalid")
    _ = try service.proceed(7, 2, [:], [.init("action", .string("recoveryCode"))])
    // This was the account's last recovery code.
    #expect(try service.proceed(8, 2, ["code": codes[0]]).screen == "newRecoveryCodes")
    let accepted = try service.proceed(12, 2, [:], [.init("action", .string("later"))])
    #expect(accepted["result"]?.provenFactors == ["pwd", "otp"])
    // The only recovery code is used, so there is no alternative any more.
    let next = try service.ask(9, "login", adasLogin)
    #expect(next.screen == "oneTimeCode")
    #expect(next["result"]?["screen"]?["links"] == nil)
    #expect(try service.proceed(10, 9, [:], [.init("action", .string("recoveryCode"))]).errorCode == "invalidParams")
    #expect(try service.proceed(11, 9, ["code": app.code(60_000)]).screen == "newRecoveryCodes")
  }

  @Test(arguments: ["oneTimeCode", "password", "", "submit"])
  func `choosing an alternative to a one-time code that is not offered is an error`(
    action: String
  ) throws {
    _ = try Service.codes(directory.file)
    _ = try service.ask(2, "login", adasLogin)
    let answer = try service.proceed(3, 2, [:], [.init("action", .string(action))])
    #expect(answer.errorCode == "invalidParams")
    #expect(try service.proceed(4, 2, ["code": app.code(60_000)]).outcome == "accepted")
  }

  @Test func `wrong one-time codes and recovery codes are counted together, end the login and throttle the account`()
    throws
  {
    let codes = try Service.codes(directory.file)
    _ = try service.ask(2, "login", adasLogin)
    for id in 3...4 { #expect(try service.proceed(id, 2, ["code": wrong]).outcome == "challenge") }
    _ = try service.proceed(5, 2, [:], [.init("action", .string("recoveryCode"))])
    for id in 6...7 { #expect(try service.proceed(id, 2, ConversationTests.wrong).outcome == "challenge") }
    _ = try service.proceed(8, 2, [:], [.init("action", .string("oneTimeCode"))])
    #expect(try service.proceed(9, 2, ["code": wrong]).reason == "oneTimeCode.tooManyTries")
    _ = try service.ask(10, "login", adasLogin)
    let waiting = try service.proceed(11, 10, ["code": app.code(60_000)])
    #expect(waiting.text == #"{"jsonrpc":"2.0","id":11,"result":{"outcome":"throttled","retryAfterMs":1000}}"#)
    _ = try service.proceed(12, 10, [:], [.init("action", .string("recoveryCode"))])
    #expect(try service.proceed(13, 10, ["code": codes[0]]).outcome == "throttled")
    try service.advance(1_000)
    #expect(try service.proceed(14, 10, ["code": codes[0]]).outcome == "accepted")
  }

  @Test func `an expired password is replaced after the one-time code was entered`() throws {
    _ = try Service.run(directory.file, ["expire", "ada"])
    _ = try service.ask(2, "login", adasLogin)
    #expect(try service.proceed(3, 2, ["code": app.code(60_000)]).screen == "newPassword")
    let accepted = try service.proceed(4, 2, ["password": "another horse"])
    #expect(accepted["result"]?.provenFactors == ["pwd", "otp"])
  }

  @Test
  func `a question for a code expires after ten minutes, and switching to another kind of code restarts this time`()
    throws
  {
    _ = try Service.codes(directory.file)
    _ = try service.ask(2, "login", adasLogin)
    try service.advance(599_999)
    #expect(
      try service.proceed(3, 2, [:], [.init("action", .string("recoveryCode"))])["result"]?["expiresInMs"]?.integer
        == 600_000)
    try service.advance(599_999)
    #expect(try service.proceed(4, 2, ConversationTests.wrong).challengeError == "recoveryCode.invalid")
    try service.advance(1)
    #expect(try service.proceed(5, 2, ConversationTests.wrong).reason == "challengeExpired")
  }

  @Test func `turning one-time codes off ends a login that waits for one`() throws {
    _ = try service.ask(2, "login", adasLogin)
    #expect(try Service.run(directory.file, ["one-time-codes", "ada", "--off"]).status == 0)
    #expect(try service.proceed(3, 2, ["code": app.code(60_000)]).reason == "challengeExpired")
    #expect(try service.ask(4, "login", adasLogin).outcome == "accepted")
  }

  @Test func `a missing key file blocks only logins with one-time codes, which work again once the file is back`()
    throws
  {
    let key = directory.file + ".key"
    _ = try service.ask(
      2, "setup", ["email": "eve@example.com", "userName": "eve", "password": "correct horse"])
    _ = try service.ask(3, "login", adasLogin)
    try FileManager.default.moveItem(atPath: key, toPath: key + "-away")
    let failed = try service.proceed(4, 3, ["code": app.code(60_000)])
    #expect(failed.errorCode == "accountsKeyUnusable")
    #expect(failed.errorNumber == 107)
    #expect(try service.ask(5, "login", ["userName": "eve", "password": "correct horse"]).outcome == "accepted")
    try FileManager.default.moveItem(atPath: key + "-away", toPath: key)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
    #expect(try service.proceed(6, 3, ["code": app.code(60_000)]).errorCode == "accountsKeyUnusable")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    #expect(try service.proceed(7, 3, ["code": app.code(60_000)]).outcome == "accepted")
    service.closeInput()
    let (status, error) = service.wait()
    #expect(status == 0)
    #expect(error.contains("The key file is missing"))
    #expect(error.contains("can be read or written by others"))
  }

  @Test
  func `after a login with a one-time code, neither the code, the secret nor the secret's key is in memory`() throws {
    let service = try Service(directory.file, ["--clock", "manual", "--hardening", "off"])
    try service.advance(60_000)
    _ = try service.ask(2, "login", adasLogin)
    #expect(try service.proceed(3, 2, ["code": wrong]).outcome == "challenge")
    #expect(try service.proceed(4, 2, ["code": app.code(60_000)]).outcome == "accepted")
    let memory = try Memory(processID: service.processID)
    #expect(memory.count(of: Array("ada@example.com".utf8)) > 0)
    let secret = app.secret.withBytes { Array($0) }
    let key = [UInt8](try Data(contentsOf: URL(fileURLWithPath: directory.file + ".key")))
    for bytes in [secret, key] {
      for part in [bytes, Array(bytes.prefix(8)), Array(bytes.suffix(8))] { #expect(memory.count(of: part) == 0) }
    }
    #expect(memory.count(of: Array(#""code":"\#(app.code(60_000))"#.utf8)) == 0)
  }

  /// Kills the service repeatedly, around the moment at which it uses a one-time code.
  @Test
  func `a one-time code whose use was acknowledged is never accepted again, even if the service is killed`() throws {
    var acknowledged = 0
    let rounds = 24
    func now(_ round: Int) -> Int64 { Int64(round + 2) * 60_000 }
    for round in 0..<rounds {
      let service = try Service(
        directory.file, ["--clock", "manual"], environment: ["LOGIN_ENGINE_RUN": "run\(round)"])
      try service.advance(Int(now(round)))
      _ = try service.ask(2, "login", adasLogin)
      service.send(Service.proceed(3, 2, ["code": app.code(now(round))]))
      // In every fourth round, the test waits for the service's answer before it kills the service.
      var line = round % 4 == 3 ? try service.line() : nil
      if line == nil { usleep(UInt32(round * 300)) }
      service.signal(SIGKILL)
      if line == nil { line = try service.line() }
      _ = service.wait()
      if try line.map({ try JSONValue(parsing: $0).outcome }) == "accepted" { acknowledged += 1 }
      // A code whose use was acknowledged is refused. After this attempt, the code is used in any
      // case.
      let again = try Service(directory.file, ["--clock", "manual"])
      try again.advance(Int(now(round)))
      _ = try again.ask(2, "login", adasLogin)
      let answer = try again.proceed(3, 2, ["code": app.code(now(round))])
      if line != nil { #expect(answer.challengeError == "oneTimeCode.invalid") }
      _ = try again.ask(4, "login", adasLogin)
      #expect(try again.proceed(5, 4, ["code": app.code(now(round))]).challengeError == "oneTimeCode.invalid")
      // A successful login resets the count of failures.
      try again.advance(30_000)
      #expect(try again.proceed(6, 4, ["code": app.code(now(round) + 30_000)]).outcome == "accepted")
    }
    #expect(acknowledged >= rounds / 4)
  }

  @Test func `if two services receive the same one-time code at the same time, exactly one accepts it`() throws {
    try Self.race(directory.file, app, rounds: Workload.amount(100))
  }

  static func race(_ file: String, _ app: AuthenticatorApp, rounds: Int) throws {
    let services = try ["one", "other"].map {
      try Service(file, ["--clock", "manual"], environment: ["LOGIN_ENGINE_RUN": $0])
    }
    var now = Int64(60_000)
    for service in services { try service.advance(Int(now)) }
    for round in 0..<rounds {
      // Both services are asked before either of them has answered.
      let id = 10 + round * 10
      for service in services {
        #expect(try service.ask(id, "login", adasLogin).screen == "oneTimeCode")
      }
      let line = Service.proceed(id + 1, id, ["code": app.code(now)])
      for service in services { service.send(line) }
      let answers = try services.map { try $0.nextAnswer() }
      #expect(answers.count { $0.outcome == "accepted" } == 1, "round \(round)")
      #expect(answers.count { $0.challengeError == "oneTimeCode.invalid" } == 1, "round \(round)")
      now += 60_000
      for service in services { try service.advance(60_000) }
    }
  }
}

@Suite(
  "Stress tests of one-time codes in two services",
  .enabled(if: Workload.includesStress, "\(Workload.stressHint)"), .waits)
struct OneTimeCodeStressTests {
  @Test
  func `if two services receive the same one-time code at the same time, exactly one accepts it, a thousand times`()
    throws
  {
    let directory = try TemporaryDirectory()
    _ = try Service(directory.file).ask(1, "setup", ada)
    try ServiceOneTimeCodeTests.race(
      directory.file, try Service.enrol(directory.file), rounds: Workload.amount(1_000))
  }
}
