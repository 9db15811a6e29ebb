import AuthenticatorKit
import JSONCodec
import LoginMachine
import LoginProtocol
import TestSupport
import Testing

/// How the engine reads the lines of an authenticator.
struct AuthenticatorReplyTests {
  /// What the engine reads in a line, as a text that can be compared.
  private func judged(_ line: String, clockQuestions: Set<ClockQuestionID> = []) throws -> String {
    let flow = try standardFlow()
    return withDocument(line) { document, failure in
      guard failure == nil else { return "parse error" }
      guard let root = document.root else { return "no root" }
      switch AuthenticatorReply(document, root, .numbers, clockQuestions: clockQuestions) {
      case .described: return "described"
      case .undescribed: return "undescribed"
      case .call: return "call"
      case .clockMoved(let id): return "clock moved \(id.number)"
      case .invalid: return "invalid"
      case .error(let id, let failure):
        return "error \(id.number) \(failure.name ?? "-")" + (failure.userText.map { "<\($0)>" } ?? "")
      case .notify(let id, let message, let alert):
        let said = alert.map { "\($0.title ?? "-"): " + $0.messages.map { text($0) }.joined(separator: " ") }
        return "notify \(id.number) \(message.map { text($0) } ?? "-") \(said ?? "-")"
      case .result(let id, let result):
        var unknownKeys: [String] = []
        let answer = try? AuthenticatorReply.answer(
          document, result, about: .init(flow.screens[0], of: flow, at: 9), unknownKeys: &unknownKeys,
          readScreen: { _ in nil }
        )
        switch answer?.answer {
        case nil: return "unusable \(id.number)"
        case .accepted(let principal, let data, _, _, let proofs):
          return "accepted \(id.number) \(principal ?? "-") \(data.map { String(decoding: $0, as: UTF8.self) } ?? "-")"
            + (proofs.map { " " + $0.map { "\($0.factor)@\($0.at)" }.joined(separator: "+") } ?? "")
        case .notice(let message, let screen):
          return "notice \(id.number) \(text(message)) \(screen.map { flow.screens[$0].id } ?? "-")"
        case .challenge, .undecided: return "another"
        case .failed(let message, let items, _):
          return (["failed \(id.number) \(text(message))"] + items.map { "\($0.item):\(text($0.message))" })
            .joined(separator: " ")
        }
      }
    }
  }

  private func text(_ message: Message) -> String {
    let parameters = message.parameters.map { parameter in
      if case .number = parameter.value { return "\(parameter.name)=\(parameter.value.description)" }
      return "\(parameter.name)='\(parameter.value.description)'"
    }
    return message.code + (parameters.isEmpty ? "" : "(\(parameters.joined(separator: ",")))")
      + (message.text.map { "<\($0)>" } ?? "")
  }

