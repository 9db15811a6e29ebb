import Foundation
import JSONCodec
import System
import TestSupport
import Testing

/// Users who sign up and log in with `login-accounts`.
@Suite(.waits) struct LoginTests {
  @Test("a user who has signed up can log in with the password of the sign-up, and with no other")
  func signUpAndLogIn() throws {
    let engine = try RunningEngine()
    try engine.send(Line.setup("new", "ada@example.com", "ada", "correct horse"))
    let welcome = try engine.update(of: "new", "requestSucceeded")
    #expect(welcome.snapshot?["scene"]?["principal"]?.string == "ada")
    try engine.send(Line.login("right"))
    #expect(try engine.update(of: "right", "requestSucceeded").snapshot?["scene"]?["principal"]?.string == "ada")
    try engine.send(Line.login("wrong", "ada@example.com", "correct house"))
    let refused = try engine.update(of: "wrong", "requestFailed")
    #expect(refused.shownError == "invalidCredentials")
    #expect(refused.item("email")?["value"]?.string == "ada@example.com")
    #expect(refused.item("password")?["filled"]?.bool == true)
    try engine.send(Line.setup("again", "Ada@Example.com", "lovelace", "correct horse"))
    let taken = try engine.update(of: "again", "requestFailed")
    #expect(taken.item("email")?["messages"]?[0]?["code"]?.string == "email.taken")
    let (rest, status) = try engine.finish()
    #expect(rest.isEmpty)
    #expect(status == .exited(0))
    #expect(engine.log.isEmpty)
  }

  @Test("killing the accounts process during a login fails the login with a network error, and the next login works")
  func killInTheMiddle() throws {
    let directory = try Directory()
    let first = try RunningEngine(accounts: ["--hash-cost", "9"], in: directory)
    try first.send(Line.setup("new", "ada@example.com", "ada", "correct horse"))
    _ = try first.update(of: "new", "requestSucceeded")
    // If the login was over before this test could kill the process, the test tries the next
    // session.
    for session in ["a", "b", "c", "d", "e", "f"] {
      try first.send(Line.login(session))
      _ = try first.update(of: session, "requestPending")
      let accounts = try #require(Processes.children(of: first.processID).first)
      // The hash takes a third of a second: the login is in progress once some processor time has
      // passed.
      let before = Processes.ticks(accounts)
      try Eventually.holds("the login is being worked on") { Processes.ticks(accounts) >= before + 3 }
      kill(accounts, SIGKILL)
      let update = try #require(try first.until { $0.session == session }.last)
      if update.state == "requestSucceeded" { continue }
      #expect(update.shownError == "network.exited")
      try first.send(Line.press(session, "retry"))
      _ = try first.update(of: session, "requestSucceeded")
      #expect(try first.finish().status == .exited(0))
      return
    }
    Issue.record("no login was seen while it was worked on")
  }

  @Test("a flow that shares no names with the built-in flows works with the accounts")
  func renamedFlow() throws {
    let flow = Fixtures.path("flows/renamed.json")
    let engine = try RunningEngine(["--flow", flow])
    try engine.send(Line.open("a", screen: "quay"))
    let items = try engine.next().snapshot?["sections"]?.array?.flatMap { $0["items"]?.array ?? [] } ?? []
    for item in items {
      let id = try #require(item["id"]?.string)
      let value =
        ["email": "ada@example.com", "newPassword": "correct horse"][item["inputType"]?.string ?? ""] ?? "ada"
      if item["kind"]?.string == "input" { try engine.send(Line.edit("a", id, value)) }
    }
    let filled = try engine.update(of: "a", "validated")
    let submit = try #require(filled.snapshot?["actions"]?[0]?["id"]?.string)
    try engine.send(Line.press("a", submit))
    _ = try engine.update(of: "a", "requestSucceeded")
    try engine.send(
      Line.open("b"), Line.edit("b", "post", "ada@example.com"), Line.edit("b", "cipher", "correct horse"))
    try engine.send(Line.press("b", "board"))
    #expect(try engine.update(of: "b", "requestSucceeded").snapshot?["scene"]?["id"]?.string == "sea")
  }

  @Test("two engines use one accounts file at the same time")
  func twoEngines() throws {
    let directory = try Directory()
    let engines = [try RunningEngine(in: directory), try RunningEngine(in: directory)]
    for round in 0..<10 {
      for (index, engine) in engines.enumerated() {
        let name = "u\(index)r\(round)"
        try engine.send(Line.setup(name, "\(name)@example.com", name, "correct horse"))
      }
    }
    for engine in engines {
      var done: Set<String> = []
      while done.count < 10 {
        let message = try engine.next()
        #expect(message.state != "requestFailed")
        if message.state == "requestSucceeded", let session = message.session { done.insert(session) }
      }
    }
    // Once both engines have finished, each finds the accounts that the other one has created.
    for (index, engine) in engines.enumerated() {
      try engine.send(Line.login("other", "u\(1 - index)r0@example.com", "correct horse"))
    }
    for engine in engines { _ = try engine.update(of: "other", "requestSucceeded") }
  }
}

/// The files in `Tests/Fixtures`, which several tests use.
enum Fixtures {
  static func path(_ name: String) -> String {
    return Checkout.tests.appendingPathComponent("Fixtures").appendingPathComponent(name).path
  }

  static func text(_ name: String) -> String { (try? String(contentsOfFile: path(name), encoding: .utf8)) ?? "" }
}
