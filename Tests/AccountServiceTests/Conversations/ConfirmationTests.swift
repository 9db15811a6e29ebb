import Foundation
import JSONCodec
import TestSupport
import Testing

/// Tests of sign-ups with `--confirm-email` and `--conceal-accounts`.
@Suite(.waits) struct ConfirmationTests {
  let directory: TemporaryDirectory
  let mails: Mails
  private let resend: [JSONValue.Member] = [.init("action", .string("resend"))]
  private let eve = ["email": "ada@example.com", "userName": "eve", "password": "another horse"]

  init() throws {
    directory = try TemporaryDirectory()
    mails = Mails(directory: directory.path)
  }

  private func service(_ options: [String] = ["--confirm-email"]) throws -> Service {
    try Service(directory.file, options + ["--clock", "manual"])
  }

  @Test func `a sign-up is accepted once its mailed code is entered`() throws {
    let service = try service()
    let asked = try service.ask(1, "setup", ada)
    #expect(asked.outcome == "challenge" && asked.screen == "emailCode")
    #expect(asked["result"]?["notice"]?["code"]?.string == "emailCode.sent")
    let code = try Mails.code(mails.text())
    #expect(try service.ask(2, "login", ["userName": "ada", "password": "correct horse"]).outcome == "rejected")
    let wrong = try service.proceed(3, 1, ["code": "00000-00000"])
    #expect(wrong.challengeError == "emailCode.invalid" && wrong.code(of: "code") == "emailCode.invalid")
    try service.advance(1_000)
    let right = try service.proceed(4, 1, ["code": code.lowercased()])
    #expect(
      right.text
        == #"{"jsonrpc":"2.0","id":4,"result":{"outcome":"accepted","principal":"ada","data":{"account":1,"email":"ada@example.com","userName":"ada"},"proofs":[{"factor":"pwd","at":0}]}}"#
    )
    // If the first answer was lost, a retry gets it again.
    #expect(try service.proceed(5, 1, ["code": code], retryOf: 4).outcome == "accepted")
    #expect(try service.ask(6, "login", ["userName": "ada", "password": "correct horse"]).outcome == "accepted")
  }

  @Test func `up to three confirmation codes a day are mailed on request without a delay`() throws {
    let service = try service()
    _ = try service.ask(1, "setup", ada)
    let first = try Mails.code(mails.text())
    let sent = try service.proceed(2, 1, [:], resend)
    // The time to enter the code restarts, so the screen is sent again.
    #expect(sent.outcome == "challenge" && sent.screen == "emailCode")
    #expect(sent["result"]?["expiresInMs"]?.integer == 900_000)
    #expect(sent["result"]?["notice"]?["code"]?.string == "emailCode.sent")
    // If the first answer was lost, a retry mails no other code and counts as no request.
    let again = try service.proceed(9, 1, [:], retryOf: 2, resend)
    #expect(again["result"] == sent["result"])
    #expect(try service.proceed(3, 1, [:], resend).outcome == "challenge")
    let held = try service.proceed(4, 1, [:], resend)
    #expect(held.outcome == "throttled" && held["result"]?["retryAfterMs"]?.integer == 60_000)
    #expect(try service.proceed(5, 1, ["code": first]).challengeError == "emailCode.invalid")
    let codes = try mails.files(3).map {
      try Mails.code(String(contentsOfFile: mails.outbox + "/" + $0, encoding: .utf8))
    }
    let answers = try codes.enumerated().map { try service.proceed(6 + $0.offset, 1, ["code": $0.element]).outcome }
    #expect(answers.filter { $0 == "accepted" }.count == 1)
  }

  @Test(arguments: ["--confirm-email", "--conceal-accounts"])
  func `a retry of a cancelled sign-up sends no second mail, and accepts the code that was mailed`(option: String)
    throws
  {
    let service = try service([option])
    _ = try service.ask(1, "setup", ada)
    let code = try Mails.code(mails.text())
    for _ in 0..<2 { #expect(try service.proceed(2, 1, ["code": "0000000000"]).outcome == "challenge") }
    try service.advance(300_000)
    service.cancel(1)
    let again = try service.ask(3, "setup", ada, retryOf: 1)
    #expect(again.screen == "emailCode" && again["result"]?["expiresInMs"]?.integer == 600_000)
    #expect(try service.proceed(4, 1, ["code": code]).reason == "challengeExpired")
    // The count of wrong codes continues after the retry.
    for _ in 0..<2 { #expect(try service.proceed(5, 3, ["code": "0000000000"]).outcome == "challenge") }
    // With other values, the request is another sign-up.
    var other = ada
    other["password"] = "another horse"
    #expect(try service.ask(6, "setup", other, retryOf: 1)["result"]?["expiresInMs"]?.integer == 900_000)
    service.closeInput()
    #expect(service.wait().error == "")
    #expect(mails.namesNow.count == 2)
  }

  @Test func `the question for a mailed code stays open as long as the last mailed code is valid`() throws {
    let service = try service()
    _ = try service.ask(1, "setup", ada)
    try service.advance(899_999)
    #expect(try service.proceed(2, 1, [:], resend).screen == "emailCode")
    try service.advance(899_999)
    let codes = try mails.files(2).map {
      try Mails.code(String(contentsOfFile: mails.outbox + "/" + $0, encoding: .utf8))
    }
    let outcomes = try codes.enumerated().map { try service.proceed(3 + $0.offset, 1, ["code": $0.element]).outcome }
    #expect(outcomes.contains("accepted"))
  }

  @Test func `a sign-up cancelled while its password is hashed sends no mail`() throws {
    let service = try service(["--confirm-email", "--hash-cost", "9"])
    var attempt = 0
    repeat {
      attempt += 1
      service.send(Service.submit(attempt, "setup", ada))
      usleep(50_000)
      service.cancel(attempt)
      // An attempt that was cancelled before a worker started it does not count, so another one is
      // made.
    } while try service.nextAnswer().errorCode == "cancelled" && attempt < 50
    #expect(attempt < 50)
    service.closeInput()
    #expect(service.wait().error == "")
    #expect(mails.namesNow.isEmpty)
  }

  @Test func `five wrong codes, fifteen minutes or a cancelled attempt end the sign-up`() throws {
    let service = try service()
    _ = try service.ask(1, "setup", ada)
    for _ in 0..<4 { #expect(try service.proceed(2, 1, ["code": "0000000000"]).outcome == "challenge") }
    #expect(try service.proceed(3, 1, ["code": "0000000000"]).reason == "emailCode.tooManyTries")
    #expect(try service.proceed(4, 1, ["code": "0000000000"]).reason == "challengeExpired")
    _ = try service.ask(5, "setup", ada)
    try service.advance(900_000)
    #expect(try service.proceed(6, 5, ["code": "0000000000"]).reason == "challengeExpired")
    _ = try service.ask(7, "setup", ada)
    service.cancel(7)
    #expect(try service.proceed(8, 7, ["code": "0000000000"]).reason == "challengeExpired")
  }

  @Test func `names that are taken while a sign-up waits for its code are reported on the sign-up's first screen`()
    throws
  {
    let service = try service()
    _ = try service.ask(1, "setup", ada)
    let code = try Mails.code(mails.text())
    let other = try Service(directory.file)
    _ = try other.ask(1, "setup", ada)
    let answer = try service.proceed(2, 1, ["code": code])
    #expect(answer.reason == "registrationRefused" && answer.code(of: "email") == "email.taken")
    #expect(answer.code(of: "userName") == "userName.taken")
  }

  @Test func `meaningless answers to the question for a mailed code are refused, and the question stays open`() throws {
    let service = try service()
    _ = try service.ask(1, "setup", ada)
    let other: [JSONValue.Member] = [.init("action", .string("recoveryCode"))]
    #expect(try service.proceed(2, 1, [:], other).errorCode == "invalidParams")
    #expect(try service.proceed(3, 1, [:]).errorCode == "invalidParams")
    #expect(try service.proceed(4, 1, [:], [.init("poll", .bool(true))]).screen == "emailCode")
    #expect(try service.proceed(5, 1, ["code": Mails.code(mails.text())]).outcome == "accepted")
  }

  @Test func `a taken address is reported at once if addresses are confirmed but not concealed`() throws {
    _ = try Service(directory.file).ask(1, "setup", ada)
    let answer = try service().ask(1, "setup", eve)
    #expect(answer.outcome == "rejected" && answer.code(of: "email") == "email.taken")
    #expect(mails.namesNow.isEmpty)
  }

  @Test
  func `if taken addresses are concealed, sign-ups with taken and free ones differ only in the mail`()
    throws
  {
    _ = try Service(directory.file).ask(1, "setup", ada)
    var answers: [[String]] = []
    for (index, email) in ["ada@example.com", "new@example.com"].enumerated() {
      let service = try service(["--conceal-accounts"])
      let values = ["email": email, "userName": "eve", "password": "another horse"]
      var texts = [try service.ask(1, "setup", values).text]
      texts.append(try service.proceed(2, 1, ["code": "0000000000"]).text)
      for id in 3...6 { texts.append(try service.proceed(id, 1, [:], resend).text) }
      texts.append(try service.proceed(7, 1, ["code": "0000000000"]).text)
      answers.append(texts.map { $0.replacing(email, with: "EMAIL") })
      service.closeInput()
      #expect(service.wait().error == "")
      #expect(mails.namesNow.count == 3 * (index + 1))
    }
    #expect(answers[0] == answers[1])
    let all = try mails.namesNow.map { try String(contentsOfFile: mails.outbox + "/" + $0, encoding: .utf8) }
    let told = all.filter { $0.contains("\nSubject: You have an account already\n") }
    #expect(told.count == 3 && told.allSatisfy { $0.contains("\nTo: ada@example.com\n") })
    #expect(told.allSatisfy { (try? Mails.code($0)) == nil })
    #expect(all.filter { $0.contains("\nTo: new@example.com\n") && (try? Mails.code($0)) != nil }.count == 3)
  }

  @Test(arguments: [["list", "--confirm-email"], ["--conceal-accounts", "--tell-taken-names"]])
  func `confirmation options that conflict, or that do not apply to the command, are refused`(arguments: [String])
    throws
  {
    #expect(try Service.run(directory.file, arguments).status == 2)
  }

  @Test func `the accounts file contains no password, code or address of a sign-up that waits for its code`() throws {
    let service = try service()
    _ = try service.ask(1, "setup", ada)
    let code = try Mails.code(mails.text()).replacing("-", with: "")
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path + "/data") where name != "outbox" {
      let data = try Data(contentsOf: URL(fileURLWithPath: directory.path + "/data/" + name))
      for secret in ["correct horse", code, "ada@example.com"] { #expect(data.range(of: Data(secret.utf8)) == nil) }
    }
  }
}
