import Foundation
import JSONCodec
import TestSupport
import Testing

@Suite(.waits) struct ServiceResetTests {
  let directory: TemporaryDirectory
  let mails: Mails
  let forgot = ["email": "ada@example.com"]

  init() throws {
    directory = try TemporaryDirectory()
    mails = Mails(directory: directory.path)
  }

  private func values(_ code: String, _ password: String = "another horse") -> [String: String] {
    ["email": "ADA@example.com", "code": code, "password": password]
  }

  private func advance(_ service: Service, _ milliseconds: Int) throws {
    let line = #"{"jsonrpc":"2.0","id":0,"method":"clock/advance","params":{"milliseconds":\#(milliseconds)}}"#
    #expect(try service.ask(line).text == #"{"jsonrpc":"2.0","id":0,"result":{}}"#)
  }

  @Test func `a mailed reset code can be typed in any spelling, and sets a new password only once`() throws {
    let service = try Service.withAda(directory.file)
    _ = try service.ask(2, "forgotPassword", forgot)
    let code = try Mails.code(mails.text())
    let typed = " " + code.lowercased().replacingOccurrences(of: "-", with: "  ")
    let done = try service.ask(3, "resetPassword", values(typed))
    #expect(done.text == #"{"jsonrpc":"2.0","id":3,"result":{"outcome":"notice","message":{"code":"resetDone"}}}"#)
    #expect(try service.ask(4, "login", ["userName": "ada", "password": "another horse"]).outcome == "accepted")
    #expect(try service.ask(5, "login", ["userName": "ada", "password": "correct horse"]).outcome == "rejected")
    #expect(try service.ask(6, "resetPassword", values(code)).code(of: "code") == "resetCode.invalid")
  }

  @Test
  func `every request for a reset code gets the same answer, but a mail is sent only if the address has an account`()
    throws
  {
    let service = try Service.withAda(directory.file)
    let known = try service.ask(2, "forgotPassword", forgot)
    let unknown = try service.ask(2, "forgotPassword", ["email": "eve@example.com"])
    #expect(known.text == #"{"jsonrpc":"2.0","id":2,"result":{"outcome":"notice","message":{"code":"resetSent"}}}"#)
    #expect(known.text == unknown.text)
    service.closeInput()
    #expect(service.wait().error == "")
    #expect(mails.namesNow.count == 1)
  }

  @Test func `every wrong reset code gets the same answer`() throws {
    let service = try Service.withAda(directory.file, ["--clock", "manual"])
    _ = try service.ask(2, "forgotPassword", forgot)
    let code = try Mails.code(mails.text())
    let wrong = try service.ask(9, "resetPassword", values("00000-00000"))
    #expect(
      wrong.text
        == #"{"jsonrpc":"2.0","id":9,"result":{"outcome":"rejected","items":{"code":[{"code":"resetCode.invalid"}]}}}"#)
    let eve = values(code).merging(["email": "eve@example.com"]) { $1 }
    #expect(try service.ask(9, "resetPassword", eve).text == wrong.text)
    #expect(try service.ask(9, "resetPassword", values("what?")).text == wrong.text)
    try advance(service, 900_000)
    #expect(try service.ask(9, "resetPassword", values(code)).text == wrong.text)
  }

  @Test func `a reset code works until fifteen minutes have passed by the service's clock`() throws {
    let service = try Service.withAda(directory.file, ["--clock", "manual"])
    _ = try service.ask(2, "forgotPassword", forgot)
    let code = try Mails.code(mails.text())
    try advance(service, 899_999)
    #expect(try service.ask(3, "resetPassword", values(code)).outcome == "notice")
  }

  @Test func `wrong reset codes in other sessions do not block the right code`() throws {
    let service = try Service.withAda(directory.file, ["--clock", "manual"])
    _ = try service.ask(2, "forgotPassword", forgot, session: "hers")
    let code = try Mails.code(mails.text())
    for attempt in 3...22 {
      let wrong = try service.ask(attempt, "resetPassword", values("00000-00000"), session: "s\(attempt)")
      #expect(wrong.outcome == "rejected")
    }
    #expect(try service.ask(23, "resetPassword", values(code), session: "hers").outcome == "notice")
  }

  @Test func `after five wrong reset codes in one session, the right code is accepted there only after a delay`()
    throws
  {
    let service = try Service.withAda(directory.file, ["--clock", "manual"])
    _ = try service.ask(2, "forgotPassword", forgot, session: "hers")
    let code = try Mails.code(mails.text())
    for attempt in 3...7 {
      let wrong = try service.ask(attempt, "resetPassword", values("00000-00000"), session: "hers")
      #expect(wrong.outcome == "rejected")
    }
    let waiting = try service.ask(8, "resetPassword", values(code), session: "hers")
    #expect(waiting.text == #"{"jsonrpc":"2.0","id":8,"result":{"outcome":"throttled","retryAfterMs":1000}}"#)
    try advance(service, 1_000)
    #expect(try service.ask(9, "resetPassword", values(code), session: "hers").outcome == "notice")
  }

