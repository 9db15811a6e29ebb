import Foundation
import JSONCodec
import TestSupport
import Testing

/// Tests of the requirements for new passwords, from the options and from the flow.
@Suite(.waits) struct NewPasswordTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Returns the code of the message about a password at sign-up. Nil if the password is accepted.
  private func verdict(_ password: String, _ options: [String]) throws -> String? {
    let service = try Service(directory.file, options)
    let values = ada.merging(["password": password]) { $1 }
    let answer = try service.ask(1, "setup", values)
    let check = try service.ask(
      #"{"jsonrpc":"2.0","id":2,"method":"authenticator/check","params":{"attempt":2,"request":"setup","item":"password","values":{"password":"\#(password)"}}}"#
    )
    let message = answer["result"]?["items"]?["password"]?[0]
    let code = message?["code"]?.string
    // The check of a typed password does not know the user's names.
    if code != "password.guessable" { #expect(check["result"]?["message"]?["code"]?.string == code) }
    return message?["params"]?["length"]?.integer.map { "\($0)" } ?? code
  }

  @Test
  func `the minimum length of passwords is that of the option, else that of the flow, else fifteen characters`()
    throws
  {
    #expect(try verdict("8 chars!", []) == "9")
    let flow = try flow { $0.replacing(#""length": 9"#, with: #""length": 12"#) }
    #expect(try verdict("11 chars!!!", ["--flow", flow]) == "12")
    #expect(try verdict("11 chars!!!", ["--flow", flow, "--minimum-password-length", "20"]) == "20")
    let without = try self.flow {
      $0.replacing(
        #/,\s*\{\s*"rule": "minLength",\s*"length": 9,\s*"message": "password.tooShort"\s*\}/#, with: "")
    }
    #expect(try verdict("fourteen chars", ["--flow", without]) == "15")
    let weak = try self.flow { $0.replacing(#""length": 9"#, with: #""length": 1"#) }
    #expect(try verdict("7 chars", ["--flow", weak]) == "8")
    #expect(try verdict("fourteen chars", ["--minimum-password-length", "14"]) == nil)
  }

  @Test
  func `with an unusable flow definition, passwords need as many characters as with a flow without length rules`()
    throws
  {
    let flow = directory.file("flow.json")
    try "no flow".write(toFile: flow, atomically: true, encoding: .utf8)
    #expect(try verdict("fourteen chars", ["--flow", flow]) == "15")
  }

  @Test func `after an administrator has replaced a lost pepper, passwords with the old pepper must be set anew`()
    throws
  {
    let (first, second) = (["--pepper", directory.file("pepper")], ["--pepper", directory.file("other")])
    let bob = ["email": "bob@example.com", "userName": "bob", "password": "correct horse"]
    let before = try Service(directory.file, first)
    #expect(try before.ask(1, "setup", ada).outcome == "accepted")
    #expect(try before.ask(2, "setup", bob).outcome == "accepted")
    try FileManager.default.removeItem(atPath: directory.file("pepper"))
    #expect(try Service.run(directory.file, ["passwd", "ada"] + second, "another horse\n").status == 1)
    let replaced = try Service.run(directory.file, ["passwd", "ada", "--replace-pepper"] + second, "another horse\n")
    #expect(replaced.status == 0 && replaced.error == "")
    let service = try Service(directory.file, second)
    #expect(try service.ask(3, "login", ["userName": "ada", "password": "another horse"]).outcome == "accepted")
    for name in ["bob", "nobody"] {
      #expect(try service.ask(4, "login", ["userName": name, "password": "correct horse"]).outcome == "rejected")
    }
    #expect(try Service.run(directory.file, ["passwd", "bob"] + second, "a third horse\n").status == 0)
    #expect(try service.ask(5, "login", ["userName": "bob", "password": "a third horse"]).outcome == "accepted")
  }

  @Test func `passwords set by an administrator need fifteen characters, or the minimum of a flow or option`() throws {
    let add = ["add", "--email", "ada@example.com", "--user-name", "ada"]
    let run = { (options: [String]) throws -> String in
      let service = try Service(directory.file, add + options)
      service.send("correct horse")
      service.closeInput()
      return service.wait().error
    }
    #expect(try run([]).contains("at least 15 characters"))
    #expect(try run(["--minimum-password-length", "14"]).contains("at least 14 characters"))
    #expect(try run(["--flow", flow { $0 }]) == "")
  }

  @Test func `common passwords and passwords made of names are refused with the reason`() throws {
    #expect(try verdict("Passw0rd2024", []) == "password.common")
    #expect(try verdict("ada@example.com", []) == "password.guessable")
    #expect(try verdict("Ac-me 1234567", ["--service-name", "ACME"]) == nil)
  }

  @Test(arguments: [["--service-name", "Hedgehog Bank"], ["--context-word", "x", "--context-word", "hedgehog"]])
  func `passwords made of the service's names are refused`(options: [String]) throws {
    #expect(try verdict("Hedgeh0g2024", options) == "password.guessable")
    #expect(try verdict("hedgehogs at sea", options) == nil)
  }

  @Test func `passwords on a blocklist are refused, and an unsorted blocklist keeps the service from starting`() throws
  {
    let list = directory.file("list")
    try "another horse\ncorrect horse\n".write(toFile: list, atomically: true, encoding: .utf8)
    #expect(try verdict("another horse", ["--blocklist", list]) == "password.common")
    #expect(try verdict("a third horse", ["--blocklist", list]) == nil)
    #expect(try Service.run(directory.file, ["check", "--blocklist", list]).output == "")
    try "correct horse\nanother horse\n".write(toFile: list, atomically: true, encoding: .utf8)
    let line = "Line 2 of the blocklist belongs before the line above it"
    let service = try Service(directory.file, ["--blocklist", list])
    let end = service.wait()
    #expect(end.status == 1 && end.error.contains(line))
    let check = try Service.run(directory.file, ["check", "--blocklist", list])
    #expect(check.status == 1 && check.output.contains(line))
  }

  @Test func `if a blocklist becomes invalid while it is in use, sign-ups get an error`() throws {
    let list = directory.file("list")
    try "another horse\n".write(toFile: list, atomically: true, encoding: .utf8)
    let service = try Service(directory.file, ["--blocklist", list])
    #expect(try service.ask(7, "login", ["userName": "ada", "password": "x"]).outcome == "rejected")
    try "b\na\n".write(toFile: list, atomically: true, encoding: .utf8)
    #expect(try service.ask(1, "setup", ada).errorCode == "accountsFailed")
    try "another horse\n".write(toFile: list, atomically: true, encoding: .utf8)
    #expect(try service.ask(2, "setup", ada).outcome == "accepted")
  }

  @Test func `users cannot log in if the pepper is missing, and the service reports that`() throws {
    let pepper = ["--pepper", directory.file("pepper")]
    #expect(try Service(directory.file, pepper).ask(1, "setup", ada).outcome == "accepted")
    let login = ["userName": "ada", "password": "correct horse"]
    #expect(try Service(directory.file, pepper).ask(2, "login", login).outcome == "accepted")
    let service = try Service(directory.file)
    for name in ["ada", "nobody"] {
      #expect(
        try service.ask(3, "login", ["userName": name, "password": "correct horse"]).errorCode == "accountsKeyUnusable"
      )
    }
    service.closeInput()
    #expect(service.wait().error.contains("The pepper is missing"))
    #expect(try Service.run(directory.file, ["passwd", "ada"] + pepper, "another horse\n").status == 0)
    #expect(try Service.run(directory.file, ["passwd", "ada"], "a third horse\n").error.contains("--pepper"))
  }

  @Test(
    arguments: [
      ["--minimum-password-length", "7"], ["--minimum-password-length", "65"], ["list", "--service-name", "x"],
      ["list", "--minimum-password-length", "9"], ["list", "--blocklist", "x"], ["list", "--flow", "x"],
      ["list", "--pepper", "x"], ["remove", "ada", "--pepper", "x"], ["check", "--pepper", "x"],
      ["recovery-codes", "ada", "--pepper", "x"], ["--replace-pepper"],
      ["add", "--email", "a@b", "--user-name", "a", "--send-reset"], ["expire", "ada", "--outbox", "x"],
    ])
  func `password options that do not apply to the command or are out of range are reported`(arguments: [String]) throws
  {
    #expect(try Service.run(directory.file, arguments).status == 2)
  }

  /// Returns a flow definition that is a changed copy of the standard one.
  private func flow(_ change: (String) -> String) throws -> String {
    let standard = try String(
      contentsOf: Checkout.root.appending(path: "protocol/flows/standard.json"), encoding: .utf8)
    let file = directory.file("flow\(UInt32.random(in: 0...(.max))).json")
    try change(standard).write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }
}