  @Test(
    "each kind of line that an authenticator writes is recognised",
    arguments: [
      (#"{"id":"describe","result":{}}"#, "described"), (#"{"id":"describe","error":{}}"#, "undescribed"),
      (#"{"jsonrpc":"2.0","method":"x"}"#, "call"), (#"{"method":7,"id":1,"result":{}}"#, "call"),
      ("[]", "invalid"), ("[{}]", "invalid"), ("null", "invalid"), ("7", "invalid"), (#""x""#, "invalid"),
      ("{}", "invalid"), (#"{"id":1}"#, "invalid"), (#"{"id":"1","result":{}}"#, "invalid"),
      (#"{"id":null,"error":{}}"#, "invalid"), (#"{"id":-1,"result":{}}"#, "invalid"),
      (#"{"id":1.5,"result":{}}"#, "invalid"), (#"{"id":1.0,"error":{}}"#, "error 1 -"),
      (#"{"id":10e-1,"error":{}}"#, "error 1 -"),
      (#"{"id":9223372036854775808,"result":{}}"#, "invalid"), (#"{"id":[1],"result":{}}"#, "invalid"),
      (#"{"result":{"outcome":"accepted"}}"#, "invalid"), (#"{"id":1,"result":{"outcome":"#, "parse error"),
      (#"{"id":1,"id":2,"result":{}}"#, "parse error"),
      (#"{"id":1,"error":{"code":1,"message":"x","data":{"code":"accountsLocked"}}}"#, "error 1 accountsLocked<x>"),
      (#"{"id":1,"error":{"code":1,"message":"x"}}"#, "error 1 -<x>"),
      (#"{"id":1,"error":{"code":-31999,"message":"x"}}"#, "error 1 -<x>"),
      (#"{"id":1,"error":{"code":-32769,"message":"x"}}"#, "error 1 -<x>"),
      (#"{"id":1,"error":{"code":-99999999999999999999,"message":"x"}}"#, "error 1 -<x>"),
      (#"{"id":1,"error":{"code":-32000,"message":"x"}}"#, "error 1 -"),
      (#"{"id":1,"error":{"code":-32768,"message":"x"}}"#, "error 1 -"),
      (#"{"id":1,"error":{"code":-32000,"message":"x","data":{"code":"n"}}}"#, "error 1 n<x>"),
      (#"{"id":1,"error":{"message":"x"}}"#, "error 1 -<x>"), (#"{"id":1,"error":{"message":""}}"#, "error 1 -"),
      (#"{"id":1,"error":{"message":7}}"#, "error 1 -"),
      (#"{"id":1,"error":null}"#, "error 1 -"),
      (#"{"id":1,"error":"x"}"#, "error 1 -"), (#"{"id":1,"error":{"data":"x"}}"#, "error 1 -"),
      (#"{"id":1,"error":{"data":{"code":"no name"}}}"#, "error 1 -"),
      (#"{"id":1,"error":{"data":{"code":7}}}"#, "error 1 -"),
      (#"{"id":1,"error":{"data":{"code":""}}}"#, "error 1 -"),
      (#"{"id":1,"error":{"data":{"code":"\u0061"}}}"#, "error 1 -"),
      (#"{"id":1,"error":{"data":[]}}"#, "error 1 -"),
    ])
  func lines(_ line: String, _ expected: String) throws { #expect(try judged(line) == expected) }

  @Test(
    "valid answers of authenticators are read, and invalid ones are refused",
    arguments: [
      // Accepted.
      (#"{"outcome":"accepted"}"#, "accepted 1 - -"), (#"{"outcome":"\u0061ccepted"}"#, "accepted 1 - -"),
      (#"{"outcome":"accepted","principal":"ada"}"#, "accepted 1 ada -"),
      (#"{"outcome":"accepted","principal":null,"data":null}"#, "accepted 1 - -"),
      (#"{"outcome":"accepted","principal":"\u00e9\n"}"#, "accepted 1 é\n -"),
      (#"{"outcome":"accepted","data":{"a": 1.00, "b":[{}]}}"#, #"accepted 1 - {"a": 1.00, "b":[{}]}"#),
      (#"{"outcome":"accepted","data":{}}"#, "accepted 1 - {}"),
      (#"{"outcome":"accepted","more":1}"#, "accepted 1 - -"),
      (#"{"outcome":"accepted","next":true}"#, "accepted 1 - -"),
      (#"{"outcome":"accepted","proofs":[{"factor":"pwd","at":5},{"factor":"otp"}]}"#, "accepted 1 - - pwd@5+otp@9"),
      (#"{"outcome":"accepted","proofs":[{"factor":"pwd","at":null,"more":1}]}"#, "accepted 1 - - pwd@9"),
      (#"{"outcome":"accepted","proofs":[]}"#, "accepted 1 - - "),
      (#"{"outcome":"accepted","proofs":null}"#, "accepted 1 - -"),
      (#"{"outcome":"accepted","proofs":{"factor":"pwd"}}"#, "unusable 1"),
      (#"{"outcome":"accepted","proofs":["pwd"]}"#, "unusable 1"),
      (#"{"outcome":"accepted","proofs":[{"at":5}]}"#, "unusable 1"),
      (#"{"outcome":"accepted","proofs":[{"factor":"a b"}]}"#, "unusable 1"),
      (#"{"outcome":"accepted","proofs":[{"factor":"pwd","at":-1}]}"#, "unusable 1"),
      (
        #"{"outcome":"accepted","proofs":[{"factor":"pwd","at":9007199254740991}]}"#,
        "accepted 1 - - pwd@9007199254740991"
      ),
      (#"{"outcome":"accepted","proofs":[{"factor":"pwd","at":9007199254740992}]}"#, "unusable 1"),
      (#"{"outcome":"accepted","proofs":[{"factor":"pwd","at":"now"}]}"#, "unusable 1"),
      (
        #"{"outcome":"accepted","proofs":[\#(Array(repeating: #"{"factor":"a"}"#, count: 17).joined(separator: ","))]}"#,
        "unusable 1"
      ),
      (#"{"outcome":"accepted","secret":{"token":[1.50]}}"#, "accepted 1 - -"),
      (#"{"outcome":"accepted","secret":null}"#, "accepted 1 - -"),
      (#"{"outcome":"accepted","secret":"\#(String(repeating: "x", count: 16_382))"}"#, "accepted 1 - -"),
      (#"{"outcome":"accepted","secret":"\#(String(repeating: "x", count: 16_383))"}"#, "unusable 1"),
      (#"{"outcome":"accepted","secret":\#(nested(32))}"#, "accepted 1 - -"),
      (#"{"outcome":"accepted","secret":\#(nested(33))}"#, "unusable 1"),
      (#"{"outcome":"accepted","principal":7}"#, "unusable 1"),
      (#"{"outcome":"accepted","principal":{}}"#, "unusable 1"),
      (#"{"outcome":"accepted","data":[]}"#, "unusable 1"), (#"{"outcome":"accepted","data":"x"}"#, "unusable 1"),
      (#"{"outcome":"accepted","data":true}"#, "unusable 1"),
      // Unknown outcomes.
      ("{}", "unusable 1"), ("null", "unusable 1"), ("[]", "unusable 1"), ("true", "unusable 1"),
      (#""accepted""#, "unusable 1"),
      (#"{"outcome":null}"#, "unusable 1"), (#"{"outcome":7}"#, "unusable 1"),
      (#"{"outcome":"Accepted"}"#, "unusable 1"),
      (#"{"outcome":"accepted "}"#, "unusable 1"), (#"{"outcome":""}"#, "unusable 1"),
      (#"{"outcome":["accepted"]}"#, "unusable 1"),
      (#"{"outcome":"challenge"}"#, "unusable 1"),
      // Rejected.
      (#"{"outcome":"rejected"}"#, "failed 1 unknownError"),
      (#"{"outcome":"rejected","reason":"invalidCredentials"}"#, "failed 1 invalidCredentials"),
      (#"{"outcome":"rejected","reason":null,"message":null,"items":null}"#, "failed 1 unknownError"),
      (#"{"outcome":"rejected","reason":"a","message":{"code":"b"}}"#, "failed 1 b"),
      (#"{"outcome":"rejected","message":{"code":"b","text":"said"}}"#, "failed 1 b<said>"),
      (#"{"outcome":"rejected","message":{"code":"b","text":null,"params":null}}"#, "failed 1 b"),
      (#"{"outcome":"rejected","message":{"code":"b","params":{"n":1.50,"t":"x\ty"}}}"#, "failed 1 b(n=1.50,t='x\ty')"),
      (#"{"outcome":"rejected","message":{"code":"b","params":{}}}"#, "failed 1 b"),
      (#"{"outcome":"rejected","reason":"no name"}"#, "unusable 1"),
      (#"{"outcome":"rejected","reason":7}"#, "unusable 1"),
      (#"{"outcome":"rejected","reason":""}"#, "unusable 1"),
      (#"{"outcome":"rejected","message":"x y"}"#, "failed 1 said<x y>"),
      (#"{"outcome":"rejected","message":{"text":"x y"}}"#, "failed 1 said<x y>"),
      (#"{"outcome":"rejected","message":{"code":null,"text":"x y","params":{"n":1}}}"#, "failed 1 said(n=1)<x y>"),
      (#"{"outcome":"rejected","reason":"r","message":"x y"}"#, "failed 1 said<x y>"),
      (#"{"outcome":"rejected","message":""}"#, "unusable 1"),
      (#"{"outcome":"rejected","message":{"text":""}}"#, "unusable 1"),
      (#"{"outcome":"rejected","message":{"code":"no name","text":"x"}}"#, "unusable 1"),
      (#"{"outcome":"rejected","message":{}}"#, "unusable 1"),
      (#"{"outcome":"rejected","message":{"code":7}}"#, "unusable 1"),
      (#"{"outcome":"rejected","message":{"code":"b","text":7}}"#, "unusable 1"),
      (#"{"outcome":"rejected","message":{"code":"b","params":[]}}"#, "unusable 1"),
      (#"{"outcome":"rejected","message":{"code":"b","params":{"n":null}}}"#, "unusable 1"),
      (#"{"outcome":"rejected","message":{"code":"b","params":{"n":{}}}}"#, "unusable 1"),
      (#"{"outcome":"rejected","items":{}}"#, "failed 1 unknownError"),
      (
        #"{"outcome":"rejected","items":{"email":[{"code":"email.taken"}]}}"#,
        "failed 1 email.taken 0:email.taken"
      ),
      (#"{"outcome":"rejected","items":{"\u0065mail":[{"code":"c"}]}}"#, "failed 1 c 0:c"),
      (
        #"{"outcome":"rejected","items":{"password":[{"code":"c"},{"code":"d"}],"email":[]}}"#,
        "failed 1 c 1:c 1:d"
      ),
      (#"{"outcome":"rejected","reason":"r","items":{"email":[{"code":"c"}]}}"#, "failed 1 r 0:c"),
      // A message about an item that does not exist or cannot show messages is shown for the form.
      (#"{"outcome":"rejected","items":{"nothing":[{"code":"c"}]}}"#, "failed 1 c"),
      (#"{"outcome":"rejected","items":{"emails":[{"code":"c"}]}}"#, "failed 1 c"),
      (#"{"outcome":"rejected","items":{"remember":[{"code":"c"}]}}"#, "failed 1 c"),
      (#"{"outcome":"rejected","reason":"r","items":{"nothing":[{"code":"c"}]}}"#, "failed 1 r"),
      (#"{"outcome":"rejected","items":[]}"#, "unusable 1"),
      (#"{"outcome":"rejected","items":{"email":{"code":"c"}}}"#, "unusable 1"),
      (#"{"outcome":"rejected","items":{"email":["c d"]}}"#, "failed 1 said<c d> 0:said<c d>"),
      (#"{"outcome":"rejected","items":{"nothing":[7]}}"#, "unusable 1"),
      (#"{"outcome":"rejected","items":{"nothing":7}}"#, "unusable 1"),
      // Throttled.
      (#"{"outcome":"throttled","retryAfterMs":0}"#, "failed 1 throttled(seconds=0,retryAfterMs=0)"),
      (#"{"outcome":"throttled","retryAfterMs":1}"#, "failed 1 throttled(seconds=1,retryAfterMs=1)"),
      (#"{"outcome":"throttled","retryAfterMs":2000}"#, "failed 1 throttled(seconds=2,retryAfterMs=2000)"),
      (
        #"{"outcome":"throttled","retryAfterMs":2001,"message":null}"#,
        "failed 1 throttled(seconds=3,retryAfterMs=2001)"
      ),
      (
        #"{"outcome":"throttled","retryAfterMs":9223372036854775807}"#,
        "failed 1 throttled(seconds=9223372036854776,retryAfterMs=9223372036854775807)"
      ),
      (
        #"{"outcome":"throttled","retryAfterMs":1000,"message":{"code":"x","text":"wait"}}"#,
        "failed 1 throttled(seconds=1,retryAfterMs=1000)<wait>"
      ),
      // Notice.
      (#"{"outcome":"notice","message":{"code":"resetSent"}}"#, "notice 1 resetSent -"),
      (#"{"outcome":"notice","message":{"code":"c","text":"said"},"screen":null}"#, "notice 1 c<said> -"),
      (#"{"outcome":"notice","message":{"code":"c"},"screen":"setup"}"#, "notice 1 c setup"),
      (#"{"outcome":"notice"}"#, "unusable 1"), (#"{"outcome":"notice","message":"x"}"#, "notice 1 said<x> -"),
      (#"{"outcome":"notice","message":{"code":"c"},"screen":"nowhere"}"#, "unusable 1"),
      (#"{"outcome":"notice","message":{"code":"c"},"screen":1}"#, "unusable 1"),
      (#"{"outcome":"throttled"}"#, "unusable 1"), (#"{"outcome":"throttled","retryAfterMs":-1}"#, "unusable 1"),
      (#"{"outcome":"throttled","retryAfterMs":1.5}"#, "unusable 1"),
      (#"{"outcome":"throttled","retryAfterMs":"1"}"#, "unusable 1"),
      (#"{"outcome":"throttled","retryAfterMs":null}"#, "unusable 1"),
      (#"{"outcome":"throttled","retryAfterMs":9223372036854775808}"#, "unusable 1"),
      (#"{"outcome":"throttled","retryAfterMs":1,"message":"x"}"#, "failed 1 throttled(seconds=1,retryAfterMs=1)<x>"),
    ])
  func answers(_ result: String, _ expected: String) throws {
    #expect(try judged(#"{"jsonrpc":"2.0","id":1,"result":\#(result)}"#) == expected)
    #expect(try judged(#"{"result":\#(result),"id":1}"#) == expected)
  }

  @Test(
    "valid notifications of authenticators are read, and invalid ones are refused",
    arguments: [
      (#"{"attempt":7,"message":{"code":"c"}}"#, "notify 7 c -"),
      (#"{"attempt":7,"alert":{"code":"c"}}"#, "notify 7 - -: c"),
      (#"{"attempt":7,"alert":{"title":"T","messages":[{"code":"c"},{"code":"d"}]}}"#, "notify 7 - T: c d"),
      (#"{"attempt":7,"message":{"code":"b"},"alert":{"messages":[{"code":"c"}]}}"#, "notify 7 b -: c"),
      (#"{"attempt":7}"#, "notify 7 - -"), (#"{"attempt":7,"message":null,"alert":null}"#, "notify 7 - -"),
      (#"{"message":{"code":"c"}}"#, "invalid"), (#"{"attempt":"7","message":{"code":"c"}}"#, "invalid"),
      (#"{"attempt":7,"message":"x"}"#, "notify 7 said<x> -"), (#"{"attempt":7,"message":""}"#, "invalid"),
      (#"{"attempt":7,"alert":"x"}"#, "notify 7 - -: said<x>"), (#"{"attempt":7,"alert":{}}"#, "invalid"),
      (#"{"attempt":7,"alert":{"messages":[]}}"#, "invalid"),
      (#"{"attempt":7,"alert":{"messages":["x"]}}"#, "notify 7 - -: said<x>"),
      (#"{"attempt":7,"alert":{"messages":[7]}}"#, "invalid"),
      (#"{"attempt":7,"alert":{"title":1,"messages":[{"code":"c"}]}}"#, "invalid"), ("[]", "invalid"),
    ])
  func notifications(_ params: String, _ expected: String) throws {
    #expect(try judged(#"{"jsonrpc":"2.0","method":"authenticator/notify","params":\#(params)}"#) == expected)
  }

  @Test("a response counts as the answer to a clock/advance only if it has the number of an open clock/advance")
  func clockMoved() throws {
    let first = ClockQuestionID.beforeFirst.next, second = first.next
    #expect(first.number == 9_007_199_254_740_991 && second.number == first.number - 1)
    for reply in [#""result":{}"#, #""error":{"code":1,"message":"x"}"#] {
      let line = #"{"jsonrpc":"2.0","id":\#(first.number),\#(reply)}"#
      #expect(try judged(line, clockQuestions: [first, second]) == "clock moved \(first.number)")
      #expect(try judged(line, clockQuestions: [second]) != "clock moved \(first.number)")
      #expect(try judged(line, clockQuestions: [ClockQuestionID(number: 1)]) != "clock moved \(first.number)")
      let small = #"{"jsonrpc":"2.0","id":1,\#(reply)}"#
      #expect(try judged(small, clockQuestions: [ClockQuestionID(number: 1)]) == "clock moved 1")
    }
  }

  @Test("the code of a message is 1 to 64 letters, digits, dots, hyphens and underscores") func codes() throws {
    for (code, isCode) in [
      (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false), ("A-z_0.9", true),
      ("é", false), ("a/b", false), ("a b", false), ("a\\n", false),
    ] {
      let judged = try judged(#"{"id":1,"result":{"outcome":"rejected","reason":"\#(code)"}}"#)
      #expect(judged == (isCode ? "failed 1 \(code)" : "unusable 1"))
    }
  }

  @Test(
    "reading random answers of authenticators never traps, and every valid answer can be shown to a view",
    arguments: seeds)
  func random(seed: UInt64)
    throws
  {
    var random = SeededRandom(seed: seed)
    let keys = [
      "outcome", "principal", "data", "reason", "message", "items", "retryAfterMs", "code", "text", "params",
      "email",
    ]
    let flow = try standardFlow()
    let template = FlowTemplate(flow, locale: "en")
    var taken = 0
    let rounds = Workload.amount(20_000)
    for _ in 0..<rounds {
      let outcome = random.pick(["accepted", "rejected", "throttled"])
      var result = randomJSON(&random, keys: Array(keys.dropFirst()))
      if result.hasPrefix("{") {
        result = #"{"outcome":"\#(outcome)""# + (result == "{}" ? "" : ",") + result.dropFirst()
      }
      let line =
        random.chance(4)
        ? randomJSON(&random, keys: keys + ["id", "result", "error", "method"]) : #"{"id":7,"result":\#(result)}"#
      _ = try judged(line)
      let answer: Answer? = withDocument(line) { document, failure in
        guard failure == nil, let root = document.root,
          case .result(_, let node) = AuthenticatorReply(document, root, .numbers)
        else { return nil }
        var unknownKeys: [String] = []
        return try? AuthenticatorReply.answer(
          document, node, about: .init(flow.screens[0], of: flow, at: 9), unknownKeys: &unknownKeys,
          readScreen: { _ in nil }
        ).answer
      }
      guard let answer else { continue }
      taken += 1
      var machine = SessionMachine(flow: flow, screen: 0)
      _ = machine.change(0, to: Array("a@b".utf8).span)
      _ = machine.changeSecret(1, isFilled: true, failing: RuleSet())
      _ = machine.press(.submit, question: 7)
      #expect(machine.handleAnswer(answer, to: 7, question: 8) != .refused)
      #expect(throws: Never.self) { try JSONValue(parsing: TestWriter().snapshot(of: &machine, template)) }
    }
    // About one in thirty of the random answers is valid.
    #expect(taken > rounds / 1_000)
  }
}

/// An array nested to this depth.
private func nested(_ levels: Int) -> String {
  String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
}
