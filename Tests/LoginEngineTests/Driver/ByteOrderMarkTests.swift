import Foundation
import JSONCodec
import System
import TestSupport
import Testing

/// Byte order marks, which some programs write before a text.
@Suite(.waits) struct ByteOrderMarkTests {
  private static let mark = "\u{FEFF}"

  @Test("a byte order mark before the engine's first line is skipped, and before any other line it is an error")
  func input() throws {
    let engine = try RunningEngine()
    try engine.send(bytes: [0xEF])
    try engine.send(bytes: [0xBB])
    try engine.send(bytes: [0xBF] + Array((Line.open("a", id: 1) + "\n").utf8))
    #expect(try engine.until { $0["id"]?.integer == 1 }.contains { $0["result"] != nil })
    try engine.send(Self.mark + Line.open("b", id: 2))
    #expect(try engine.until { $0["error"] != nil }.last?["error"]?["code"]?.integer == -32700)
    #expect(try engine.finish().status == .exited(0))
    let other = try RunningEngine()
    try other.send(Self.mark + Self.mark + Line.open("a", id: 1))
    #expect(try other.until { $0["error"] != nil }.last?["error"]?["code"]?.integer == -32700)
    #expect(try other.finish().status == .exited(0))
  }

  @Test("a byte order mark before the first line of each authenticator process is skipped")
  func authenticator() throws {
    let directory = try Directory()
    let engine = try RunningEngine(
      directory.authenticator(#"printf '\357\273\277'; ask; accept; exit 0"#), in: directory)
    for (count, session) in ["a", "b"].enumerated() {
      try engine.send(Line.login(session))
      _ = try engine.update(of: session, "requestSucceeded")
      // A question that is asked before the exit is noticed gets no answer.
      try Eventually.holds("its end is in the log") {
        engine.log.components(separatedBy: "has ended").count == count + 2
      }
    }
    #expect(try engine.finish().status == .exited(0))
  }

  @Test("a byte order mark before the saved sessions is skipped, and so is one before the view's input")
  func saved() throws {
    let directory = try Directory()
    let file = directory.path + "/sessions.jsonl"
    let first = try RunningEngine(["--save-on-exit", file], in: directory)
    try first.ask(Line.open("a", id: 1))
    first.endInput()
    #expect(try first.wait() == .exited(0))
    _ = try directory.write(Self.mark + directory.read("sessions.jsonl"), to: "sessions.jsonl")
    let second = try RunningEngine(["--restore", file], in: directory)
    try second.send(Self.mark + Line.open("b", id: 2))
    let lines = try second.until { $0["id"]?.integer == 2 }
    #expect(lines.compactMap { $0["params"]?["session"]?.string } == ["a", "b"])
    #expect(try second.finish().status == .exited(0))
  }

  @Test("a byte order mark before a flow definition is skipped by the engine, the accounts and flow check")
  func flow() throws {
    let directory = try Directory()
    let text = Self.mark + (try String(contentsOfFile: Fixtures.path("flows/example.json"), encoding: .utf8))
    let flow = try directory.write(text, to: "flow.json")
    let engine = try RunningEngine(["--flow", flow], in: directory)
    try engine.send(Line.setup("new", "ada@example.com", "ada", "correct horse"))
    _ = try engine.update(of: "new", "requestSucceeded")
    #expect(try engine.finish().status == .exited(0))
    #expect(engine.log.isEmpty)
    let check = try RunningEngine(["flow", "check", flow], output: .none, usesDefaults: false)
    #expect(try check.wait() == .exited(0))
  }
}
