import AccountService
import Accounts
import Foundation
import JSONCodec
import TestSupport
import Testing

/// Tests of limits on the number of mails.
@Suite(.waits) struct MailLimitTests {
  let directory: TemporaryDirectory
  let mails: Mails

  init() throws {
    directory = try TemporaryDirectory()
    mails = Mails(directory: directory.path)
  }

  private func changePassword(_ service: Service, _ id: Int, to new: String, from old: String) throws -> JSONValue {
    try service.ask(
      #"{"jsonrpc":"2.0","id":\#(id),"method":"authenticator/submit","params":{"attempt":\#(id),"request":"changePassword","values":{"password":"\#(old)","new_password":"\#(new)"},"key":"k\#(id)","principal":"ada","locale":"en"}}"#
    )
  }

  @Test
  func `the first of several equal account changes is notified at once, and later ones in one mail after an hour`()
    throws
  {
    let service = try Service.withAda(directory.file, ["--clock", "manual"])
    var password = "correct horse"
    for id in 2..<12 {
      let new = "another horse \(id)"
      #expect(try changePassword(service, id, to: new, from: password).outcome == "notice")
      password = new
    }
    #expect(try !mails.text(1).contains("times since"))
    try service.advance(3_599_999)
    #expect(try service.ask(20, "login", ["userName": "ada", "password": password]).outcome == "accepted")
    #expect(mails.namesNow.count == 1)
    try service.advance(1)
    let joined = try mails.text(2)
    #expect(joined.contains("Subject: Your password was changed\n"))
    #expect(joined.contains("\n\nThis has happened 9 times since 1970-01-01 00:00 UTC.\n"))
    // Later notices are sent after two hours at the earliest, or at the end of the service.
    for id in 30..<32 {
      #expect(try changePassword(service, id, to: "another horse \(id)", from: password).outcome == "notice")
      password = "another horse \(id)"
    }
    try service.advance(3_600_000)
    #expect(mails.namesNow.count == 2)
    service.closeInput()
    #expect(service.wait() == (0, ""))
    #expect(mails.namesNow.count == 3)
    #expect(try mails.text(3).contains("This has happened 2 times since 1970-01-01 01:00 UTC."))
  }

  @Test(arguments: ["abc", "12345", "1234567", "\u{1F600}", "0000-0000"])
  func `texts that cannot be one-time codes count as wrong ones, are throttled, and cause one notice`(text: String)
    throws
  {
    let service = try Service.withAda(directory.file, ["--clock", "manual"])
    let app = try Service.enrol(directory.file)
    _ = try mails.files(1)
    var outcomes: [String] = []
    var id = 10
    for _ in 0..<10 {
      id += 1
      let login = id
      guard try service.ask(login, "login", adasLogin).outcome == "challenge" else { break }
      for _ in 0..<5 {
        id += 1
        let answer = try service.proceed(id, login, ["code": text])
        outcomes.append(answer.reason ?? answer.outcome ?? "")
      }
    }
    #expect(outcomes.prefix(5) == ["challenge", "challenge", "challenge", "challenge", "oneTimeCode.tooManyTries"])
    #expect(outcomes.dropFirst(5).allSatisfy { $0 == "throttled" })
    service.closeInput()
    #expect(service.wait() == (0, ""))
    #expect(mails.namesNow.count == 2)
    withExtendedLifetime(app) {}
  }

  @Test func `notification mails never delay mailed codes, however slow the mail command is`() throws {
    let command = try mails.script(
      "cat > /dev/null; case \"$4\" in n*) exec sleep 1000;; esac; echo \"$4\" >> '\(directory.path)/mailed'")
    let service = try Service.withAda(directory.file, command + ["--mail-timeout", "600"])
    for index in 0..<6 {
      let name = "n\(index)"
      let setup = ["email": "\(name)@example.com", "userName": name, "password": "correct horse"]
      #expect(try service.ask(2, "setup", setup).outcome == "accepted")
      let change =
        #"{"jsonrpc":"2.0","id":3,"method":"authenticator/submit","params":{"attempt":3,"request":"changePassword","values":{"password":"correct horse","new_password":"another horse"},"key":"k\#(index)","principal":"\#(name)"}}"#
      #expect(try service.ask(change).outcome == "notice")
    }
    #expect(try service.ask(4, "forgotPassword", ["email": "ada@example.com"]).outcome == "notice")
    #expect(try mails.lines("mailed", 1) == ["ada@example.com"])
    for _ in 0..<2 { service.signal(SIGTERM); usleep(100_000) }
  }

