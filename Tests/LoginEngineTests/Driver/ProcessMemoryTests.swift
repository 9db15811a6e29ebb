import Foundation
import JSONCodec
import TestSupport
import Testing

/// Typed passwords must remain neither in the memory of the engine or the accounts nor in anything
/// that these write.
@Suite(.waits) struct ProcessMemoryTests {
  static let passwords = [
    "kX7#mQ2!vR9$wZ4",
    String((0..<200).map { Character(Unicode.Scalar(UInt8(35 + $0 * 37 % 56))) }),
  ]

  @Test(
    "no password remains in memory or files after logins, failures and cancels", arguments: passwords, Spelling.allCases
  )
  func attempts(password: String, spelling: Spelling) throws {
    try MemoryCase(password, spelling).attempts()
  }

  @Test("a password in a refused line does not remain in memory or files", arguments: passwords, Spelling.allCases)
  func refusals(password: String, spelling: Spelling) throws {
    try MemoryCase(password, spelling, ["--max-value-bytes", "100"]).refusals()
  }

  @Test(
    "a password that is entered while a login is pending is refused and does not remain in memory or files",
    arguments: passwords)
  func pending(password: String) throws {
    try MemoryCase(password, .plain, accounts: ["--hash-cost", "8"]).pending()
  }

  @Test("when a login is cancelled, a question that its stuck authenticator has not read is withdrawn and wiped")
  func unsent() throws {
    let directory = try Directory()
    let engine = try RunningEngine(
      ["--hardening", "off", "--clock", "manual"] + directory.authenticator("exec sleep 600"), in: directory)
    // These questions are more than a pipe holds.
    let filler = String(repeating: "f", count: 4000)
    for index in 0..<400 {
      try engine.send(Line.login("f\(index)", "ada@example.com", filler))
      _ = try engine.update(of: "f\(index)", "requestPending")
    }
    let password = "kX7#mQ2!vR9$wZ4"
    let needles = Needles(password, escaped: password)
    try engine.send(Line.login("cancelled", "ada@example.com", password))
    try engine.send(Line.login("timed", "ada@example.com", password))
    try engine.send(Line.login("shut", "ada@example.com", password))
    _ = try engine.update(of: "shut", "requestPending")
    #expect(!needles.places(in: try ProcessMemory(of: engine.processID)).isEmpty)
    try engine.send(Line.press("cancelled", "cancel"), Line.close("cancelled"), Line.close("shut"))
    _ = try engine.ask(Line.advance(3_600_000, id: 1))
    _ = try engine.ask(Line.close("timed", id: 2))
    #expect(needles.places(in: try ProcessMemory(of: engine.processID)) == [])
  }

  @Test(
    "a cancelled question that was sent in part leaves no secret in memory, and the authenticator's input stays valid JSON"
  )
  func begun() throws {
    let directory = try Directory()
    let body = """
      while [ ! -e \(directory.path)/go ]; do sleep 0.05; done
      while ask; do printf '%s' "$line" > \(directory.path)/asked-$id; accept; done
      """
    let engine = try RunningEngine(
      ["--hardening", "off", "--max-value-bytes", "1048576", "--max-line-bytes", "4194304"]
        + directory.authenticator(body), in: directory)
    let secret = "kX7#mQ2!vR9$wZ4"
    // The password is as long as the largest pipe, so that the end of the question stays in the
    // engine. Wherever the question may be cut, there are escapes and multibyte characters.
    let half = String(repeating: "\"é\u{1}€", count: 110_000)
    let password = secret + half + secret
    let needles = Needles(secret, escaped: secret)
    try engine.send(Line.login("begun", "ada@example.com", password))
    _ = try engine.update(of: "begun", "requestPending")
    #expect(!needles.places(in: try ProcessMemory(of: engine.processID)).isEmpty)
    try engine.send(Line.press("begun", "cancel"))
    _ = try engine.ask(Line.close("begun", id: 1))
    #expect(needles.places(in: try ProcessMemory(of: engine.processID)) == [])
    _ = try directory.write("", to: "go")
    try engine.send(Line.login("next"))
    _ = try engine.update(of: "next", "requestSucceeded")
    let asked = try JSONValue(parsing: Array(directory.read("asked-1").utf8))
    let sent = try #require(asked["params"]?["values"]?["password"]?.string)
    // The two comparisons stand outside of `#expect`, because a failure would print the long text.
    let begins = sent.hasPrefix(secret + "\"é\u{1}€"), ends = sent.hasSuffix("xxxxxxxxxxxxxxxxxxxx")
    #expect(begins && ends)
  }
}

/// The spelling of a password in the lines.
enum Spelling: CaseIterable { case plain, escaped }

/// One password in one spelling, and an engine that receives it.
private struct MemoryCase {
  let escaped: String
  let needles: Needles
  let directory: Directory
  let engine: RunningEngine
  let email = "findable.address@example.com"

  init(_ password: String, _ spelling: Spelling, _ arguments: [String] = [], accounts: [String] = []) throws {
    let spelt = password.utf16.map { String(format: "\\u%04x", $0) }.joined()
    escaped = spelling == .plain ? password : spelt
    needles = Needles(password, escaped: spelt)
    directory = try Directory()
    engine = try RunningEngine(
      ["--hardening", "off", "--log-level", "debug"] + arguments, accounts: accounts, in: directory)
  }

