import Foundation
import JSONCodec
import TestSupport
import Testing

/// Tests of changes that logged-in users make to their own accounts.
@Suite struct ServicePersonTests {
  let directory: TemporaryDirectory
  let service: Service

  init() throws {
    directory = try TemporaryDirectory()
    service = try Service.withAda(directory.file, ["--clock", "manual", "--issuer", "Shop"])
  }

  private func ask(
    _ id: Int, _ request: String, _ values: [String: String] = ["password": "correct horse"],
    principal: String? = "ada",
    key: String? = nil
  ) throws -> JSONValue {
    let values = JSONValue.object(values.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }).text
    let who = principal.map { #","principal":"\#($0)""# } ?? ""
    return try service.ask(
      #"{"jsonrpc":"2.0","id":\#(id),"method":"authenticator/submit","params":{"attempt":\#(id),"request":"\#(request)","values":\#(values),"key":"\#(key ?? "k\(id)")"\#(who)}}"#
    )
  }

  private func login(_ id: Int, _ password: String = "correct horse") throws -> JSONValue {
    try service.ask(id, "login", ["userName": "ada", "password": password])
  }

  private func notice(_ answer: JSONValue) -> String? { answer["result"]?["message"]?["code"]?.string }

  private func codeTexts(_ answer: JSONValue) -> [String] {
    (answer["result"]?["screen"]?["sections"]?[0]?["items"]?.array ?? [])
      .filter { $0["kind"]?.string == "code" }.compactMap { $0["text"]?.string }
  }

  @Test func `a user can change the password with the current one, and can repeat the request if the answer was lost`()
    throws
  {
    let values = ["password": "correct horse", "new_password": "another horse"]
    var wrong = values
    wrong["password"] = "wrong horse"
    let refused = try ask(2, "changePassword", wrong)
    #expect((refused.reason, refused.code(of: "password")) == ("password.wrong", "password.wrong"))
    #expect(notice(try ask(3, "changePassword", values, key: "k")) == "passwordChanged")
    #expect(notice(try ask(4, "changePassword", values, key: "k")) == "passwordChanged")
    #expect(try ask(5, "changePassword", values).reason == "password.wrong")
    #expect(try login(6, "another horse").outcome == "accepted")
    let same = try ask(7, "changePassword", ["password": "another horse", "new_password": "another horse"])
    #expect(same.code(of: "new_password") == "newPassword.unchanged")
    let short = try ask(8, "changePassword", ["password": "another horse", "new_password": "short"])
    #expect(
      short["result"]?["items"]?["new_password"]?[0]?.text == #"{"code":"password.tooShort","params":{"length":9}}"#)
  }

  @Test(
    arguments: [
      "account", "changePassword", "changeEmail", "enrolOneTimeCodes", "removeOneTimeCodes", "newRecoveryCodes",
      "passkeys", "forgetDevices", "deleteAccount",
    ])
  func `requests that need a logged-in user do nothing without one`(request: String) throws {
    let values = ["password": "correct horse", "new_password": "another horse"]
    for principal in [nil, ""] {
      let answer = try ask(2, request, values, principal: principal)
      #expect((answer.errorCode, answer.errorNumber) == ("principalMissing", 109))
    }
    let gone = try ask(3, request, values, principal: "nobody")
    #expect(request == "deleteAccount" ? gone.outcome == "accepted" : gone.reason == "accountGone")
    #expect(try login(4).outcome == "accepted")
  }

