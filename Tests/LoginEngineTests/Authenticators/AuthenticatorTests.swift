import Foundation
import JSONCodec
import System
import TestSupport
import Testing

/// Faults of an authenticator, which must affect only its own attempts.
@Suite(.waits) struct AuthenticatorTests {
  private func engine(_ body: String, _ options: [String] = []) throws -> RunningEngine {
    let directory = try Directory()
    return try RunningEngine(options + directory.authenticator(body), in: directory)
  }

  @Test(
    "a fault of an authenticator is shown as a network error, and the next attempt works",
    arguments: [
      ("exit 1", "network.exited"),
      ("kill -9 $$", "network.exited"),
      ("exec 1>&-; sleep 600", "network.exited"),
      (#"printf '{"jsonrpc":"2.0","id":%s,"resul' "$id"; exit 0"#, "network.exited"),
      ("echo nonsense", "network.invalidAnswer"),
      ("echo '[]'", "network.invalidAnswer"),
      (#"echo '{"jsonrpc":"2.0","result":{"outcome":"accepted"}}'"#, "network.invalidAnswer"),
      (#"printf '\377\n'"#, "network.invalidAnswer"),
      ("head -c 2000000 /dev/zero", "network.invalidAnswer"),
      ("answer '{}'", "network.invalidAnswer"),
      (#"answer '{"outcome":"perhaps"}'"#, "network.invalidAnswer"),
      (#"answer '{"outcome":"accepted","principal":1}'"#, "network.invalidAnswer"),
      (#"answer '{"outcome":"throttled","retryAfterMs":-1}'"#, "network.invalidAnswer"),
      (#"printf '{"jsonrpc":"2.0","id":%s,"error":{"code":1,"message":"no"}}\n' "$id""#, "network.refused"),
      (
        #"printf '{"jsonrpc":"2.0","id":%s,"error":{"code":1,"message":"","data":{"code":"full"}}}\n' "$id""#,
        "network.full"
      ),
    ])
  func fault(fault: String, code: String) throws {
    let directory = try Directory()
    // The first question leads to the fault. All later questions are answered correctly, by
    // whatever process.
    let body = """
      while true; do
        ask
        if mkdir \(directory.path)/once 2>/dev/null; then \(fault)
        else accept; fi
      done
      """
    let engine = try RunningEngine(directory.authenticator(body), in: directory)
    try engine.send(Line.login("a"))
    #expect(try engine.update(of: "a", "requestFailed").shownError == code)
    try engine.send(Line.press("a", "retry"))
    _ = try engine.update(of: "a", "requestSucceeded")
    #expect(try engine.finish().status == .exited(0))
  }

  @Test("an authenticator that closes its input but keeps running is replaced")
  func deaf() throws {
    let directory = try Directory()
    let body = """
      mkdir \(directory.path)/once 2>/dev/null && { exec 0<&-; mkdir \(directory.path)/deaf; exec sleep 600; }
      while ask; do accept; done
      """
    let engine = try RunningEngine(directory.authenticator(body), in: directory)
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestPending")
    try Eventually.holds("it is deaf") { FileManager.default.fileExists(atPath: directory.path + "/deaf") }
    try engine.send(Line.press("a", "cancel"), Line.press("a", "submit"))
    _ = try engine.update(of: "a", "requestSucceeded")
    #expect(try engine.finish().status == .exited(0))
  }

  @Test("questions that wait while a faulty authenticator is restarted are asked after the restart")
  func restart() throws {
    let directory = try Directory()
    let body = """
      for n in 1 2 3; do mkdir \(directory.path)/$n 2>/dev/null && { ask; exit 1; }; done
      while ask; do accept; done
      """
    let engine = try RunningEngine(directory.authenticator(body), in: directory)
    try engine.send(Line.login("a"))
    for _ in 1...3 {
      _ = try engine.update(of: "a", "requestFailed")
      try engine.send(Line.press("a", "retry"))
    }
    _ = try engine.update(of: "a", "requestSucceeded")
  }

  @Test("an authenticator's answer after the request's timeout changes nothing")
  func late() throws {
    let directory = try Directory()
    let body = #"ask; old=$id; ask; accept; id=$old; accept; ask; answer '{"outcome":"rejected","reason":"no"}'"#
    let engine = try RunningEngine(["--clock", "manual"] + directory.authenticator(body), in: directory)
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestPending")
    var heard = try engine.ask(Line.advance(29_999, id: 1))
    #expect(heard.count == 1)
    heard = try engine.ask(Line.advance(1, id: 2))
    #expect(heard.first?.state == "requestFailed")
    #expect(heard.first?.shownError == "network.timeout")
    #expect(heard.last?["result"]?["now"]?.integer == 30_000)
    try engine.send(Line.login("b"))
    _ = try engine.update(of: "b", "requestSucceeded")
    // The script sends the late answer before it reads the question of session c.
    try engine.send(Line.login("c"))
    _ = try engine.update(of: "c", "requestFailed")
    let snapshot = try engine.ask(Line.snapshot("a", id: 3)).last
    #expect(snapshot?["result"]?["snapshot"]?["error"]?["code"]?.string == "network.timeout")
    #expect(snapshot?["result"]?["revision"]?.integer == 5)
  }

  @Test("an answer to a cancelled attempt does not decide the next attempt")
  func cancelled() throws {
    let body = #"ask; old=$id; ask; new=$id; id=$old; answer '{"outcome":"rejected","reason":"old"}'; id=$new; accept"#
    let engine = try engine(body)
    try engine.send(Line.login("a") + [Line.press("a", "cancel"), Line.press("a", "submit")])
    let messages = try engine.until { $0.state == "requestSucceeded" }
    #expect(
      messages.compactMap(\.state) == [
        "initial", "unvalidated", "validated", "requestPending", "validated", "requestPending", "requestSucceeded",
      ])
  }

  @Test("a question that was cancelled or timed out before it was sent is never sent")
  func unsent() throws {
    let directory = try Directory()
    let body = """
      while [ ! -e \(directory.path)/go ]; do sleep 0.05; done
      while ask; do printf '%s\\n' "$line" >> \(directory.path)/asked; accept; done
      """
    let engine = try RunningEngine(["--clock", "manual"] + directory.authenticator(body), in: directory)
    let long = String(repeating: "p", count: 4000)
    // The questions are more than a pipe holds, so some of them stay in the engine.
    for index in 0..<300 {
      try engine.send(Line.login("s\(index)", "ada@example.com", long))
      _ = try engine.update(of: "s\(index)", "requestPending")
    }
    try engine.send(Line.login("cancelled", "cancelled@example.com") + Line.login("closed", "closed@example.com"))
    try engine.send(Line.press("cancelled", "cancel"), Line.close("closed"))
    try engine.send(Line.login("late", "late@example.com"))
    _ = try engine.update(of: "late", "requestPending")
    _ = try engine.ask(Line.advance(30_000, id: 1))
    _ = try directory.write("", to: "go")
    try engine.send(Line.login("last", "last@example.com"))
    _ = try engine.update(of: "last", "requestSucceeded")
    let asked = directory.read("asked")
    #expect(asked.contains("last@example.com"))
    for name in ["cancelled", "closed", "late"] { #expect(!asked.contains(name + "@example.com")) }
  }

  @Test("the same input with the same answers and a manual clock produces the same bytes")
  func deterministic() throws {
    func run() throws -> [[UInt8]] {
      let engine = try engine(
        #"""
        ask; answer '{"outcome":"rejected","reason":"no","items":{"email":[{"code":"email.taken"}]}}'
        ask; answer '{"outcome":"throttled","retryAfterMs":1500}'
        """#, ["--clock", "manual", "--lockstep"])
      try engine.send(
        Line.login("a") + [Line.press("a", "retry"), Line.press("a", "shout", id: 1), "nonsense"]
          + [Line.call("session/open", []), Line.edit("s1", "email", "é\u{1F600}\u{0}")])
      var lines: [[UInt8]] = []
      engine.endInput()
      while let line = try engine.rawLine() { lines.append(line) }
      #expect(lines.count == 12)
      return lines
    }
    let first = try run()
    let second = try run()
    #expect(first == second)
  }
}
