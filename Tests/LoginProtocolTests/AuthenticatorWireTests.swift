import AuthenticatorKit
import JSONCodec
import LoginMachine
import LoginProtocol
import Testing

/// The lines that the engine writes to an authenticator.
struct AuthenticatorWireTests {
  /// The line of a question from the standard login screen with these values.
  private func line(
    email: String, secret: String, retries: Int = 0, fields: [String?] = [], from origin: QuestionOrigin = .plain
  ) throws -> [UInt8] {
    // Any text can be entered, because the screen has no rules.
    let flow = try standardFlow()
    var items = flow.screens[0].items
    for index in items.indices {
      items[index].rules = []
      items[index].field = index < fields.count ? fields[index] : nil
    }
    let free = flow.with(screens: [flow.screens[0].with(items: items), flow.screens[1]])
    var machine = SessionMachine(flow: free, screen: 0)
    _ = machine.change(0, to: Array(email.utf8).span)
    _ = machine.changeSecret(1, isFilled: !secret.isEmpty, failing: RuleSet())
    var outcome = machine.press(.submit, question: 12)
    for retry in 0..<retries {
      _ = machine.handleAnswer(
        .failed(Message("no"), items: []), to: QuestionID(number: 12 + UInt64(retry)),
        question: 99)
      outcome = machine.press(.retry, question: QuestionID(number: 13 + UInt64(retry)))
    }
    guard let question = outcome.questions.first else { throw Missing() }
    return bytes { buffer in
      AuthenticatorWire.append(question, from: origin, to: &buffer) { _, buffer in
        Array(secret.utf8).withUnsafeBytes { buffer.appendJSONEscaped($0) }
      }
    }
  }

  private struct Missing: Error {}