  @Test func `an authenticator app is enrolled with its first code, and its codes are required from then on`() throws {
    let shown = try ask(2, "enrolOneTimeCodes")
    let texts = codeTexts(shown)
    #expect(texts.first?.hasPrefix("otpauth://totp/Shop:ada%40example.com?secret=") == true)
    let app = AuthenticatorApp(try #require(texts.last))
    #expect(notice(try ask(3, "account")) == "account.password")
    #expect(try service.proceed(4, 2, ["code": app.code(300_000)]).challengeError == "oneTimeCode.invalid")
    #expect(try login(5).outcome == "accepted")
    #expect(notice(try service.proceed(6, 2, ["code": app.code(0)], [.init("key", .string("z"))])) == "oneTimeCodesOn")
    // If the first answer was lost, a retry gets the same notice.
    #expect(notice(try service.proceed(7, 2, ["code": app.code(0)], [.init("key", .string("z"))])) == "oneTimeCodesOn")
    #expect(try service.proceed(8, 2, ["code": app.code(0)]).reason == "challengeExpired")
    #expect(try login(9).screen == "oneTimeCode")
    #expect(notice(try ask(10, "account")) == "account.oneTimeCodes")
    // From now on every change requires a code as well.
    #expect(
      try ask(11, "changePassword", ["password": "correct horse", "new_password": "another horse"]).screen
        == "oneTimeCode")
    #expect(try login(12, "another horse").reason == "invalidCredentials")
    _ = try service.ask(
      #"{"jsonrpc":"2.0","id":0,"method":"clock/advance","params":{"milliseconds":60000}}"#)
    #expect(notice(try service.proceed(13, 11, ["code": app.code(60_000)])) == "passwordChanged")
    #expect(try login(14, "another horse").screen == "oneTimeCode")
  }

  @Test func `recovery codes are valid once the user has saved them, and can be used instead of the app's code`() throws
  {
    #expect(try ask(2, "newRecoveryCodes").reason == "oneTimeCodes.none")
    #expect(try ask(3, "removeOneTimeCodes").reason == "oneTimeCodes.none")
    let app = AuthenticatorApp(try #require(codeTexts(try ask(4, "enrolOneTimeCodes")).last))
    _ = try service.proceed(5, 4, ["code": app.code(0)])
    func advance() throws {
      _ = try service.ask(#"{"jsonrpc":"2.0","id":0,"method":"clock/advance","params":{"milliseconds":30000}}"#)
    }
    try advance()
    #expect(try ask(6, "newRecoveryCodes").screen == "oneTimeCode")
    let codes = codeTexts(try service.proceed(7, 6, ["code": app.code(30_000)]))
    #expect(codes.count == 10)
    #expect(try ask(8, "account")["result"]?["message"]?["params"]?["left"]?.integer == 0)
    #expect(notice(try service.proceed(9, 6, [:])) == "recoveryCodesReplaced")
    #expect(try ask(10, "account")["result"]?["message"]?["params"]?["left"]?.integer == 10)
    #expect(try ask(11, "removeOneTimeCodes").screen == "oneTimeCode")
    #expect(try service.proceed(12, 11, [:], [.init("action", .string("recoveryCode"))]).screen == "recoveryCode")
    #expect(try service.proceed(13, 11, ["code": "0000-0000-0000-0000"]).challengeError == "recoveryCode.invalid")
    #expect(notice(try service.proceed(14, 11, ["code": codes[3]])) == "oneTimeCodesOff")
    #expect(try login(15).outcome == "accepted")
  }

  @Test func `after five wrong codes, a change to the account ends and is not made`() throws {
    let app = AuthenticatorApp(try #require(codeTexts(try ask(2, "enrolOneTimeCodes")).last))
    for id in 3..<7 {
      #expect(try service.proceed(id, 2, ["code": app.code(900_000)]).challengeError == "oneTimeCode.invalid")
    }
    #expect(try service.proceed(7, 2, ["code": app.code(900_000)]).reason == "oneTimeCode.tooManyTries")
    #expect(try service.proceed(8, 2, ["code": app.code(0)]).reason == "challengeExpired")
    #expect(try login(9).outcome == "accepted")
  }

  @Test func `if a change to the account is cancelled or expires, it is not made`() throws {
    let first = AuthenticatorApp(try #require(codeTexts(try ask(2, "enrolOneTimeCodes")).last))
    service.send(#"{"jsonrpc":"2.0","method":"authenticator/cancel","params":{"attempt":2}}"#)
    #expect(try service.proceed(3, 2, ["code": first.code(0)]).reason == "challengeExpired")
    let second = AuthenticatorApp(try #require(codeTexts(try ask(4, "enrolOneTimeCodes")).last))
    _ = try service.ask(#"{"jsonrpc":"2.0","id":0,"method":"clock/advance","params":{"milliseconds":600000}}"#)
    #expect(try service.proceed(5, 4, ["code": second.code(600_000)]).reason == "challengeExpired")
    #expect(try login(6).outcome == "accepted")
  }

  @Test func `a user can delete the account only by typing its password`() throws {
    #expect(try ask(2, "deleteAccount", ["password": "wrong"]).reason == "password.wrong")
    #expect(try ask(3, "deleteAccount").outcome == "accepted")
    #expect(try ask(4, "deleteAccount").outcome == "accepted")
    #expect(try login(5).reason == "invalidCredentials")
    #expect(try Service.run(directory.file, ["list"]).output == "")
  }

  @Test(.onFile) func `secrets that were shown to the user are not left in the accounts file`() throws {
    let shown = try ask(2, "enrolOneTimeCodes")
    let app = AuthenticatorApp(try #require(codeTexts(shown).last))
    _ = try service.proceed(3, 2, ["code": app.code(0)])
    for suffix in ["", "-wal"] {
      let data = try Data(contentsOf: URL(fileURLWithPath: directory.file + suffix))
      #expect(data.range(of: Data(app.text.utf8)) == nil)
    }
  }
}
