import Foundation
import JSONCodec
import TestSupport
import Testing

@Suite(.waits) struct ConversationTests {
  let directory: TemporaryDirectory
  let service: Service
  static let wrong = ["code": "0000-0000-0000-0000"]

  init() throws {
    directory = try TemporaryDirectory()
    service = try Service.withAda(directory.file, ["--clock", "manual"])
  }

  @Test func `a recovery code is required after the right password, and each code works for one login`() throws {
    let codes = try Service.codes(directory.file)
    let question = try service.ask(2, "login", adasLogin)
    #expect(
      question.textWithoutResume
        == #"{"jsonrpc":"2.0","id":2,"result":{"outcome":"challenge","screen":{"id":"recoveryCode","title":"recoveryCode.title","sections":[{"id":"recoveryCode","items":[{"id":"about","kind":"text","title":"recoveryCode.text"},{"id":"code","apiKey":"code","kind":"input","inputType":"oneTimeCode","keyboard":"ascii","autofill":"one-time-code","title":"recoveryCode.code","rules":[{"rule":"required","message":"recoveryCode.missing"}]}]}]},"expiresInMs":600000}}"#
    )
    let wrong = try service.proceed(3, 2, Self.wrong)
    #expect(
      wrong.textWithoutResume
        == #"{"jsonrpc":"2.0","id":3,"result":{"outcome":"challenge","error":{"code":"recoveryCode.invalid"},"items":{"code":[{"code":"recoveryCode.invalid"}]}}}"#
    )
    let accepted = try service.proceed(4, 2, ["code": codes[0].lowercased()])
    #expect(
      accepted.text
        == #"{"jsonrpc":"2.0","id":4,"result":{"outcome":"accepted","principal":"ada","data":{"account":1,"email":"ada@example.com","userName":"ada","recoveryCode":{"number":1,"count":3,"left":2}},"proofs":[{"factor":"pwd","at":0},{"factor":"otp","at":0}]}}"#
    )
    #expect(try service.ask(5, "login", adasLogin).screen == "recoveryCode")
    let used = try service.proceed(3, 5, ["code": codes[0]])
    #expect(used.textWithoutResume == wrong.textWithoutResume)
    #expect(try service.proceed(7, 5, ["code": codes[1]]).outcome == "accepted")
  }

  @Test
  func `an expired password must be replaced, but only after a recovery code if the account has recovery codes`() throws
  {
    let codes = try Service.codes(directory.file)
    #expect(try Service.run(directory.file, ["expire", "ada"]).status == 0)
    #expect(try service.ask(2, "login", adasLogin).screen == "recoveryCode")
    let question = try service.proceed(3, 2, ["code": codes[0]])
    #expect(
      question.text
        == #"{"jsonrpc":"2.0","id":3,"result":{"outcome":"challenge","screen":{"id":"newPassword","title":"newPassword.heading","sections":[{"id":"newPassword","items":[{"id":"about","kind":"text","title":"newPassword.text"},{"id":"email","kind":"input","inputType":"email","autofill":"username","title":"email.title","readOnly":true,"value":"ada@example.com"},{"id":"password","apiKey":"password","kind":"input","inputType":"newPassword","autofill":"new-password","title":"newPassword.title","rules":[{"rule":"required","message":"newPassword.missing"},{"rule":"minLength","length":8,"message":"password.tooShort"}]},{"id":"repetition","kind":"input","inputType":"newPassword","autofill":"new-password","title":"newPassword.repetition","rules":[{"rule":"required","message":"newPassword.repetitionMissing"},{"rule":"equalTo","item":"password","message":"newPassword.different"}]}]}]},"notice":{"code":"recoveryCode.used","params":{"number":1,"count":3,"left":2},"severity":"info"},"expiresInMs":600000}}"#
    )
    for (password, code) in [
      ("correct horse", "newPassword.unchanged"), ("", "newPassword.missing"), ("short", "password.tooShort"),
      ("long enough\0", "value.unusable"),
    ] {
      let answer = try service.proceed(4, 2, ["password": password])
      #expect(answer.outcome == "challenge")
      #expect(answer.challengeError == code)
      #expect(answer.code(of: "password") == code)
      #expect(answer.screen == nil)
    }
    let short = try service.proceed(5, 2, ["password": "short"])
    #expect(short["result"]?["error"]?["params"]?["length"]?.integer == 8)
    #expect(try service.proceed(6, 2, ["password": "another horse"]).outcome == "accepted")
    #expect(try service.ask(7, "login", adasLogin).outcome == "rejected")
    let again = ["userName": "ada", "password": "another horse"]
    #expect(try service.ask(8, "login", again).screen == "recoveryCode")
    #expect(try service.proceed(9, 8, ["code": codes[1]]).outcome == "accepted")
  }

  @Test func `the fifth wrong recovery code ends the login, and the next code for the account has to wait`() throws {
    let codes = try Service.codes(directory.file)
    _ = try service.ask(2, "login", adasLogin)
    for id in 3...6 { #expect(try service.proceed(id, 2, Self.wrong).outcome == "challenge") }
    let fifth = try service.proceed(7, 2, Self.wrong)
    #expect(
      fifth.text
        == #"{"jsonrpc":"2.0","id":7,"result":{"outcome":"rejected","reason":"recoveryCode.tooManyTries"}}"#)
    #expect(try service.proceed(8, 2, ["code": codes[0]]).reason == "challengeExpired")
    _ = try service.ask(9, "login", adasLogin)
    let waiting = try service.proceed(10, 9, ["code": codes[0]])
    #expect(waiting.text == #"{"jsonrpc":"2.0","id":10,"result":{"outcome":"throttled","retryAfterMs":1000}}"#)
    try service.advance(1_000)
    #expect(try service.proceed(11, 9, ["code": codes[0]]).outcome == "accepted")
  }

  @Test func `wrong codes are counted across restarts of the service`() throws {
    let codes = try Service.codes(directory.file)
    _ = try service.ask(2, "login", adasLogin)
    for id in 3...7 { _ = try service.proceed(id, 2, Self.wrong) }
    service.signal(SIGKILL)
    _ = service.wait()
    let next = try Service(directory.file, ["--clock", "manual"])
    _ = try next.ask(8, "login", adasLogin)
    #expect(try next.proceed(9, 8, ["code": codes[0]]).outcome == "throttled")
  }

  @Test func `each challenge of a login expires after ten minutes`() throws {
    let codes = try Service.codes(directory.file)
    _ = try Service.run(directory.file, ["expire", "ada"])
    _ = try service.ask(2, "login", adasLogin)
    try service.advance(599_999)
    #expect(try service.proceed(3, 2, ["code": codes[0]]).screen == "newPassword")
    try service.advance(599_999)
    #expect(try service.proceed(4, 2, ["password": "short"]).challengeError == "password.tooShort")
    try service.advance(1)
    let late = try service.proceed(5, 2, ["password": "another horse"])
    #expect(late.text == #"{"jsonrpc":"2.0","id":5,"result":{"outcome":"rejected","reason":"challengeExpired"}}"#)
    #expect(try service.ask(6, "login", adasLogin).screen == "recoveryCode")
  }

  @Test func `cancelling a login that waits for a code ends its conversation and no other`() throws {
    let codes = try Service.codes(directory.file)
    _ = try service.ask(2, "login", adasLogin)
    _ = try service.ask(3, "login", adasLogin)
    service.cancel(2)
    #expect(try service.proceed(4, 2, ["code": codes[0]]).reason == "challengeExpired")
    #expect(try service.proceed(5, 3, ["code": codes[0]]).outcome == "accepted")
  }

  @Test func `a login cancelled while its password is checked leaves no conversation`() throws {
    let codes = try Service.codes(directory.file)
    service.send(Service.submit(2, "login", adasLogin))
    service.cancel(2)
    // The login may have been answered before the service read the cancellation.
    _ = try service.nextAnswer()
    #expect(try service.proceed(3, 2, ["code": codes[0]]).reason == "challengeExpired")
    #expect(try service.ask(4, "login", adasLogin).screen == "recoveryCode")
    #expect(try service.proceed(5, 4, ["code": codes[0]]).outcome == "accepted")
  }

  @Test func `a poll of a challenge gets the same challenge again, and is not counted as an attempt`() throws {
    let codes = try Service.codes(directory.file)
    let question = try service.ask(2, "login", adasLogin)
    let poll = JSONValue.Member("poll", .bool(true))
    for id in 3...12 { #expect(try service.proceed(id, 2, [:], [poll])["result"] == question["result"]) }
    #expect(try service.proceed(13, 2, ["code": codes[0]]).outcome == "accepted")
    #expect(try service.proceed(14, 2, [:], [poll]).reason == "challengeExpired")
  }

  @Test func `a malformed answer to a challenge gets an error and changes nothing`() throws {
    let codes = try Service.codes(directory.file)
    _ = try service.ask(2, "login", adasLogin)
    let good = Service.proceed(3, 2, ["code": codes[0]])
    for (line, param) in [
      (Service.proceed(3, 2, ["code": codes[0]], [.init("action", .string("resend"))]), "action"),
      (Service.proceed(3, 2, ["password": "x"]), "code"), (Service.proceed(3, 2, [:]), "code"),
      (good.replacingOccurrences(of: #""id":3"#, with: #""id":"3""#), "id"),
      (good.replacingOccurrences(of: #""attempt":2"#, with: #""attempt":"2""#), "attempt"),
      (good.replacingOccurrences(of: #""values""#, with: #""value""#), "values"),
      (good.replacingOccurrences(of: #""attempt":2"#, with: #""attempt":2,"retryOf":"x""#), "retryOf"),
    ] {
      let answer = try service.ask(line)
      #expect(answer.errorCode == "invalidParams")
      #expect(answer["error"]?["data"]?["param"]?.string == param)
    }
    #expect(try service.proceed(4, 77, ["code": codes[0]]).reason == "challengeExpired")
    // A notification cannot be answered, so the service ignores this line.
    service.send(good.replacingOccurrences(of: #""id":3,"#, with: ""))
    #expect(try service.ask(good).outcome == "accepted")
  }

  @Test func `a second answer to a challenge is refused while the first answer is checked`() throws {
    let codes = try Service.codes(directory.file)
    _ = try service.ask(2, "login", adasLogin)
    let lines = [Service.proceed(3, 2, Self.wrong), Service.proceed(4, 2, ["code": codes[0]])]
    service.send(bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
    let answers = [try service.nextAnswer(), try service.nextAnswer()]
    let (first, second) = (answers.first { $0["id"]?.integer == 3 }, answers.first { $0["id"]?.integer == 4 })
    #expect(first?.challengeError == "recoveryCode.invalid")
    #expect(second?.errorCode == "invalidParams")
    #expect(try service.proceed(5, 2, ["code": codes[0]]).outcome == "accepted")
  }

  @Test func `if an administrator changes an account, its pending logins end`() throws {
    let codes = try Service.codes(directory.file)
    _ = try service.ask(2, "login", adasLogin)
    _ = try Service.run(directory.file, ["passwd", "ada"], "another horse\n")
    #expect(try service.proceed(3, 2, ["code": codes[0]]).reason == "challengeExpired")
    _ = try service.ask(4, "login", ["userName": "ada", "password": "another horse"])
    _ = try Service.run(directory.file, ["recovery-codes", "ada", "--off"])
    #expect(try service.proceed(5, 4, ["code": codes[0]]).reason == "challengeExpired")
    #expect(try service.ask(6, "login", ["userName": "ada", "password": "another horse"]).outcome == "accepted")
  }
}
