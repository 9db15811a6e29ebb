import JSONCodec
import TestSupport
import Testing

/// Two processes of the service stand for two hosts with the same accounts file and key file.
@Suite(.waits) struct ResumeTests {
  let directory: TemporaryDirectory
  let first: Service
  let second: Service
  let app: AuthenticatorApp

  init() throws {
    directory = try TemporaryDirectory()
    first = try Service.withAda(directory.file, ["--clock", "manual"])
    app = try Service.enrol(directory.file)
    try first.advance(60_000)
    second = try Service(directory.file, ["--clock", "manual"])
    try second.advance(60_000)
  }

  private func resume(_ token: String, _ attempt: Int, _ service: Service) throws -> JSONValue {
    let text = JSONValue.string(token).text
    return try service.ask(
      #"{"jsonrpc":"2.0","id":\#(attempt),"method":"authenticator/submit","params":{"attempt":\#(attempt),"request":"login","resume":\#(text),"values":{},"locale":"en"}}"#
    )
  }

  @Test func `a login that started in one process is completed in another, without the password`() throws {
    let asked = try first.ask(2, "login", adasLogin)
    let token = try #require(asked.resume)
    try second.advance(5_000)
    let again = try resume(token, 7, second)
    #expect(again.screen == "oneTimeCode")
    #expect(again.resume != nil && again.resume != token)
    let accepted = try second.proceed(8, 7, ["code": app.code(60_000)])
    #expect(accepted["result"]?["principal"]?.string == "ada")
    #expect(accepted["result"]?["proofs"]?.text == #"[{"factor":"pwd","at":60000},{"factor":"otp","at":65000}]"#)
    // The code is used up for both processes.
    #expect(try first.proceed(3, 2, ["code": app.code(60_000)]).challengeError == "oneTimeCode.invalid")
  }

  @Test func `a token for continuing a login is accepted only once, by any process`() throws {
    let token = try #require(try first.ask(2, "login", adasLogin).resume)
    #expect(try resume(token, 7, second).outcome == "challenge")
    #expect(try resume(token, 8, second).reason == "challengeExpired")
    #expect(try resume(token, 9, first).reason == "challengeExpired")
    // The conversation in which the token was issued can continue as well.
    #expect(try first.proceed(3, 2, ["code": app.code(60_000)]).outcome == "accepted")
  }

  @Test func `wrong codes count against the account, whichever server received them`() throws {
    var id = 10
    var service = first, other = second
    var asked = try first.ask(id, "login", adasLogin)
    var outcomes: [String?] = []
    for _ in 0..<8 {
      id += 2
      let token = try #require(asked.resume)
      asked = try resume(token, id, other)
      outcomes.append(try other.proceed(id + 1, id, ["code": app.code(900_000)]).outcome)
      (service, other) = (other, service)
    }
    #expect(outcomes.prefix(5).allSatisfy { $0 == "challenge" })
    #expect(outcomes.last == "throttled")
  }

  @Test func `a login that several servers continue in turn ends an hour after its password was entered`() throws {
    var token = try #require(try first.ask(2, "login", adasLogin).resume)
    for (move, service) in [second, first, second, first, second, first].enumerated() {
      for service in [first, second] { try service.advance(570_000) }
      token = try #require(try resume(token, 10 + move, service).resume)
    }
    // 57 minutes have passed since the password was entered, so the next token expires with the
    // rest of the hour.
    for service in [first, second] { try service.advance(180_000) }
    #expect(try resume(token, 20, second).reason == "challengeExpired")
  }

  @Test func `a token for continuing a login is void after ten minutes, a password change or disabling the account`()
    throws
  {
    let late = try #require(try first.ask(2, "login", adasLogin).resume)
    try second.advance(600_000)
    #expect(try resume(late, 7, second).reason == "challengeExpired")
    let changed = try #require(try first.ask(3, "login", adasLogin).resume)
    #expect(try Service.run(directory.file, ["passwd", "ada"], "another horse\n").status == 0)
    #expect(try resume(changed, 8, first).reason == "challengeExpired")
    let disabled = try #require(
      try first.ask(4, "login", ["email": "ada@example.com", "password": "another horse"]).resume)
    #expect(try Service.run(directory.file, ["disable", "ada"]).status == 0)
    #expect(try resume(disabled, 9, first).reason == "challengeExpired")
  }

  @Test func `a token for continuing a login is void if the account no longer requires a second factor`() throws {
    let token = try #require(try first.ask(2, "login", adasLogin).resume)
    #expect(try Service.run(directory.file, ["one-time-codes", "ada", "--off"]).status == 0)
    #expect(try resume(token, 7, second).reason == "challengeExpired")
  }

  @Test
  func `someone who has the accounts and key file, but not the pepper, cannot forge a token for continuing a login`()
    throws
  {
    let token = try #require(try first.ask(2, "login", adasLogin).resume)
    let other = try #require(try first.ask(3, "login", adasLogin).resume)
    let pepper = ["--pepper", directory.file("pepper"), "--clock", "manual"]
    let peppered = try Service(directory.file, pepper)
    try peppered.advance(60_000)
    #expect(try resume(token, 7, peppered).reason == "challengeExpired")
    let own = try #require(try peppered.ask(8, "login", adasLogin).resume)
    #expect(try resume(own, 9, peppered).screen == "oneTimeCode")
    // Once a password hash uses the pepper, a service without the pepper accepts no token.
    #expect(try Service.run(directory.file, ["passwd", "ada"] + pepper.prefix(2), "another horse\n").status == 0)
    #expect(try resume(other, 10, second)["error"] != nil)
  }

  @Test
  func `a token for continuing a login is refused if it is malformed or from a service with other accounts`() throws {
    let token = try #require(try first.ask(2, "login", adasLogin).resume)
    let flipped = String(token.dropLast()) + (token.hasSuffix("A") ? "B" : "A")
    let other = try TemporaryDirectory()
    let stranger = try Service.withAda(other.file, ["--clock", "manual"])
    _ = try Service.enrol(other.file)
    let foreign = try #require(try stranger.ask(2, "login", adasLogin).resume)
    for (index, text) in ["", "x", "ÄÖÜ", flipped, foreign, String(token.prefix(60)), token + "AAAA"].enumerated() {
      #expect(try resume(text, 10 + index, second).reason == "challengeExpired", "\(index)")
    }
    #expect(try resume(token, 30, second).outcome == "challenge")
  }

  @Test func `a login cannot be continued in another process once its code was entered`() throws {
    _ = try Service.run(directory.file, ["expire", "ada"])
    _ = try first.ask(2, "login", adasLogin)
    let asked = try first.proceed(3, 2, ["code": app.code(60_000)])
    #expect(asked.screen == "newPassword")
    #expect(asked.resume == nil)
  }
}
