import CLoginEngine
import FlowFiles
import JSONCodec
import Testing

/// Engines that are used through the C functions, with the host as authenticator.
struct HostedEngineTests {
  private static let accepted = #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted","principal":"ada"}}"#

  private func states(_ output: [JSONValue]) -> [String?] {
    output.map { $0["params"]?["snapshot"]?["state"]?.string }
  }

  @Test("the host receives a question and answers it, and the session succeeds") func succeeds() throws {
    let host = try HostUnderTest()
    #expect(host.feed(OwnFlow.enter("a")).status == LOGIN_ENGINE_OK)
    let effects = try host.effects()
    #expect(effects.map { $0["effect"]?.string } == ["start", "ask", "ask"])
    #expect(effects.allSatisfy { $0["authenticator"]?.string == "host" })
    #expect(effects.last?["line"]?["params"]?["values"]?["code"]?.string == "correct horse")
    #expect(try host.effects().isEmpty)
    #expect(host.answer(Self.accepted + "\n") == LOGIN_ENGINE_OK)
    #expect(try states(host.output()).last == "requestSucceeded")
    #expect(try host.output().isEmpty && !host.isFinished())
    #expect(host.endInput() == LOGIN_ENGINE_OK)
    #expect(try host.effects().last?["effect"]?.string == "stop")
    #expect(try host.output().isEmpty && host.isFinished())
  }

  @Test("an answer that is not exactly one JSON object is refused, and the question stays open") func badAnswers()
    throws
  {
    let host = try HostUnderTest()
    _ = host.feed(OwnFlow.enter("a"))
    _ = try host.effects()
    for line in ["", "\n", "nonsense", "[]", "7", "{}{}", "{\n}", "{\"a\":\"correct horse", "{\"a\":\u{7}}"] {
      #expect(host.answer(line) == LOGIN_ENGINE_BAD_ANSWER)
      #expect(!host.words.contains("horse") && !host.words.contains("nonsense"))
    }
    #expect(host.answer(String(repeating: " ", count: 1 << 20) + "{}") == LOGIN_ENGINE_BAD_ANSWER)
    #expect(host.answer(Self.accepted, from: "correct horse") == LOGIN_ENGINE_BAD_ARGUMENT)
    #expect(host.words == "no authenticator has that name; there are: host")
    #expect(host.answer(Self.accepted) == LOGIN_ENGINE_OK)
    #expect(try states(host.output()).last == "requestSucceeded")
  }