  @Test(
    "a question to an authenticator contains every value as it was entered",
    arguments: [
      "", "plain", "\"", "\\", "\\\"\\", "\n\r\t\u{8}\u{C}", "\u{0}\u{1}\u{1F}\u{7F}", "</script>", "é名前\u{1F511}",
      "\u{2028}\u{2029}\u{FEFF}", "\\u0041", String(repeating: "\"", count: 4096), "a\u{301}",
    ])
  func values(_ text: String) throws {
    let line = try line(email: text, secret: text)
    #expect(line.last == 0x0A && line.count { $0 == 0x0A } == 1)
    let message = try JSONValue(parsing: line)
    #expect(message["jsonrpc"]?.string == "2.0" && message["method"]?.string == "authenticator/submit")
    #expect(message["id"]?.integer == 12 && message["params"]?["attempt"]?.integer == 12)
    #expect(message["params"]?["request"]?.string == "login")
    #expect(
      message["params"]?["values"]
        == .object([
          .init("email", .string(text)), .init("password", .string(text)), .init("remember", .bool(false)),
        ]))
  }

  @Test("a question lists the values for which the authenticator has other names than the flow")
  func fields() throws {
    let named = try JSONValue(parsing: line(email: "a", secret: "b", fields: ["address", nil, "stay"]))
    #expect(
      named["params"]?["fields"]
        == .object([.init("address", .string("email")), .init("stay", .string("remember"))]))
    #expect(try JSONValue(parsing: line(email: "a", secret: "b"))["params"]?["fields"] == nil)
  }

  @Test("a question contains the session's name, flow, screen and language, and the data that the view gave, unchanged")
  func origin() throws {
    let origin = QuestionOrigin(
      session: Array("s\"1".utf8), flow: "f", screen: "s", locale: "en-\"x", run: "r",
      principal: "a\"da", context: Array(#"{"a":1.50}"#.utf8), supports: ["x"], secretNames: ["device", "other"])
    let text = String(decoding: try line(email: "a", secret: "b\"", from: origin), as: UTF8.self)
    #expect(
      text.hasSuffix(
        #","locale":"en-\"x","session":"s\"1","flow":"f","screen":"s","key":"r-12","principal":"a\"da","context":{"a":1.50},"supports":["x"],"#
          + #""secrets":{"device":"b\"","other":"b\""}}}"# + "\n"))
  }

  @Test("a retry has the idempotency key of the first question with the same values", arguments: [0, 1, 3])
  func key(_ retries: Int) throws {
    let message = try JSONValue(parsing: line(email: "a", secret: "b", retries: retries))
    #expect(message["params"]?["key"]?.string == "run-12")
  }

  @Test(
    "a retry names the first question with the same values in retryOf, and a first question has no retryOf",
    arguments: [0, 1, 3]) func retryOf(
      _ retries: Int
    ) throws
  {
    let message = try JSONValue(parsing: line(email: "a", secret: "b", retries: retries))
    #expect(message["id"]?.integer == 12 + retries)
    #expect(message["params"]?["retryOf"]?.integer == (retries == 0 ? nil : 12))
  }

  @Test(
    "a question contains the number, principal and data of the accepted request before it, byte by byte",
    arguments: [
      (nil, nil, #"{"attempt":7}"#), ("a\"", nil, #"{"attempt":7,"principal":"a\""}"#),
      (nil, #"{"a": [1.50]}"#, #"{"attempt":7,"data":{"a": [1.50]}}"#),
      ("ada", "{}", #"{"attempt":7,"principal":"ada","data":{}}"#),
    ] as [(String?, String?, String)])
  func previous(principal: String?, data: String?, member: String) throws {
    let flow = try standardFlow()
    let first = flow.screens[0].with(items: [], success: .screen(1)), second = flow.screens[1].with(items: [])
    var machine = SessionMachine(flow: flow.with(screens: [first, second]), screen: 0)
    _ = machine.press(.submit, question: 7)
    _ = machine.handleAnswer(.accepted(principal: principal, data: data.map { Array($0.utf8) }), to: 7, question: 8)
    guard let question = machine.press(.submit, question: 8).questions.first else { throw Missing() }
    let line = bytes { AuthenticatorWire.append(question, from: .plain, to: &$0) { _, _ in } }
    #expect(
      String(decoding: line, as: UTF8.self).contains(#""locale":"en","previous":"# + member + #","session":"s","#))
  }

  @Test("a secret that was not entered is an empty string in the question") func unfilled() throws {
    let message = try JSONValue(parsing: line(email: "a", secret: ""))
    #expect(message["params"]?["values"]?["password"]?.string == "")
  }

  @Test("authenticator/cancel and clock/advance are written as one line each", arguments: [0, 7, UInt64.max])
  func others(
    _ n: UInt64
  )
    throws
  {
    let cancel = bytes { EngineNotice.writeCancel(attempt: n, to: &$0) }
    #expect(
      String(decoding: cancel, as: UTF8.self)
        == #"{"jsonrpc":"2.0","method":"authenticator/cancel","params":{"attempt":\#(n)}}"# + "\n")
    let advance = bytes { EngineNotice.writeAdvance(milliseconds: n, number: 3, to: &$0) }
    #expect(
      String(decoding: advance, as: UTF8.self)
        == #"{"jsonrpc":"2.0","id":3,"method":"clock/advance","params":{"milliseconds":\#(n)}}"# + "\n")
  }

  @Test("a form that breaks a rule leads to no question") func onlyValidated()
    throws
  {
    var machine = SessionMachine(flow: try standardFlow(), screen: 0)
    _ = machine.change(0, to: Array("a@b".utf8).span)
    #expect(machine.draft.validated() == nil)
    #expect(machine.press(.submit, question: 1) == .shown())
    _ = machine.changeSecret(1, isFilled: true, failing: RuleSet())
    let values = try #require(machine.draft.validated())
    guard let question = machine.press(.submit, question: 1).questions.first else { throw Missing() }
    #expect(question.values == values)
  }
}