  @Test(arguments: ["forgotPassword", "setup"])
  func `a thousand requests for mailed codes do not prevent other users from getting a code`(request: String) throws {
    let service = try Service(directory.file, request == "setup" ? ["--confirm-email"] : [])
    let people = 20
    if request == "forgotPassword" {
      for index in 0..<people {
        let setup = ["email": "p\(index)@example.com", "userName": "p\(index)", "password": "correct horse"]
        #expect(try service.ask(1, "setup", setup).outcome == "accepted")
      }
    }
    func values(_ name: String) -> [String: String] {
      let email = ["email": name + "@example.com"]
      return request == "setup" ? email.merging(["userName": name, "password": "correct horse"]) { $1 } : email
    }
    for index in 0..<1_000 {
      service.send(Service.submit(10 + index, request, values("n\(index)")))
      if index % 100 == 99 { for _ in 0..<100 { _ = try service.nextAnswer() } }
    }
    for index in 0..<people {
      let answer = try service.ask(2_000 + index, request, values("p\(index)"))
      #expect(answer.outcome == (request == "setup" ? "challenge" : "notice"))
    }
    service.closeInput()
    #expect(service.wait() == (0, ""))
    let recipients = try mails.namesNow.map { try String(contentsOfFile: mails.outbox + "/" + $0, encoding: .utf8) }
    for index in 0..<people { #expect(recipients.contains { $0.contains("\nTo: p\(index)@example.com\n") }) }
  }

  @Test(arguments: [
    ("setup", ["email": "e#@example.com", "userName": "u#", "password": "correct horse"], "accepted"),
    ("forgotPassword", ["email": "e#@example.com"], "notice"),
  ])
  func `requests that create accounts or mails are limited for each client address, even if they succeed`(
    request: String, values: [String: String], outcome: String
  ) throws {
    let service = try Service(directory.file)
    func ask(_ id: Int, _ address: String) throws -> String? {
      let values = values.mapValues { $0.replacing("#", with: "\(id)") }
      let line = Service.submit(id, request, values)
      return try service.ask(
        line.replacing(#""locale":"en""#, with: #""locale":"en","context":{"address":"\#(address)"}"#)
      ).outcome
    }
    for id in 1...200 { #expect(try ask(id, "192.0.2.1:\(id)") == outcome) }
    #expect(try ask(300, "192.0.2.1:1") == "throttled")
    #expect(try ask(301, "[::ffff:192.0.2.1]:9") == "throttled")
    #expect(try ask(302, "192.0.2.2") == outcome)
  }

  @Test(arguments: ["nobody@example.com", "ada@example.com"])
  func `the service waits before it ends, whether or not it has a mail to deliver`(email: String) throws {
    for command in [[], try mails.script("cat > /dev/null")] {
      let service = try Service(directory.file, command)
      _ = try service.ask(1, "setup", ada)
      #expect(try service.ask(2, "forgotPassword", ["email": email]).outcome == "notice")
      let start = ContinuousClock.now
      service.closeInput()
      #expect(service.wait() == (0, ""))
      #expect(start.duration(to: .now) >= .milliseconds(250))
    }
  }
}

@Suite struct MailRoomTests {
  @Test func `a mail is refused while all slots for mails are taken, and accepted once a slot is released`()
    throws
  {
    let room = MailSlots(places: 8)
    let client = try #require(ClientAddress("192.0.2.1"))
    var places = (0..<6).map { _ in room.place(for: nil) }
    #expect(places.allSatisfy { $0 != nil })
    // Two places are reserved for clients with a known address.
    #expect(room.place(for: nil) == nil)
    places += [room.place(for: client), room.place(for: client)]
    #expect(places.allSatisfy { $0 != nil })
    #expect(room.place(for: client) == nil)
    places.removeFirst()
    #expect(room.place(for: nil) != nil)
    places.removeAll()
    let all = (0..<8).map { _ in room.place(for: client) }
    #expect(all.allSatisfy { $0 != nil } && room.place(for: nil) == nil)
  }
}

@Suite struct RepeatedReportTests {
  @Test func `the first twenty reports of a kind in a minute are printed, and afterwards the number of further ones`() {
    var report = RateLimitedReport("A mail could not be handed over")
    let lines = (0..<50).flatMap { report.lines("reason \($0)", now: 1_000 + UInt64($0)) }
    #expect(lines.count == 20 && lines[0] == "A mail could not be handed over: reason 0.")
    let next = report.lines("later", now: 61_000)
    #expect(next == ["A mail could not be handed over, 30 more times.", "A mail could not be handed over: later."])
    #expect(report.lines("later", now: 61_001) == ["A mail could not be handed over: later."])
  }
}