  /// A line in which `PASSWORD` is replaced by the password in its spelling.
  private func line(_ text: String) -> String { text.replacingOccurrences(of: "PASSWORD", with: escaped) }

  /// Expects that the password is neither in the memory of the processes, nor in `heard`, nor in
  /// the files.
  private func check(_ moment: String, findsEmail: Bool = true, _ heard: [JSONValue]) throws {
    let memory = try ProcessMemory(of: engine.processID)
    #expect(needles.places(in: memory) == [], "engine, \(moment)")
    if findsEmail { #expect(!memory.places(of: Array(email.utf8)).isEmpty, "\(moment)") }
    for child in Processes.children(of: engine.processID) {
      #expect(needles.places(in: try ProcessMemory(of: child)) == [], "accounts, \(moment)")
    }
    for message in heard { #expect(!needles.isIn(Data(message.text.utf8)), "output, \(moment)") }
    // The files include the engine's standard error.
    for file in try directory.contents() { #expect(!needles.isIn(file.bytes), "\(file.name), \(moment)") }
  }

  /// Sends a request and reads the messages up to its reply, which shows that the engine has
  /// handled everything sent before.
  private func settled(_ id: Int) throws -> [JSONValue] {
    try engine.ask(#"{"jsonrpc":"2.0","id":\#(id),"method":"session/list"}"#)
  }

  func attempts() throws {
    func fill(_ session: String) -> [String] {
      [Line.open(session), Line.edit(session, "email", email), line(Line.edit(session, "password", "PASSWORD"))]
    }
    // Creates an account by signing up.
    let setup = Line.setup("new", email, "findable", "PASSWORD").map(line)
    try engine.send(setup)
    var heard = [try engine.update(of: "new", "requestSucceeded")]
    try check("after signing up", heard)

    try engine.send(fill("in") + [Line.press("in", "submit")])
    heard.append(try engine.update(of: "in", "requestSucceeded"))
    try check("after a login, its session open", heard)

    // A password that was just typed must be found in memory, which shows that the search works.
    try engine.send(fill("typed"))
    heard += try settled(1)
    #expect(!needles.places(in: try ProcessMemory(of: engine.processID)).isEmpty)
    heard += try engine.ask(Line.close("typed", id: 2))
    try check("after a session was closed before submitting", heard)

    try engine.send(
      fill("wrong") + [line(Line.edit("wrong", "password", "PASSWORD!")), Line.press("wrong", "submit")])
    heard.append(try engine.update(of: "wrong", "requestFailed"))
    heard += try engine.ask(Line.close("wrong", id: 3))
    try check("after a failure whose session was closed", heard)

    try engine.send(fill("quit") + [Line.press("quit", "submit"), Line.press("quit", "cancel")])
    heard += try engine.ask(Line.close("quit", id: 4))
    // The accounts may still be computing the hash for the cancelled login. They finish it before
    // this next login succeeds.
    try engine.send(fill("last") + [Line.press("last", "submit")])
    heard.append(try engine.update(of: "last", "requestSucceeded"))
    try check("after a cancel whose session was closed", heard)

    try engine.send(fill("left") + [Line.press("left", "setup")])
    heard += try settled(5)
    try check("after leaving the screen", heard)
  }

  func refusals() throws {
    // The value is too long, so that even the short password is refused.
    let long = escaped + String(repeating: "x", count: 100)
    let text = [
      "a broken line": #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"a","value":"\#(escaped)"#,
      "a line that is no message": #"{"password":"\#(escaped)"}"#,
      "a control character behind it": "{\"value\":\"\(escaped)\u{1}\"}",
      "a batch": Line.batch([
        line(Line.edit("a", "password", "PASSWORD")), line(Line.edit("a", "password", "PASSWORD", id: 9)),
        Line.edit("a", "password", ""),
      ]),
      "a value that is too long": Line.edit("a", "password", "PASSWORD").replacingOccurrences(
        of: "PASSWORD", with: long),
      "a value of the wrong type":
        #"{"jsonrpc":"2.0","id":8,"method":"session/edit","params":{"session":"a","item":"password","value":["\#(escaped)"]}}"#,
      "a switch": line(Line.edit("a", "remember", "PASSWORD")),
      "an unknown item": line(Line.edit("a", "nowhere", "PASSWORD")),
      "an unknown session": line(Line.edit("nobody", "password", "PASSWORD")),
      "an unknown method": line(Line.call("session/shout", [.init("value", .string("PASSWORD"))])),
      "an unknown param": line(
        Line.call("session/edit", [.init("session", .string("a")), .init("password", .string("PASSWORD"))])),
      "values to begin with": line(
        Line.call("session/open", id: 7, [.init("values", .object([.init("password", .string("PASSWORD"))]))])),
    ]
    try engine.send(Line.open("a"), Line.edit("a", "email", email))
    for (index, entry) in text.sorted(by: { $0.key < $1.key }).enumerated() {
      try engine.send(entry.value)
      try check("after \(entry.key)", try settled(100 + index))
    }
  }

  func pending() throws {
    try engine.send(Line.login("a", email, "another password"))
    _ = try engine.update(of: "a", "requestPending")
    let heard = try engine.ask(line(Line.edit("a", "password", "PASSWORD", id: 1)))
    #expect(heard.last?.errorCode == "notAccepted")
    try check("while pending", heard)
  }
}
