import Foundation
import JSONCodec
import System
import TestSupport
import Testing

/// The frontend as the authenticator.
@Suite(.waits) struct FrontendTests {
  private static let options = ["--authenticator", "frontend"]

  private func result(_ number: Int, _ outcome: String) -> String {
    #"{"jsonrpc":"2.0","id":"authenticator-\#(number)","result":\#(outcome)}"#
  }

  @Test("a question to the frontend follows the update that shows it, and its answer may arrive between other events")
  func answered() throws {
    let engine = try RunningEngine(FrontendTests.options)
    try engine.send(Line.login("a", "ada@example.com", "päss\\word"))
    let heard = try engine.until { $0.method == "authenticator/submit" }
    #expect(heard.dropLast().last?.state == "requestPending")
    let question = try #require(heard.last)
    #expect(question["id"]?.string == "authenticator-1")
    #expect(question["params"]?["attempt"]?.integer == 1)
    #expect(question["params"]?["request"]?.string == "login")
    #expect(question["params"]?["values"]?["password"]?.string == "päss\\word")
    // Events of other sessions are handled meanwhile.
    _ = try engine.ask(Line.open("b", id: 1))
    try engine.send(result(1, #"{"outcome":"accepted","principal":"ada"}"#))
    #expect(try engine.update(of: "a", "requestSucceeded").snapshot?["scene"]?["principal"]?.string == "ada")
    #expect(try engine.finish().status == .exited(0))
  }

  @Test("the frontend can respond to a question with a notification, a rejection, an error or invalid text")
  func outcomes() throws {
    let engine = try RunningEngine(FrontendTests.options)
    try engine.send(Line.login("a"))
    _ = try engine.until { $0.method == "authenticator/submit" }
    try engine.send(
      #"{"jsonrpc":"2.0","method":"authenticator/notify","params":{"attempt":1,"message":{"code":"soon","text":"Soon"}}}"#
    )
    #expect(try engine.update(of: "a", "requestPending").snapshot?["notice"]?["code"]?.string == "soon")
    try engine.send(result(1, #"{"outcome":"rejected","items":{"email":[{"code":"email.taken"}]}}"#))
    #expect(try engine.update(of: "a", "requestFailed").item("email")?["messages"]?.array?.count == 1)
    try engine.send(Line.press("a", "retry"))
    _ = try engine.until { $0["params"]?["retryOf"]?.integer == 1 }
    try engine.send(
      #"{"jsonrpc":"2.0","id":"authenticator-2","error":{"code":1,"message":"","data":{"code":"offline"}}}"#)
    #expect(try engine.update(of: "a", "requestFailed").shownError == "network.offline")
    try engine.send(Line.press("a", "retry"), result(3, "[]"))
    #expect(try engine.update(of: "a", "requestFailed").shownError == "network.invalidAnswer")
  }

  @Test(
    "a response of the frontend to no open question changes nothing and gets no reply",
    arguments: [
      #""authenticator-2""#, #""authenticator-01""#, #""authenticator-""#, "1", #""1""#, "null", #""describe""#,
    ])
  func unknown(id: String) throws {
    let engine = try RunningEngine(FrontendTests.options)
    try engine.send(Line.login("a"))
    _ = try engine.until { $0.method == "authenticator/submit" }
    try engine.send(#"{"jsonrpc":"2.0","id":\#(id),"result":{"outcome":"accepted"}}"#)
    let reply = try engine.ask(Line.snapshot("a", id: 1))
    #expect(reply.count == 1)
    #expect(reply.last?["result"]?["snapshot"]?["state"]?.string == "requestPending")
  }

  @Test("the frontend learns of a cancel and of a timeout, and later answers change nothing")
  func cancelled() throws {
    let engine = try RunningEngine(["--clock", "manual"] + FrontendTests.options)
    try engine.send(Line.login("a") + [Line.press("a", "cancel")])
    let cancel = try engine.until { $0.method == "authenticator/cancel" }.last
    #expect(cancel?["params"]?["attempt"]?.integer == 1)
    #expect(cancel?["id"] == nil)
    try engine.send(result(1, #"{"outcome":"accepted"}"#), Line.press("a", "submit"))
    _ = try engine.until { $0["id"]?.string == "authenticator-2" }
    let heard = try engine.ask(Line.advance(30_000, id: 1))
    #expect(heard.first?.method == "authenticator/cancel")
    #expect(heard.compactMap(\.shownError) == ["network.timeout"])
  }

  @Test("the end of input fails questions to the frontend at once", arguments: [[], ["--lockstep"]])
  func inputEnded(options: [String]) throws {
    let engine = try RunningEngine(options + FrontendTests.options)
    try engine.send(Line.login("a") + Line.login("b"))
    let (heard, status) = try engine.finish()
    #expect(heard.compactMap(\.shownError) == ["network.inputEnded", "network.inputEnded"])
    #expect(status == .exited(0))
  }

  @Test("at the end of input, the engine still waits for attempts at authenticators other than the frontend")
  func others() throws {
    let directory = try Directory()
    let engine = try RunningEngine(
      ["--authenticator", "setup=\(try directory.authenticator("ask; sleep 0.3; accept")[1])"] + FrontendTests.options,
      in: directory)
    try engine.send(Line.setup("up", "ada@example.com", "ada", "correct horse") + Line.login("in"))
    let (heard, status) = try engine.finish()
    #expect(heard.filter { $0.session == "in" }.last?.shownError == "network.inputEnded")
    #expect(heard.filter { $0.session == "up" }.last?.state == "requestSucceeded")
    #expect(status == .exited(0))
  }

  @Test("under lockstep, the frontend's answers are handled before lines that wait, and these lines keep their order")
  func lockstep() throws {
    let engine = try RunningEngine(["--lockstep"] + FrontendTests.options)
    try engine.send(
      Line.login("a") + [
        Line.edit("a", "email", "eve@example.com", id: 7), "nonsense", Line.batch([Line.open("b", id: 8)]),
        result(1, #"{"outcome":"rejected","reason":"invalidCredentials"}"#), Line.snapshot("a", id: 9),
      ])
    engine.endInput()
    let heard = try engine.rest()
    let kinds = heard.map { message in
      message.state ?? message.method ?? message.errorCode ?? message["id"]?.integer.map { "\($0)" }
        ?? (message.array == nil ? "?" : "batch")
    }
    #expect(
      kinds == [
        "initial", "unvalidated", "validated", "requestPending", "authenticator/submit", "requestFailed", "validated",
        "7",
        "parseError", "initial", "batch", "9",
      ])
    #expect(try engine.wait() == .exited(0))
  }

  @Test("lines that wait under lockstep take bounded memory")
  func waitingLines() throws {
    let engine = try RunningEngine(["--lockstep"] + FrontendTests.options)
    try engine.send(Line.login("a"))
    _ = try engine.until { $0.method == "authenticator/submit" }
    let line = Line.edit("a", "email", String(repeating: "x", count: 4000)) + "\n"
    let many = Array(String(repeating: line, count: 4096).utf8)
    let engineInput = engine.input
    var sent = 0
    // Writes lines until the engine stops reading.
    for _ in 0..<200 {
      let count = many[(sent % many.count)...].withUnsafeBytes { write(engineInput, $0.baseAddress, $0.count) }
      if count > 0 { sent += count } else { usleep(10_000) }
    }
    #expect(sent < 16 << 20)
    #expect(Processes.kibibytes(engine.processID, "VmHWM") < 64 << 10)
  }

  @Test("a password that was sent to the frontend does not stay in memory")
  func memory() throws {
    let engine = try RunningEngine(["--hardening", "off"] + FrontendTests.options)
    let password = "kX7#mQ2!vR9$wZ4"
    try engine.send(Line.login("a", "ada@example.com", password))
    _ = try engine.until { $0.method == "authenticator/submit" }
    try engine.send(result(1, #"{"outcome":"accepted"}"#))
    _ = try engine.update(of: "a", "requestSucceeded")
    _ = try engine.ask(Line.close("a", id: 1))
    let needles = Needles(password, escaped: password)
    #expect(needles.places(in: try ProcessMemory(of: engine.processID)) == [])
  }
}