  @Test("the arguments of login_engine_answer may point into text that the engine has lent to the host")
  func answerInPlace() throws {
    let host = try HostUnderTest()
    _ = host.feed(OwnFlow.enter("a"))
    func place(of text: String, in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
      Array(bytes).firstRange(of: Array(text.utf8))
    }
    let status = try host.answerInPlace { bytes in
      // The last member of an effect is a JSON object.
      place(of: #""line":"#, in: bytes).flatMap { head in
        bytes[head.upperBound...].firstIndex(of: 0x0A).map { head.upperBound..<$0 - 1 }
      }
    } name: { bytes in
      place(of: #""authenticator":"host""#, in: bytes).map { $0.upperBound - 5..<$0.upperBound - 1 }
    }
    // The line is itself a question, which the engine ignores. If the lent text had been
    // overwritten, the line would not be JSON, and the authenticator would fail.
    #expect(status == LOGIN_ENGINE_OK, "\(host.words)")
    #expect(try host.effects().isEmpty)
  }

  @Test("a long answer is accepted completely") func longAnswer() throws {
    let host = try HostUnderTest()
    _ = host.feed(OwnFlow.enter("a"))
    _ = try host.effects()
    let blanks = String(repeating: " ", count: (1 << 20) - Self.accepted.utf8.count)
    #expect(host.answer(blanks + Self.accepted) == LOGIN_ENGINE_OK)
    #expect(try states(host.output()).last == "requestSucceeded")
  }

  @Test("a JSON object that is no valid answer makes the authenticator fail, and the next question starts it again")
  func invalid()
    throws
  {
    let host = try HostUnderTest()
    _ = host.feed(OwnFlow.enter("a"))
    _ = try host.effects()
    #expect(host.answer(#"{"jsonrpc":"2.0","id":"1","result":{"outcome":"accepted"}}"#) == LOGIN_ENGINE_OK)
    let stop = try #require(try host.effects().first)
    #expect(stop["effect"]?.string == "stop" && stop["reason"]?.string != nil)
    #expect(try states(host.output()).last == "requestFailed")
    #expect(host.answer(Self.accepted) == LOGIN_ENGINE_WRONG_STATE)
    #expect(host.fail() == LOGIN_ENGINE_WRONG_STATE)
    _ = host.feed(OwnFlow.enter("b"))
    #expect(try host.effects().map { $0["effect"]?.string } == ["start", "ask", "ask"])
  }

  @Test("login_engine_fail fails the pending requests, and late answers change nothing") func fails() throws {
    let host = try HostUnderTest()
    #expect(host.fail() == LOGIN_ENGINE_WRONG_STATE)
    _ = host.feed(OwnFlow.enter("a"))
    #expect(host.fail() == LOGIN_ENGINE_OK)
    #expect(try states(host.output()).last == "requestFailed")
    _ = host.feed(OwnFlow.enter("b"))
    #expect(host.answer(Self.accepted) == LOGIN_ENGINE_OK)
    #expect(try states(host.output()).last == "requestPending")
  }

  @Test("a question that the host does not answer fails at its deadline and is cancelled") func deadline() throws {
    let host = try HostUnderTest()
    #expect(host.deadline() == .max)
    #expect(host.advance(to: 1000) == LOGIN_ENGINE_OK)
    _ = host.feed(OwnFlow.enter("a"))
    _ = try (host.effects(), host.output())
    let deadline = host.deadline()
    #expect(deadline > 1000 && deadline < .max)
    _ = host.advance(to: deadline - 1)
    #expect(try host.effects().isEmpty && host.output().isEmpty)
    _ = host.advance(to: deadline)
    #expect(try host.effects().map { $0["effect"]?.string } == ["cancel"])
    #expect(try states(host.output()) == ["requestFailed"])
    // An earlier time has no effect, and a time that is too large is clamped.
    for time in [0, UInt64.max] { #expect(host.advance(to: time) == LOGIN_ENGINE_OK) }
    #expect(host.deadline() == .max)
  }

  @Test("each authenticator that the host provides receives only its own questions") func names() throws {
    let host = try HostUnderTest(#""authenticators":{"enter":"staff","own/*":"frontend"}"#)
    _ = host.feed(OwnFlow.enter("a"))
    #expect(try host.effects().contains { $0["authenticator"]?.string == "staff" })
    #expect(host.answer(Self.accepted, from: "host") == LOGIN_ENGINE_WRONG_STATE)
    #expect(host.answer(Self.accepted, from: "staff") == LOGIN_ENGINE_OK)
    #expect(try states(host.output()).last == "requestSucceeded")
  }

  @Test("the log of the library warns of authenticator choices that match no request of a flow") func log() throws {
    let host = try HostUnderTest(#""authenticators":{"entre":"staff"},"logLevel":"warning""#)
    let line = try #require(try host.effects().first)
    #expect(line["effect"]?.string == "log" && line["text"]?.string?.contains("entre") == true)
  }

  @Test("flows that are given in the options come before the built-in flows") func flows() throws {
    let host = try HostUnderTest()
    _ = host.feed(#"{"jsonrpc":"2.0","id":1,"method":"engine/describe"}"# + "\n")
    let flows = try #require(try host.output().first?["result"]?["flows"]?.array)
    #expect(flows.map { $0["flow"]?.string } == ["own"] + BuiltInFlows.names)
  }

  @Test("the built-in flows are available without options") func builtIn() {
    let (status, engine, words) = HostUnderTest.make("")
    #expect(status == LOGIN_ENGINE_OK && words.isEmpty)
    login_engine_destroy(engine)
  }

  @Test("while the host does not take the output, the engine accepts no more input, and loses nothing")
  func backpressure() throws {
    let host = try HostUnderTest()
    let long = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"# + "\n"
    let silent = #"{"jsonrpc":"2.0","method":"nothing"}"# + "\n"
    var rest = String(repeating: long, count: 100) + String(repeating: silent, count: 40_000) + long
    let (status, taken) = host.feed(rest)
    #expect(status == LOGIN_ENGINE_OK && taken > 0 && taken < rest.utf8.count)
    rest = String(decoding: rest.utf8.dropFirst(taken), as: UTF8.self)
    var replies = 0
    while case let output = try host.output(), !output.isEmpty { replies += output.count }
    #expect(replies == 100)
    #expect(host.feed(rest).taken == rest.utf8.count)
    #expect(try host.output().count == 1)
  }

  @Test("after login_engine_end_input, more input and a second end of input are refused") func end() throws {
    let host = try HostUnderTest()
    #expect(host.endInput() == LOGIN_ENGINE_OK)
    #expect(host.endInput() == LOGIN_ENGINE_WRONG_STATE)
    #expect(host.feed("{}\n").status == LOGIN_ENGINE_WRONG_STATE)
    #expect(host.isFinished())
  }
}