  @Test(arguments: ["ada@example.com", "eve@example.com"])
  func `requests for reset codes are throttled, also for an unknown address and after a restart of the service`(
    email: String
  ) throws {
    let values = ["email": email]
    do {
      let service = try Service.withAda(directory.file)
      for attempt in 2...4 { #expect(try service.ask(attempt, "forgotPassword", values).outcome == "notice") }
      service.signal(9)
    }
    let answer = try Service(directory.file).ask(5, "forgotPassword", values)
    #expect(answer.outcome == "throttled")
    #expect((1...60_000).contains(answer["result"]?["retryAfterMs"]?.integer ?? 0))
  }

  @Test func `wrong values in a request for a reset or in the reset are reported for each item`() throws {
    let service = try Service(directory.file)
    let request = try service.ask(1, "forgotPassword", ["email": "ada"])
    #expect(request.code(of: "email") == "email.invalid")
    #expect(try service.ask(2, "forgotPassword", ["email": ""]).code(of: "email") == "email.missing")
    let reset = try service.ask(3, "resetPassword", ["email": "x", "code": "", "password": "1234567"])
    #expect(reset.code(of: "email") == "email.invalid")
    #expect(reset.code(of: "code") == "resetCode.invalid")
    #expect(reset.code(of: "password") == "password.tooShort")
    #expect(reset["result"]?["items"]?["password"]?[0]?["params"]?["length"]?.integer == 9)
    for (name, values) in [
      ("email", [:]), ("code", ["email": "ada@example.com", "password": "long enough"]),
      ("password", ["email": "ada@example.com", "code": "x"]),
    ] as [(String, [String: String])] {
      let answer = try service.ask(4, name == "email" ? "forgotPassword" : "resetPassword", values)
      #expect(answer.errorCode == "invalidParams")
      #expect(answer["error"]?["data"]?["param"]?.string == name)
    }
  }

  @Test func `a reset whose answer was lost is confirmed if it is retried in the same run of the engine`() throws {
    let environment = ["LOGIN_ENGINE_RUN": "0123abcd"]
    let service = try Service.withAda(directory.file, environment: environment)
    _ = try service.ask(2, "forgotPassword", forgot)
    let code = try Mails.code(mails.text())
    service.send(Service.submit(3, "resetPassword", values(code)))
    // Waits until the reset is stored in the file, whether or not the service has answered.
    try waitForReset()
    service.signal(SIGKILL)
    _ = service.wait()
    let again = try Service(directory.file, environment: environment)
    let answer = try again.ask(9, "resetPassword", values(code), retryOf: 3)
    #expect(answer["result"]?["message"]?["code"]?.string == "resetDone")
    #expect(try again.ask(10, "resetPassword", values(code), retryOf: 4).outcome == "rejected")
    let elsewhere = try Service(directory.file, environment: ["LOGIN_ENGINE_RUN": "another"])
    #expect(try elsewhere.ask(9, "resetPassword", values(code), retryOf: 3).outcome == "rejected")
  }

  private func waitForReset() throws {
    _ = try mails.waiting {
      (try? directory.run("SELECT 1 FROM accounts WHERE reset IS NOT NULL")) == "1"
    } until: {
      $0
    }
  }

  @Test func `a reset code and the new password are nowhere in memory after the mail and the answers`() throws {
    let service = try Service(directory.file, ["--hardening", "off"])
    let password = "kX7#mQ2!vR9$wZ4"
    _ = try service.ask(1, "setup", ada)
    _ = try service.ask(2, "forgotPassword", forgot)
    let code = try Mails.code(mails.text())
    _ = try service.ask(3, "resetPassword", values((code.hasPrefix("0") ? "1" : "0") + code.dropFirst(), password))
    #expect(try service.ask(4, "resetPassword", values(code.lowercased(), password)).outcome == "notice")
    let texts = [code, code.lowercased(), code.replacingOccurrences(of: "-", with: ""), password]
    // A mail gets its final name before the directory is synced. Until then, the writing thread has
    // the code in memory.
    var left: [Int] = []
    let areGone = eventually {
      guard let memory = try? Memory(processID: service.processID),
        memory.count(of: Array("ada@example.com".utf8)) > 0
      else { return false }
      left = texts.map { memory.count(of: Array($0.utf8)) }
      return left == [0, 0, 0, 0]
    }
    #expect(areGone, "\(left)")
    service.closeInput()
    #expect(service.wait().error == "")
  }
}
