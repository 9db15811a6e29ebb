import Foundation
import TestSupport
import Testing

@Suite("Traces", .waits)
struct TraceTests {
  /// The members of each line in the trace of a transcript's run.
  static func trace(_ transcript: String) throws -> [[String: Any]] {
    let folder = try TemporaryDirectory()
    let command = "\(Replay.executable) --trace \(folder.file("trace.jsonl"))"
    #expect(try Replay(["--command", command, TranscriptTests.folder + "/" + transcript]).status == 0)
    return try folder.read("trace.jsonl").split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test("each line of a trace has a documented kind and a time that is not before that of the previous line")
  func kinds() throws {
    let page = try String(contentsOfFile: TranscriptTests.folder + "/README.md", encoding: .utf8)
    for transcript in ["authenticator/throttled.jsonl", "session/cancel.jsonl", "session/idle-timeout.jsonl"] {
      let lines = try Self.trace(transcript)
      let times = lines.compactMap { $0["time"] as? Int }
      #expect(times.count == lines.count)
      #expect(times == times.sorted())
      for line in lines {
        let kind = try #require(line["kind"] as? String)
        #expect(page.contains("| `\(kind)` |"), "\(kind)")
      }
    }
  }

  @Test("a trace contains timers even if the clock is manual")
  func timers() throws {
    let timers = try Self.trace("authenticator/timeout.jsonl").filter { $0["kind"] as? String == "timer" }
    #expect(timers.contains { $0["timer"] as? String == "requestTimeout" && $0["time"] as? Int == 30_000 })
  }

  @Test("an answer of the frontend is traced like an answer of any other authenticator")
  func frontend() throws {
    let answers = try Self.trace("frontend/decides.jsonl").filter { $0["kind"] as? String == "answer" }
    #expect(answers.contains { $0["authenticator"] as? String == "frontend" && $0["outcome"] != nil })
  }

  @Test("a trace contains the code of an authenticator's message only if the code has the form of a code")
  func codes() throws {
    let folder = try TemporaryDirectory()
    let answer = #"{"outcome":"rejected","reason":"bad horse battery","message":{"code":"horse battery"}}"#
    let authenticator = try folder.writeProgram(
      "#!/bin/sh\nread -r describe; read -r question\necho '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\(answer)}'\nread -r rest\n",
      to: "authenticator")
    let lines = [
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","values":{"email":"ada@example.com"}}}"#,
      #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":"password","value":"horse battery"}}"#,
      #"{"jsonrpc":"2.0","method":"session/press","params":{"session":"s","action":"submit"}}"#,
    ]
    let engine = try Program(
      ["--trace", folder.file("trace.jsonl"), "--authenticator", authenticator], input: lines.map { ($0 + "\n", 0) })
    #expect(engine.status == 0)
    let trace = folder.read("trace.jsonl")
    #expect(trace.contains(#""outcome":"rejected","reason":"(withheld)","message":"(withheld)""#), "\(trace)")
    #expect(!trace.contains("horse battery") && !engine.error.contains("horse battery"))
  }

  @Test("if nobody reads the pipe of a trace, the engine stops tracing, continues, and exits with status 1")
  func slowReader() throws {
    let folder = try TemporaryDirectory()
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    // The pipe is open for reading, but this test never reads it.
    let reader = open(pipe, O_RDWR)
    defer { close(reader) }
    var input = #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s"}}"# + "\n"
    // The trace is more than a pipe holds. The lines are long, because a debug build takes long for
    // each line.
    let value = String(repeating: "x", count: 3_500)
    for number in 1...600 {
      input +=
        #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":"email","value":"\#(value)\#(number)"}}"#
        + "\n"
    }
    let engine = try Program(["--trace", pipe], input: [(input, 0)])
    #expect(engine.status == 1)
    #expect(engine.output.count { $0 == 0x0A } == 601)
    #expect(engine.error.contains("cannot be written: it is read too slowly"), "\(engine.error)")
  }

  @Test("a trace contains events, states, effects and answers")
  func login() throws {
    let lines = try Self.trace("authenticator/throttled.jsonl")
    let states = lines.filter { $0["kind"] as? String == "state" }.compactMap { $0["to"] as? String }
    #expect(
      states.starts(with: ["initial", "validated", "requestPending", "requestFailed"])
        || states.contains("requestFailed"))
    #expect(lines.contains { $0["effect"] as? String == "authenticator/submit" && $0["attempt"] as? Int == 1 })
    #expect(lines.contains { $0["kind"] as? String == "answer" && $0["outcome"] as? String == "throttled" })
    #expect(lines.contains { $0["effect"] as? String == "session/update" && $0["commands"] is [String] })
    #expect(lines.last?["kind"] as? String == "exit")
  }

  @Test("an answer that arrives after its attempt is over is traced as late")
  func late() throws {
    let lines = try Self.trace("session/late-answer.jsonl")
    #expect(lines.contains { $0["kind"] as? String == "late" && $0["attempt"] as? Int == 1 })
  }

  @Test("a trace withholds the values of secret items and shows other values")
  func secrets() throws {
    let lines = try Self.trace("session/cancel.jsonl").filter { $0["method"] as? String == "session/edit" }
    #expect(!lines.isEmpty)
    for line in lines {
      #expect((line["value"] as? String == "(withheld)") == (line["item"] as? String == "password"))
    }
  }
}
