import JSONCodec
import TestSupport
import Testing

@Suite struct LimitTests {
  let directory: TemporaryDirectory
  let service: Service

  init() throws {
    directory = try TemporaryDirectory()
    service = try Service.withAda(directory.file, ["--clock", "manual"])
  }

  private func login(_ id: Int, _ name: String, _ password: String) throws -> JSONValue {
    try service.ask(id, "login", ["userName": name, "password": password])
  }

  private func run(_ arguments: [String], _ input: String = "") throws -> (status: Int32, output: String, error: String)
  {
    try Service.run(directory.file, arguments, input)
  }

  /// Enters a hundred wrong passwords, and waits before each one until the service accepts it.
  private func lock(_ name: String, from start: Int) throws {
    for id in start..<(start + 100) {
      _ = try service.ask(
        #"{"jsonrpc":"2.0","id":0,"method":"clock/advance","params":{"milliseconds":\#(id == start ? 0 : 900000)}}"#)
      #expect(try login(id, name, "wrong").reason == "invalidCredentials")
    }
  }

  @Test
  func `a locked name gets the same answer whether or not it belongs to an account, until it is unlocked`() throws {
    try lock("ada", from: 100)
    try lock("nobody", from: 300)
    let expected = #"{"outcome":"rejected","reason":"tooManyFailures"}"#
    for (id, name, password) in [(500, "nobody", "wrong"), (501, "nobody", "correct horse")] {
      #expect(try login(id, name, password)["result"]?.text == expected)
    }
    // More than a day has passed since ada's last wrong password, so the lock of the name no longer
    // shows.
    #expect(try login(502, "ada", "correct horse").reason == "invalidCredentials")
    #expect(try run(["list"]).output.hasSuffix("\t-\tlocked\t-\n"))
    #expect(try run(["unlock", "ada@example.com"]).status == 0)
    #expect(try login(503, "ada", "correct horse").outcome == "accepted")
  }

  @Test func `a hundred wrong recovery codes lock an account's codes, which only a user with the password learns`()
    throws
  {
    let codes = try Service.codes(directory.file, count: 2)
    var id = 10
    func begin() throws -> JSONValue {
      id += 1
      return try login(id, "ada", "correct horse")
    }
    func answer(_ code: String, to login: Int) throws -> JSONValue {
      id += 1
      return try service.proceed(id, login, ["code": code])
    }
    var wrong = 0
    while wrong < 100 {
      // Some of the delays are longer than a login may take.
      try service.advance(900_000)
      #expect(try begin().screen == "recoveryCode")
      let login = id
      var last: JSONValue
      repeat {
        last = try answer("0000-0000-0000-0000", to: login)
        if last.outcome != "throttled" { wrong += 1 }
      } while last.outcome == "challenge" && wrong < 100
    }
    #expect(try begin().outcome == "challenge")
    #expect(try answer(codes[0], to: id).reason == "recoveryCode.locked")
    #expect(try run(["show", "ada"]).output.contains("locked"))
    #expect(try run(["unlock", "ada"]).status == 0)
    #expect(try begin().outcome == "challenge")
    #expect(try answer(codes[0], to: id).outcome == "accepted")
  }

  @Test func `only a user with the password learns that an account is disabled`() throws {
    #expect(try run(["disable", "ada"]).status == 0)
    #expect(try run(["list"]).output.contains("\t-\tdisabled\t-\n"))
    #expect(try login(2, "ada", "wrong").reason == "invalidCredentials")
    #expect(try login(3, "ada", "correct horse").reason == "accountDisabled")
    #expect(try run(["enable", "ada"]).status == 0)
    #expect(try login(4, "ada", "correct horse").outcome == "accepted")
    #expect(try run(["show", "ada"]).output.contains("\nstate: -\n"))
    #expect(try run(["show", "ada"]).output.contains("\nlast login: 1970-01-01T00:00:00Z\n"))
  }

  @Test(arguments: ["login", "setup", "forgotPassword", "resetPassword"])
  func `a client has to wait after many failures with any request, and other clients do not`(request: String)
    throws
  {
    func ask(_ id: Int, _ address: String) throws -> JSONValue {
      let values =
        #"{"email":"n\#(id)@example.com","userName":"@","password":"\#(request == "login" ? "wrong" : "short")","code":"x"}"#
      let login = #"{"userName":"n\#(id)","password":"wrong"}"#
      return try service.ask(
        #"{"jsonrpc":"2.0","id":\#(id),"method":"authenticator/submit","params":{"attempt":\#(id),"request":"\#(request)","values":\#(request == "login" ? login : values),"context":{"address":"\#(address)"}}}"#
      )
    }
    for id in 2..<202 { #expect(try ask(id, "192.0.2.1").outcome != "throttled") }
    #expect(try ask(300, "192.0.2.1")["result"]?.text == #"{"outcome":"throttled","retryAfterMs":1000}"#)
    #expect(try ask(301, "192.0.2.2").outcome != "throttled")
    // Without a client address, no failures are counted.
    #expect(try service.ask(302, "login", ["userName": "ada", "password": "correct horse"]).outcome == "accepted")
  }

  @Test func `a login is accepted even if its context has an invalid client address`() throws {
    for (index, context) in [#"{"address":7}"#, #"{"address":""}"#, #"{"address":"a\u0000b"}"#, "[]", "{}"].enumerated()
    {
      let answer = try service.ask(
        #"{"jsonrpc":"2.0","id":2,"method":"authenticator/submit","params":{"attempt":\#(index + 2),"request":"login","values":{"userName":"ada","password":"correct horse"},"context":\#(context)}}"#
      )
      #expect(answer.outcome == "accepted")
    }
  }
}
