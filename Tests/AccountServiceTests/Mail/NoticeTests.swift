import Foundation
import JSONCodec
import TestSupport
import Testing

/// Tests of notices of changes, and of codes that an administrator has mailed.
@Suite(.waits) struct NoticeTests {
  let directory: TemporaryDirectory
  let mails: Mails

  init() throws {
    directory = try TemporaryDirectory()
    mails = Mails(directory: directory.path)
  }

  private func run(_ arguments: [String], _ input: String = "") throws -> (status: Int32, output: String, error: String)
  {
    try Service.run(directory.file, arguments, input)
  }

  @Test func `after a reset, a notice without the code and the password is mailed to the account's address`() throws {
    let service = try Service.withAda(directory.file)
    _ = try service.ask(2, "forgotPassword", ["email": "ADA@example.com"])
    let code = try Mails.code(mails.text())
    let wrong = ["email": "ADA@example.com", "code": "00000-00000", "password": "another horse"]
    #expect(try service.ask(3, "resetPassword", wrong).outcome == "rejected")
    let values = ["email": "ADA@example.com", "code": code, "password": "another horse"]
    #expect(try service.ask(4, "resetPassword", values).outcome == "notice")
    // If the first answer was lost, a retry gets the same answer, and the user gets no second
    // notice.
    #expect(try service.ask(5, "resetPassword", values, retryOf: 4).outcome == "notice")
    service.closeInput()
    #expect(service.wait().error == "")
    #expect(mails.namesNow.count == 2)
    let notice = try mails.text(2)
    #expect(notice.contains("\nTo: ada@example.com\n") && notice.contains("\nSubject: Your password was changed\n"))
    #expect(!notice.contains("horse") && !notice.contains(code) && !notice.contains("{"))
  }

  @Test func `when an expired password is replaced, the application is told and the user gets a notice`() throws {
    let service = try Service.withAda(directory.file)
    _ = try run(["expire", "ada"])
    _ = try service.ask(2, "login", ["userName": "ada", "password": "correct horse"])
    let done = try service.proceed(3, 2, ["password": "another horse"], [.init("locale", .string("de"))])
    #expect(done["result"]?["data"]?["passwordChanged"] == .bool(true))
    service.closeInput()
    _ = service.wait()
    #expect(try mails.text().contains("Ihr Konto hat ein neues Passwort."))
    let other = try Service(directory.file)
    let login = try other.ask(4, "login", ["userName": "ada", "password": "another horse"])
    #expect(login["result"]?["data"]?["passwordChanged"] == nil)
  }

  @Test(
    arguments: [
      (["passwd", "ada"], "Your password was changed"), (["recovery-codes", "ada"], "You have new recovery codes"),
      (["recovery-codes", "ada", "--off"], "Your recovery codes were turned off"),
      (["one-time-codes", "ada", "--off"], "Your authenticator app was removed"),
    ])
  func `users get notices of changes that an administrator makes to their accounts`(
    arguments: [String], subject: String
  ) throws {
    _ = try Service(directory.file).ask(1, "setup", ada)
    let result = try run(arguments, "another horse\n")
    #expect(result.status == 0 && result.error == "")
    #expect(try mails.text().contains("\nSubject: \(subject)\n"))
    #expect(mails.namesNow.count == 1)
  }

  @Test func `a user gets a notice when an authenticator app is added, but not of commands that fail`() throws {
    _ = try Service(directory.file).ask(1, "setup", ada)
    #expect(try run(["passwd", "ada"], "short\n").status == 1)
    #expect(try run(["passwd", "nobody"], "another horse\n").status == 1)
    #expect(mails.namesNow.isEmpty)
    _ = try Service.enrol(directory.file)
    #expect(try mails.text().contains("\nSubject: An authenticator app was added\n"))
  }

  @Test func `logged-in users get notices of their changes to the account, but not of refused changes`() throws {
    let service = try Service.withAda(directory.file)
    for (id, password) in [(2, "wrong horse"), (3, "correct horse")] {
      _ = try service.ask(
        #"{"jsonrpc":"2.0","id":\#(id),"method":"authenticator/submit","params":{"attempt":\#(id),"request":"changePassword","values":{"password":"\#(password)","new_password":"another horse"},"key":"k\#(id)","principal":"ada","locale":"en"}}"#
      )
    }
    service.closeInput()
    #expect(service.wait().error == "")
    #expect(try mails.text().contains("\nSubject: Your password was changed\n"))
    #expect(mails.namesNow.count == 1)
  }

  @Test func `users get notices of passkeys that they register after a login or that an administrator removes`() throws
  {
    let service = try Service.withAda(directory.file, Service.passkeyOptions)
    try service.registerPasskey(SoftwareKey(), 2)
    #expect(try mails.text().contains("\nSubject: A passkey was added\n"))
    let id = try #require(try run(["passkeys", "ada"]).output.split(separator: "\t").first)
    let removed = try run(["passkeys", "ada", "--remove", String(id)])
    #expect(removed.status == 0 && removed.error == "")
    #expect(try mails.text(2).contains("\nSubject: A passkey was removed\n"))
  }

