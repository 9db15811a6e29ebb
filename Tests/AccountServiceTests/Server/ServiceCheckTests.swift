import Foundation
import JSONCodec
import TestSupport
import Testing

/// Tests of the checks of values while users type them.
@Suite(.waits) struct ServiceCheckTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func service(_ options: [String] = []) throws -> Service {
    let service = try Service(directory.file, options)
    let ada = ["email": "ada@example.com", "userName": "ada", "password": "correct horse"]
    #expect(try service.ask(1, "setup", ada).outcome == "accepted")
    return service
  }

  /// Returns the outcome of a check and the code of its message.
  private func verdict(_ service: Service, _ request: String, _ item: String, _ value: String) throws -> [String?] {
    let line = Service.submit(2, request, [item: value])
      .replacing("authenticator/submit", with: "authenticator/check")
      .replacing(#""request""#, with: #""item":"\#(item)","request""#)
    let answer = try service.ask(line)
    return [answer.outcome, answer["result"]?["message"]?["code"]?.string]
  }

  @Test(
    "without further options, the check of a typed value depends only on the value and not on the accounts",
    arguments: [
      ("setup", "email", "ada@", "email.invalid"), ("setup", "userName", "a@b", "userName.invalid"),
      ("setup", "userName", "", "userName.missing"), ("setup", "password", "12345678", "password.tooShort"),
      ("resetPassword", "password", "", "password.missing"),
      ("resetPassword", "password", "1234567", "password.tooShort"),
      ("setup", "password", "123456789", "password.common"), ("setup", "password", "7r5kq2w8v", nil),
      ("setup", "nickname", "", nil), ("login", "userName", "a@b@c", nil), ("login", "password", "x", nil),
    ])
  func values(request: String, item: String, value: String, code: String?) throws {
    #expect(try verdict(service(), request, item, value) == [code == nil ? "valid" : "invalid", code])
  }

  @Test(
    "the check of a typed value reveals that a name is taken only if the operator allows it",
    arguments: [true, false])
  func taken(usesSteps: Bool) throws {
    let service = try service(usesSteps ? ["--tell-taken-names"] : [])
    #expect(
      try verdict(service, "setup", "userName", "ADA") == (usesSteps ? ["invalid", "userName.taken"] : ["valid", nil]))
    #expect(
      try verdict(service, "setup", "email", "ada@EXAMPLE.com")
        == (usesSteps ? ["invalid", "email.taken"] : ["valid", nil]))
    #expect(try verdict(service, "setup", "userName", "bob") == ["valid", nil])
    #expect(try verdict(service, "setup", "userName", "ada@example.com") == ["invalid", "userName.invalid"])
    for request in ["login", "forgotPassword"] {
      #expect(try verdict(service, request, "email", "ada@example.com") == ["valid", nil])
    }
  }

  @Test("the number of checks that may reveal a taken name is limited, and the limit does not affect sign-ups")
  func limited() throws {
    let service = try service(["--tell-taken-names", "--clock", "manual"])
    for _ in 0...100 { #expect(try verdict(service, "setup", "userName", "ada").first == "invalid") }
    #expect(try verdict(service, "setup", "userName", "ada") == ["valid", nil])
    #expect(try verdict(service, "setup", "userName", "bob") == ["valid", nil])
    let bob = ["email": "bob@example.com", "userName": "bob", "password": "correct horse"]
    #expect(try service.ask(3, "setup", bob).outcome == "accepted")
    _ = try service.ask(#"{"jsonrpc":"2.0","id":4,"method":"clock/advance","params":{"milliseconds":1000}}"#)
    #expect(try verdict(service, "setup", "userName", "ada").first == "invalid")
  }

  /// The event loop's own answers are sent in the order of the lines. A worker's answers are sent
  /// later.
  @Test("while a password is looked up in a blocklist on disk, other requests are answered")
  func list() throws {
    let list = directory.file("list")
    try "another horse\nbattery staple\n".write(toFile: list, atomically: true, encoding: .utf8)
    let service = try service(["--blocklist", list])
    let check = Service.submit(2, "setup", ["password": "battery staple"])
      .replacing("authenticator/submit", with: "authenticator/check")
      .replacing(#""request""#, with: #""item":"password","request""#)
    service.send(check + "\n" + #"{"jsonrpc":"2.0","id":3,"method":"authenticator/nothing"}"#)
    #expect(try service.nextAnswer().errorCode == "methodNotFound")
    #expect(try service.nextAnswer()["result"]?["message"]?["code"]?.string == "password.common")
  }

  @Test("the check of a typed value gets an error if the value is missing") func wrong() throws {
    let service = try service()
    for params in [
      "{}", #"{"attempt":2,"request":"setup","item":"userName"}"#,
      #"{"attempt":2,"request":"setup","item":"userName","values":{}}"#,
      #"{"attempt":2,"request":"setup","item":"password","values":{"password":7}}"#,
    ] {
      let answer = try service.ask(#"{"jsonrpc":"2.0","id":2,"method":"authenticator/check","params":\#(params)}"#)
      #expect(answer.errorCode == "invalidParams")
    }
  }
}
