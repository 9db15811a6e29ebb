import JSONCodec
import TestSupport
import Testing

@testable import LoginEngine

@Suite("The demo authenticator", .waits)
struct DemoServiceTests {
  /// The reactions of the demo authenticator to lines, in order.
  private func reactions(_ lines: [String]) -> [DemoService.Reaction] {
    var service = DemoService()
    return lines.map { line in Array(line.utf8).withUnsafeBytes { service.handle($0) } }
  }

  /// The result or the error in the answer to the last of the given lines.
  private func last(_ lines: String...) throws -> JSONValue {
    guard case .answer(let bytes) = try #require(reactions(lines).last) else {
      Issue.record("no answer")
      return .null
    }
    #expect(bytes.last == 0x0A)
    let answer = try JSONValue(parsing: bytes.dropLast())
    return try #require(answer["result"] ?? answer["error"])
  }

  private static func question(_ method: String, _ id: Int, _ params: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"authenticator/\#(method)","params":{"attempt":1,\#(params)}}"#
  }

  private static func submit(_ values: String) -> String {
    question("submit", 1, #""request":"login","values":\#(values)"#)
  }

  private static func resume(_ members: String) -> String { question("continue", 2, members) }

  @Test(
    "the demo accepts any login, and the principal is the user name or the email address",
    arguments: [
      (#"{"userName":"ada","password":"x"}"#, "ada"), (#"{"email":"ada@example.com"}"#, "ada@example.com"),
      (#"{"code":"1","password":"secret"}"#, "demo"), ("{}", "demo"),
      (#"{"remember":true,"userName":"a\"b"}"#, "a\"b"),
    ])
  func accepts(values: String, principal: String) throws {
    let result = try last(Self.submit(values))
    #expect(result["outcome"]?.string == "accepted")
    #expect(result["principal"]?.string == principal)
  }

  @Test("the demo finds the user name and the address under the flow's own names")
  func fields() throws {
    let fields = #""fields":{"userName":"login","email":"mail"}"#
    for (values, principal) in [
      (#"{"login":"ada","userName":"eve"}"#, "ada"), (#"{"mail":"ada@example.com"}"#, "ada@example.com"),
      (#"{"userName":"eve"}"#, "demo"),
    ] {
      let result = try last(Self.question("submit", 1, #""request":"login","values":\#(values),\#(fields)"#))
      #expect(result["principal"]?.string == principal, "\(values)")
    }
  }

  @Test("the demo accepts the request of a link, with a message and a throttle")
  func links() throws {
    let result = try last(Self.question("submit", 1, #""request":"sendCode","action":"resend","values":{}"#))
    #expect(result["outcome"]?.string == "accepted" && result["retryAfterMs"]?.integer == 5000)
    #expect(result["message"]?["text"]?.string?.isEmpty == false)
  }

  @Test(
    "each demo word leads to its outcome in any item, also in upper case or before the @ of an address",
    arguments: [
      ("wrong", "rejected"), ("taken", "rejected"), ("throttled", "throttled"), ("challenge", "challenge"),
      ("wait", "challenge"), ("notice", "notice"),
    ])
  func words(word: String, outcome: String) throws {
    for value in [word, word.uppercased(), "\(word)@example.com"] {
      for key in ["email", "password"] {
        #expect(try last(Self.submit(#"{"\#(key)":"\#(value)"}"#))["outcome"]?.string == outcome)
      }
    }
    #expect(try last(Self.submit(#"{"email":"\#(word)s"}"#))["outcome"]?.string == "accepted")
  }

  @Test(
    "the demo's check of a value says that it is taken, gives a notice, or accepts it",
    arguments: [
      ("taken", "invalid"), ("TAKEN@example.com", "invalid"), ("notice", "notice"), ("ada", "valid"),
      ("wrong", "valid"),
      ("exit", "valid"),
    ])
  func checks(value: String, outcome: String) throws {
    let result = try last(
      Self.question("check", 1, #""request":"login","item":"userName","values":{"userName":"\#(value)"}"#))
    #expect(result["outcome"]?.string == outcome && (result["message"] == nil) == (outcome == "valid"))
  }

  @Test("the demo's rejection names the item whose value is taken")
  func taken() throws {
    let result = try last(Self.submit(#"{"a":"x","userName":"taken"}"#))
    #expect(result["items"]?["userName"]?[0]?.string == "This is taken already.")
  }

  @Test("demo words make the demo answer slowly, answer with an error, or exit")
  func others() throws {
    #expect(try later(Self.submit(#"{"userName":"slow"}"#)).map(\.delay) == [3000])
    let error = try last(Self.submit(#"{"userName":"error"}"#))
    #expect(error["data"]?["code"]?.string == "demoDown")
    #expect(reactions([Self.submit(#"{"userName":"exit"}"#)]) == [.exit])
  }

  /// The delayed lines with which the demo answers a question of attempt 1: for each, the text of
  /// its alert or its outcome, and its delay.
  private func later(_ line: String) throws -> [(text: String?, delay: UInt64)] {
    guard case .lines(let lines, attempt: 1)? = reactions([line]).last else { return [] }
    return try lines.map { line in
      let value = try JSONValue(parsing: line.bytes.dropLast())
      #expect(line.bytes.last == 0x0A)
      let alert = value["params"]?["alert"]?["messages"]?[0]?.string
      return (alert ?? value["result"]?["outcome"]?.string, line.delay)
    }
  }

  @Test("the demo shows an alert during a submit, and two alerts in a row during an initial request")
  func alerts() throws {
    let one = try later(Self.submit(#"{"userName":"alert"}"#))
    #expect(one.map(\.text) == ["This is an alert.", "accepted"] && one.map(\.delay) == [0, 3000])
    let load = try later(Self.question("submit", 1, #""request":"load","values":{}"#))
    #expect(load.map(\.text) == ["The first alert.", "The second alert.", "accepted"])
    #expect(load.map(\.delay) == [1000, 1000, 45_000])
  }

  @Test("the demo asks for a code until the right code is entered")
  func code() throws {
    let begin = Self.submit(#"{"userName":"challenge"}"#)
    let wrong = Self.resume(#""values":{"code":"1"}"#)
    let again = Self.resume(#""action":"resend","values":{}"#)
    let right = Self.resume(#""values":{"code":"123456"}"#)
    #expect(try last(begin, wrong)["error"]?.string != nil)
    #expect(try last(begin, wrong, again)["notice"]?.string != nil)
    #expect(try last(begin, wrong, again, right)["outcome"]?.string == "accepted")
    #expect(try last(begin, right, right)["code"] != nil, "the conversation is over")
    let cancel = #"{"jsonrpc":"2.0","method":"authenticator/cancel","params":{"attempt":1}}"#
    #expect(try last(begin, cancel, right)["code"] != nil)
    #expect(reactions([cancel]) == [.forget(attempt: 1)])
  }

  @Test("the demo's approval challenge is accepted at the third poll")
  func approval() throws {
    let begin = Self.submit(#"{"userName":"wait"}"#)
    let poll = Self.resume(#""values":{},"poll":true"#)
    #expect(try last(begin, poll, poll)["outcome"]?.string == "challenge")
    #expect(try last(begin, poll, poll, poll)["outcome"]?.string == "accepted")
  }

  @Test("the demo answers other requests with an error and ignores other lines")
  func otherLines() throws {
    #expect(try last(#"{"jsonrpc":"2.0","id":"describe","method":"authenticator/describe"}"#)["name"]?.string == "demo")
    #expect(try last(#"{"id":1,"method":"x/y"}"#)["code"] != nil)
    for line in ["", "[]", "7", "{}", #"{"id":1}"#, #"{"method":7}"#, #"{"method":"authenticator/submit"}"#] {
      #expect(reactions([line]) == [.nothing], "\(line)")
    }
    #expect(try last(Self.submit(#"{"a":{"b":"wrong"}}"#))["outcome"]?.string == "accepted")
    for values in ["7", "[]", "null"] {
      #expect(try last(Self.submit(values))["data"]?["param"]?.string == "values", "\(values)")
    }
  }
}