  @Test
  func `a user gets a notice of a login that fails at the second factor, but not of one with a wrong password`()
    throws
  {
    let service = try Service.withAda(directory.file, ["--clock", "manual"])
    _ = try Service.codes(directory.file)
    #expect(try mails.files(1).count == 1)
    for id in 2..<5 { _ = try service.ask(id, "login", ["userName": "ada", "password": "wrong horse"]) }
    _ = try service.ask(10, "login", adasLogin)
    var id = 10
    var last: JSONValue?
    while last?.reason == nil, id < 40 {
      id += 1
      last = try service.proceed(id, 10, ["code": "0000-0000-0000-0000"])
      if last?.outcome == "throttled" { try service.advance(900_000) }
      if last?.reason == "challengeExpired" { break }
    }
    #expect(last?.reason == "recoveryCode.tooManyTries")
    #expect(try mails.text(2).contains("\nSubject: Somebody could not log in to your account\n"))
    service.closeInput()
    _ = service.wait()
    #expect(mails.namesNow.count == 2)
  }

  @Test func `when wrong passwords lock an account, its user gets one notice, and for an unknown name no mail is sent`()
    throws
  {
    let command = try mails.script("cat >> '\(directory.path)/mails'")
    let service = try Service.withAda(directory.file, ["--clock", "manual", "--hash-cost", "1"] + command)
    var id = 10
    func fail(_ names: [String]) throws -> [String?] {
      var reasons: [String?] = []
      for number in 0..<102 {
        var answer: JSONValue
        repeat {
          id += 1
          answer = try service.ask(id, "login", ["userName": names[number % names.count], "password": "wrong horse"])
          if answer.outcome == "throttled" { try service.advance(900_000) }
        } while answer.outcome == "throttled"
        reasons.append(answer.reason)
      }
      return reasons
    }
    #expect(try fail(["ada"]) == fail(["nobody"]))
    // Failures with both names of an account can lock it without a mail.
    let eve = ["email": "eve@example.com", "userName": "eve", "password": "correct horse"]
    _ = try service.ask(1_000_000, "setup", eve)
    #expect(try fail(["eve", "eve@example.com"]) == fail(["no.one", "no.one@example.com"]))
    service.closeInput()
    #expect(service.wait().error == "")
    let told = try String(contentsOfFile: directory.path + "/mails", encoding: .utf8)
    #expect(told.contains("\nTo: ada@example.com\n"))
    #expect(told.components(separatedBy: "Subject: Your account was locked").count == 2)
    for name in ["ada", "eve"] { #expect(try run(["show", name]).output.contains("state: locked")) }
  }

  @Test func `no reset code is mailed to a disabled account, and the command reports that`() throws {
    _ = try Service(directory.file).ask(1, "setup", ada)
    #expect(try run(["disable", "ada"]).status == 0)
    let result = try run(["passwd", "ada", "--send-reset"])
    #expect(result.status == 1 && result.error.contains("The account is disabled."))
    #expect(mails.namesNow.isEmpty)
  }

  @Test func `a change whose notice fails is still made, and the failure is reported`() throws {
    _ = try Service(directory.file).ask(1, "setup", ada)
    let result = try run(["passwd", "ada", "--mail-command", "false"], "another horse\n")
    #expect(result.status == 0 && result.error.contains("A mail could not be handed over"))
    let login = ["userName": "ada", "password": "another horse"]
    #expect(try Service(directory.file).ask(2, "login", login).outcome == "accepted")
  }

  @Test func `an administrator can have a reset code mailed, and the password stays valid until the code is used`()
    throws
  {
    let service = try Service.withAda(directory.file)
    let command = try mails.script("cat > '\(directory.path)/mail'")
    let sent = try run(["passwd", "ada", "--send-reset"] + command)
    #expect(sent.status == 0 && sent.output + sent.error == "")
    let mail = try String(contentsOfFile: directory.path + "/mail", encoding: .utf8)
    let code = try Mails.code(mail)
    #expect(try service.ask(2, "login", ["userName": "ada", "password": "correct horse"]).outcome == "accepted")
    let values = ["email": "ada@example.com", "code": code, "password": "another horse"]
    #expect(try service.ask(3, "resetPassword", values).outcome == "notice")
    #expect(try service.ask(4, "login", ["userName": "ada", "password": "another horse"]).outcome == "accepted")
  }

  @Test(
    arguments: [
      (["passwd", "nobody", "--send-reset"], "There is no such account."),
      (["passwd", "ada", "--send-reset", "--mail-command", "false"], "A mail could not be handed over"),
    ])
  func `the administrator's command for mailing a reset code fails if the code could not be mailed`(
    arguments: [String], error: String
  ) throws {
    _ = try Service(directory.file).ask(1, "setup", ada)
    let result = try run(arguments)
    #expect(result.status == 1 && result.error.contains(error))
  }
}
