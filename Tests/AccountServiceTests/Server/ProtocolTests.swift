import CAccountLibraries
import Foundation
import JSONCodec
import TestSupport
import Testing

@Suite(.waits) struct ProtocolTests {
  let directory: TemporaryDirectory
  let service: Service

  init() throws {
    directory = try TemporaryDirectory()
    service = try Service(directory.file)
  }

  @Test func `a user who has signed up can log in`() throws {
    let setup = try service.ask(1, "setup", ada)
    #expect(
      setup.undatedText
        == #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted","principal":"ada","data":{"account":1,"email":"ada@example.com","userName":"ada"},"proofs":[{"factor":"pwd","at":0}]}}"#
    )
    for identifier in ["email", "userName"] {
      for name in ["ada", "ADA@example.com"] {
        #expect(try service.ask(2, "login", [identifier: name, "password": "correct horse"]).outcome == "accepted")
      }
    }
  }

  @Test func `a wrong password and an unknown account get the same answer`() throws {
    _ = try service.ask(1, "setup", ada)
    let wrong = try service.ask(2, "login", ["email": "ada@example.com", "password": "correct horsf"])
    let unknown = try service.ask(2, "login", ["email": "eve@example.com", "password": "correct horse"])
    #expect(wrong.text == unknown.text)
    #expect(
      wrong.text == #"{"jsonrpc":"2.0","id":2,"result":{"outcome":"rejected","reason":"invalidCredentials"}}"#)
  }

  @Test func `wrong values of a sign-up or a login are reported for each item`() throws {
    let answer = try service.ask(1, "setup", ["email": "ada", "userName": "", "password": "12345678"])
    #expect(answer.outcome == "rejected")
    #expect(answer["result"]?["reason"]?.string == "registrationRefused")
    #expect(answer.code(of: "email") == "email.invalid")
    #expect(answer.code(of: "userName") == "userName.missing")
    #expect(answer.code(of: "password") == "password.tooShort")
    #expect(answer["result"]?["items"]?["password"]?[0]?["params"]?["length"]?.integer == 9)
    let unusable = try service.ask(2, "login", ["userName": "a\0", "password": "b\0"])
    #expect(unusable.code(of: "userName") == "value.unusable")
    #expect(unusable.code(of: "password") == "value.unusable")
  }

  @Test func `a sign-up with a taken address and a taken user name gets a message for each item`() throws {
    _ = try service.ask(1, "setup", ada)
    let answer = try service.ask(2, "setup", ada)
    #expect(answer.code(of: "email") == "email.taken")
    #expect(answer.code(of: "userName") == "userName.taken")
    #expect(answer.code(of: "password") == nil)
  }

  @Test func `a password is compared by value, not by its JSON escaping`() throws {
    _ = try service.ask(1, "setup", ada)
    let line = Service.submit(2, "login", ["userName": "ada", "password": "PASSWORD"])
    let escaped = line.replacingOccurrences(of: "PASSWORD", with: #"\u0063orrect\u0020hors\u0065"#)
    #expect(try service.ask(escaped).outcome == "accepted")
  }

  @Test(
    arguments: [
      ("{", -32700, "parseError"), (#"{"id":5,"x":"\ud800"}"#, -32700, "parseError"),
      (#"{"id":5,"id":6}"#, -32700, "parseError"), ("[]", -32600, "invalidRequest"), ("7", -32600, "invalidRequest"),
      (#"{"jsonrpc":"1.0","id":5,"method":"authenticator/submit"}"#, -32600, "invalidRequest"),
      (#"{"jsonrpc":"2.0","id":5,"method":"session/open"}"#, -32601, "methodNotFound"),
      (#"{"jsonrpc":"2.0","id":5,"method":"clock/advance","params":{"milliseconds":1}}"#, -32601, "methodNotFound"),
      (#"{"jsonrpc":"2.0","id":5,"method":"authenticator/submit"}"#, -32602, "invalidParams"),
      (#"{"jsonrpc":"2.0","id":5,"method":"authenticator/submit","params":[]}"#, -32602, "invalidParams"),
      (
        #"{"jsonrpc":"2.0","id":5,"method":"authenticator/submit","params":{"attempt":-1,"request":"login","values":{}}}"#,
        -32602, "invalidParams"
      ),
      (
        #"{"jsonrpc":"2.0","id":5,"method":"authenticator/submit","params":{"attempt":1,"request":"login","values":{"password":"x"}}}"#,
        -32602, "invalidParams"
      ),
      (
        #"{"jsonrpc":"2.0","id":5,"method":"authenticator/submit","params":{"attempt":1,"request":"login","values":{"userName":"x","password":true}}}"#,
        -32602, "invalidParams"
      ),
      (
        #"{"jsonrpc":"2.0","id":5,"method":"authenticator/submit","params":{"attempt":1,"request":"pay","values":{}}}"#,
        100, "unsupportedRequest"
      ), (String(repeating: "x", count: 1 << 20 + 1), -32700, "parseError"),
    ])
  func `an unusable line gets an error, and the next line is processed`(line: String, number: Int, code: String) throws
  {
    let answer = try service.ask(line)
    #expect(answer.errorNumber == number)
    #expect(answer.errorCode == code)
    let hasOneID = line.hasPrefix("{\"") && line.contains(#""id":5"#) && !line.contains(#""id":6"#)
    #expect(hasOneID ? answer["id"]?.integer == 5 : answer["id"]?.isNull == true)
    #expect(try service.ask(9, "login", ["userName": "x", "password": "y"])["id"]?.integer == 9)
  }

  @Test func `blank lines, responses and notifications are not answered`() throws {
    service.send("")
    service.send("  \r")
    service.send(#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
    service.send(#"{"jsonrpc":"2.0","method":"nobody/knows"}"#)
    service.send(#"{"jsonrpc":"2.0","method":"authenticator/cancel","params":{"attempt":77}}"#)
    #expect(try service.ask(3, "login", ["userName": "x", "password": "y"])["id"]?.integer == 3)
  }

  @Test func `many requests at once are all answered, each with its id`() throws {
    for index in 1...100 {
      let values = ["email": "a\(index)@example.com", "userName": "a\(index)", "password": "correct horse"]
      service.send(Service.submit(index, "setup", values))
    }
    service.closeInput()
    var ids: Set<Int> = []
    while let line = try service.line() {
      let answer = try JSONValue(parsing: line)
      #expect(answer.outcome == "accepted")
      if let id = answer["id"]?.integer { ids.insert(id) }
    }
    #expect(ids == Set(1...100))
    let (status, error) = service.wait()
    #expect(status == 0)
    #expect(error == "")
  }

  @Test func `a cancelled request that no worker has started is not carried out`() throws {
    var lines = ""
    for index in 1...50 {
      let values = ["email": "a\(index)@example.com", "userName": "a\(index)", "password": "correct horse"]
      lines += Service.submit(index, "setup", values) + "\n"
    }
    lines += #"{"jsonrpc":"2.0","method":"authenticator/cancel","params":{"attempt":50}}"# + "\n"
    service.send(bytes: Array(lines.utf8))
    service.closeInput()
    var codes: [Int: String] = [:]
    while let line = try service.line() {
      let answer = try JSONValue(parsing: line)
      if let id = answer["id"]?.integer { codes[id] = answer.errorCode ?? answer.outcome }
    }
    #expect(codes.count == 50)
    #expect(codes[50] == "cancelled")
    #expect(
      try Service(directory.file).ask(1, "login", ["userName": "a50", "password": "correct horse"]).outcome
        == "rejected")
  }

  @Test func `SIGTERM lets pending requests finish`() throws {
    _ = try service.ask(1, "setup", ada)
    service.send(Service.submit(2, "login", ["userName": "ada", "password": "correct horse"]))
    _ = try service.nextAnswer()
    service.signal(SIGTERM)
    #expect(try service.line() == nil)
    #expect(service.wait().status == 0)
  }

  @Test(.onFile) func `after SIGTERM, the service does not wait for another program's lock`() throws {
    _ = try service.ask(1, "setup", ada)
    var connection: OpaquePointer?
    #expect(sqlite3_open(directory.file, &connection) == SQLITE_OK)
    defer { sqlite3_close_v2(connection) }
    #expect(sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    service.send(Service.submit(2, "login", ["userName": "ada", "password": "correct horse"]))
    // The event loop answers this line, so it has already received the login before it.
    _ = try service.ask("{}")
    service.signal(SIGTERM)
    // If the service had waited, there would be an answer that says that the file is locked.
    #expect(try service.line() == nil)
    #expect(service.wait().status == 0)
  }

  @Test func `the end of input ends the service`() throws {
    service.closeInput()
    #expect(try service.line() == nil)
    #expect(service.wait().status == 0)
  }

  @Test func `the service ends when the reader of its answers has gone`() throws {
    service.closeOutput()
    service.send("{}")
    #expect(service.wait().status == 0)
  }
}
