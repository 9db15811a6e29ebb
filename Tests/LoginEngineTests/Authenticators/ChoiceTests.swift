import Foundation
import JSONCodec
import System
import TestSupport
import Testing

/// Several authenticators in one engine.
@Suite(.waits) struct ChoiceTests {
  /// An authenticator that accepts everything as `name`, and records that it was started.
  private func command(_ name: String, _ directory: Directory) throws -> String {
    let body =
      "echo started >> \(directory.path)/\(name); while ask; do answer '{\"outcome\":\"accepted\",\"principal\":\"\(name)\"}'; done"
    return try directory.authenticator(body)[1]
  }

  private func principal(_ engine: RunningEngine, _ session: String) throws -> String? {
    try engine.update(of: session, "requestSucceeded").snapshot?["scene"]?["principal"]?.string
  }

  @Test(
    "the most specific authenticator choice decides, in whatever order the choices are given",
    arguments: [
      (["*", "login"], "login", "*"), (["login", "*"], "login", "*"), (["example/*", "login"], "login", "example/*"),
      (["example/login", "login", "example/*", "*"], "example/login", "example/*"),
      (["other/*", "other/login", "*"], "*", "*"), (["setup", "example/*"], "example/*", "setup"),
    ])
  func exactness(which: [String], login: String, setup: String) throws {
    let directory = try Directory()
    let flow = try JSONValue(parsing: Array(Fixtures.text("flows/example.json").utf8))["flow"]?.string ?? ""
    var arguments: [String] = []
    func name(_ which: String) -> String {
      which.replacingOccurrences(of: "/", with: "-").replacingOccurrences(of: "*", with: "all")
    }
    for which in which {
      let spelt = which.replacingOccurrences(of: "example/", with: flow + "/")
      arguments += ["--authenticator", "\(spelt)=\(try command(name(which), directory))"]
    }
    let engine = try RunningEngine(arguments, in: directory)
    try engine.send(Line.login("in") + Line.setup("up", "ada@example.com", "ada", "correct horse"))
    var found: [String: String] = [:]
    while found.count < 2 {
      let message = try engine.next()
      guard message.state == "requestSucceeded", let session = message.session else { continue }
      found[session] = message.snapshot?["scene"]?["principal"]?.string
    }
    #expect(found == ["in": name(login), "up": name(setup)])
    #expect(try engine.finish().status == .exited(0))
  }

  @Test("the accounts decide all requests for which no other authenticator is chosen")
  func rest() throws {
    let directory = try Directory()
    let engine = try RunningEngine(["--authenticator", "login=\(try command("mine", directory))"], in: directory)
    try engine.send(Line.setup("up", "ada@example.com", "ada.l", "correct horse"))
    #expect(try principal(engine, "up") == "ada.l")
    try engine.send(Line.login("in", "nobody@example.com"))
    #expect(try principal(engine, "in") == "mine")
    #expect(try engine.finish().status == .exited(0))
  }

  @Test("an authenticator command that is given for two requests runs as one process")
  func shared() throws {
    let directory = try Directory()
    let command = try command("both", directory)
    let engine = try RunningEngine(
      ["--authenticator", "login=\(command)", "--authenticator", "setup=\(command)"], in: directory)
    try engine.send(Line.login("in") + Line.setup("up", "ada@example.com", "ada", "correct horse"))
    _ = try engine.until { $0.state == "requestSucceeded" }
    _ = try engine.until { $0.state == "requestSucceeded" }
    #expect(directory.read("both") == "started\n")
  }

  @Test("an authenticator's answer to another authenticator's question is dropped")
  func foreign() throws {
    let directory = try Directory()
    // This authenticator gets the second question, and answers both questions.
    let meddling = try directory.authenticator(
      "ask; own=$id; id=1; answer '{\"outcome\":\"rejected\",\"reason\":\"no\"}'; id=$own; accept")[1]
    let slow = try directory.authenticator("ask; while [ ! -e \(directory.path)/go ]; do sleep 0.02; done; accept")[1]
    let engine = try RunningEngine(
      ["--authenticator", "login=\(slow)", "--authenticator", "setup=\(meddling)"], in: directory)
    try engine.send(Line.login("in"))
    _ = try engine.update(of: "in", "requestPending")
    try engine.send(Line.setup("up", "ada@example.com", "ada", "correct horse"))
    _ = try engine.update(of: "up", "requestSucceeded")
    _ = try directory.write("", to: "go")
    _ = try engine.update(of: "in", "requestSucceeded")
  }

  @Test(
    "an invalid --authenticator choice is refused",
    arguments: [
      (["login=", ""], "needs a command"), (["/opt/x=y", ""], "names no requests"),
      (["*/login=x", ""], "names no requests"),
      (["a/b/c=x", ""], "names no requests"), (["login=a", "login=b"], "given twice for login"),
      (["a", "*=b"], "given twice for *"), (["", ""], "needs a value"), (["login='x", ""], "left open"),
    ])
  func refused(values: [String], reason: String) throws {
    let arguments = values.filter { !$0.isEmpty || values == ["", ""] }.flatMap { ["--authenticator", $0] }
    let engine = try RunningEngine(arguments)
    #expect(try engine.finish().status == .exited(2))
    #expect(engine.log.contains(reason), "\(engine.log)")
  }

  @Test("an --authenticator choice that matches no request of a flow is logged as a warning")
  func unused() throws {
    let engine = try RunningEngine([
      "--authenticator", "lgoin=a", "--authenticator", "login=b", "--authenticator", "example/*=c", "--authenticator",
      "example/logout=d",
    ])
    #expect(try engine.finish().status == .exited(0))
    let warned = engine.log.split(separator: "\n").compactMap { $0.firstMatch(of: /--authenticator (\S+)=…/)?.1 }
    #expect(warned == ["lgoin", "example/logout"])
  }

  @Test("in --authenticator, if the text before '=' is not a request pattern, the '=' belongs to the command")
  func equals() throws {
    let directory = try Directory()
    let command = try command("env", directory)
    let engine = try RunningEngine(["--authenticator", "/usr/bin/env A=b \(command)"], in: directory)
    try engine.send(Line.login("in"))
    #expect(try principal(engine, "in") == "env")
  }
}
