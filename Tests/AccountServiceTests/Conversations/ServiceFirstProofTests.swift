import Foundation
import JSONCodec
import TestSupport
import Testing

/// Tests of accounts that a stranger has signed up with another person's address, and that this
/// person takes over.
@Suite(.waits) struct ServiceFirstProofTests {
  let directory: TemporaryDirectory
  let mails: Mails

  init() throws {
    directory = try TemporaryDirectory()
    mails = Mails(directory: directory.path)
  }

  private func subjects() throws -> [String] {
    try mails.namesNow.filter { $0.hasSuffix(".eml") }.compactMap {
      try String(contentsOfFile: mails.outbox + "/" + $0, encoding: .utf8).split(separator: "\n")
        .first { $0.hasPrefix("Subject: ") }.map { String($0.dropFirst("Subject: ".count)) }
    }.sorted()
  }

  @Test func `a user who resets the password of an account signed up by a stranger is told what was removed`() throws {
    let stranger = SoftwareKey()
    let service = try Service.withAda(directory.file, Service.passkeyOptions)
    try service.registerPasskey(stranger, 10)
    let underWay = try service.ask(20, "passkey", [:], supports: Service.both)
    _ = try service.ask(30, "forgotPassword", ["email": "ada@example.com"])
    let text = try mails.waiting {
      mails.namesNow.compactMap { try? String(contentsOfFile: mails.outbox + "/" + $0, encoding: .utf8) }
        .first { $0.contains("Subject: Your code for a new password") }
    } until: {
      $0 != nil
    }
    let values = ["email": "ada@example.com", "code": try Mails.code(text ?? ""), "password": "another horse"]
    let done = try service.ask(31, "resetPassword", values)
    #expect(done["result"]?["message"]?["code"]?.string == "resetDone.taking")
    // If the first answer was lost, a retry gets the same answer.
    let again = try service.ask(32, "resetPassword", values, retryOf: 31)
    #expect(again["result"]?["message"]?["code"]?.string == "resetDone.taking")
    #expect(try service.proceed(33, 20, json: underWay.used(by: stranger)).outcome != "accepted")
    let anew = try service.ask(34, "passkey", [:], supports: Service.both)
    #expect(try service.proceed(35, 34, json: anew.used(by: stranger)).outcome != "accepted")
    #expect(try service.ask(36, "login", ["userName": "ada", "password": "another horse"]).outcome == "accepted")
    service.closeInput()
    _ = service.wait()
    #expect(
      try subjects() == [
        "A passkey was added", "Passkeys and codes from before no longer count", "Your code for a new password",
        "Your password was changed",
      ])
    #expect(try Service.run(directory.file, ["show", "ada"]).output.contains("\nemail proved: yes\n"))
    #expect(try Service.run(directory.file, ["passkeys", "ada"]).output == "")
  }

  @Test func `malformed values in one account affect no other login`() throws {
    let service = try Service.withAda(directory.file)
    let spoilt = [
      #"{"x":"#, "", "null", "[1]", #"{"a":{"b":1}}"#, "}}\n{\"jsonrpc\":\"2.0\"", #"{"a b":1}"#, #"{"a":1,"a":2}"#,
      #"{"x":""# + String(repeating: "y", count: 2_000_000) + #""}"#,
    ]
    for (number, _) in spoilt.enumerated() {
      let values = ["email": "u\(number)@example.com", "userName": "u\(number)", "password": "correct horse"]
      _ = try service.ask(2 + number, "setup", values)
    }
    for (number, attributes) in spoilt.enumerated() {
      try directory.run("UPDATE accounts SET attributes = '\(attributes)' WHERE user_name = 'u\(number)'")
    }
    // This value is too long for a line of the protocol.
    try directory.run(
      "UPDATE accounts SET email = '\(String(repeating: "z", count: 1_100_000))' WHERE user_name = 'u0'")
    for number in spoilt.indices {
      let answer = try service.ask(100 + number, "login", ["userName": "u\(number)", "password": "correct horse"])
      #expect(number == 0 ? answer.errorCode == "accountsFailed" : answer.outcome == "accepted")
      #expect(answer["result"]?["data"]?["attributes"] == nil)
    }
    #expect(try service.ask(200, "login", adasLogin).outcome == "accepted")
    service.closeInput()
    #expect(service.wait().error.contains("The attributes of the account 3 cannot be read, and are left out.\n"))
    let exported = try Service.run(directory.file, ["export"])
    #expect(exported.status == 0)
    #expect(exported.error.contains("The attributes of the account 3 cannot be read, and are left out.\n"))
  }

  @Test func `mails come from the configured address, and their ids use its domain`() throws {
    let service = try Service(directory.file, ["--mail-from", "No-Reply@mail.example.com"])
    _ = try service.ask(1, "setup", ada)
    _ = try service.ask(2, "forgotPassword", ["email": "ada@example.com"])
    let text = try mails.text()
    #expect(text.hasPrefix("From: No-Reply@mail.example.com\n"))
    #expect(text.contains(/\nMessage-ID: <[^@>\n]+@mail\.example\.com>\n/))
    service.closeInput()
    _ = service.wait()
    _ = try Service.run(directory.file, ["passwd", "ada", "--mail-from", "root@example.org"], "another horse\n")
    #expect(try mails.text(2).hasPrefix("From: root@example.org\n"))
  }

  @Test(
    arguments: [
      ["--issuer", "Acme: Foo"], ["--issuer", " "], ["one-time-codes", "ada", "--issuer", "Ac\tme"],
      ["--mail-from", "Acme <a@example.com>"],
      ["--mail-from", "a@example.com\nBcc: b@example.com"], ["list", "--mail-from", "a@example.com"],
      ["--rp-id", "com", "--origin", "https://example.com"], ["--rp-id", "intranet", "--origin", "https://intranet"],
      ["--rp-id", "127.0.0.1", "--origin", "https://127.0.0.1"],
    ])
  func `the service does not start with option values that browsers, apps or mail programs would refuse`(
    arguments: [String]
  ) throws {
    let result = try Service.run(directory.file, arguments)
    #expect(result.status == 2)
    #expect(
      result.error.contains(arguments.first { $0.hasPrefix("--") } ?? "") || result.error.contains("options about mail")
    )
  }

  @Test
  func `a blocklist that mixes passwords and digests is refused at the start, and the error gives line and remedy`()
    throws
  {
    let list = directory.path + "/list"
    try ("# list\n" + String(repeating: "0A", count: 20) + "\n").write(toFile: list, atomically: true, encoding: .utf8)
    let result = try Service.run(directory.file, ["--blocklist", list])
    #expect(result.status == 1)
    #expect(
      result.error.contains("Line 2 of the blocklist is a digest, and line 1 is none: take away what is no digest"))
  }
}
