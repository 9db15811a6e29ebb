import CAccountLibraries
import Foundation
import JSONCodec
import System
import TestSupport
import Testing

/// The challenges that the accounts send after an accepted password, tested through a running
/// engine.
@Suite(.waits) struct RecoveryTests {
  let directory: Directory
  let wrong = "0000-0000-0000-0000"

  /// Creates a directory with the account of `ada`.
  init() throws {
    directory = try Directory.withAccount()
  }

  /// Runs a command of the administrator. Returns the printed lines.
  @discardableResult private func administrate(_ arguments: String...) throws -> [String] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: BuiltProgram.loginAccounts)
    process.arguments = ["--file", directory.accounts, "--hash-cost", "1"] + arguments
    process.standardOutput = output
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: printed, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The view's lines that enter values and press `submit`.
  private func enter(_ values: [(String, String)], _ session: String = "a") -> [String] {
    values.map { Line.edit(session, $0.0, $0.1) } + [Line.press(session, "submit")]
  }

  @Test(
    "piped input can answer a recovery challenge wrongly and rightly, and a used code is refused in the next session")
  func pipe() throws {
    let codes = try administrate("recovery-codes", "ada", "--count", "3")
    let engine = try RunningEngine(["--lockstep"], in: directory)
    try engine.send(Line.login("a") + enter([("code", wrong)]) + enter([("code", codes[0].lowercased())]))
    try engine.send(Line.login("b") + enter([("code", codes[0])], "b") + enter([("code", codes[1])], "b"))
    let (messages, status) = try engine.finish()
    #expect(status == .exited(0))
    #expect(engine.log.isEmpty)
    let steps = messages.filter { $0.isUpdate }.map { message in
      [
        message.session, message.snapshot?["screen"]?.string, message.state, message.shownError,
        message.item("code")?["messages"]?[0]?["code"]?.string,
        message.snapshot?["scene"]?["principal"]?.string,
      ].compactMap(\.self).joined(separator: " ")
    }
    let expected = ["a", "b"].flatMap { session in
      [
        "login initial", "login unvalidated", "login validated", "login requestPending", "recoveryCode initial",
        "recoveryCode validated", "recoveryCode requestPending",
        "recoveryCode requestFailed recoveryCode.invalid recoveryCode.invalid", "recoveryCode validated",
        "recoveryCode requestPending", "login requestSucceeded ada",
      ].map { session + " " + $0 }
    }
    #expect(steps == expected)
    let text = messages.map(\.text).joined()
    for code in codes { #expect(!text.localizedCaseInsensitiveContains(code)) }
    #expect(try administrate("list")[0].contains("\t1\t-\t-\t"))
  }

  @Test(
    "no file and no log contains a password, a recovery code or a device token, and a token is sent only once"
  )
  func secrets() throws {
    let codes = try administrate("recovery-codes", "ada", "--count", "3")
    try administrate("expire", "ada")
    let files = ["recording", "trace", "audit"].map { directory.path + "/" + $0 }
    let options = ["--record", files[0], "--trace", files[1], "--audit", files[2], "--log-level", "debug"]
    let engine = try RunningEngine(options + ["--lockstep"], accounts: ["--remember-devices", "30"], in: directory)
    let remember = Line.call(
      "session/edit",
      [.init("session", .string("a")), .init("item", .string("remember")), .init("value", .bool(true))])
    try engine.send(Line.login("a") + [remember] + enter([("code", codes[0])]))
    try engine.send(enter([("password", "another horse"), ("repetition", "another horse")]) + [Line.close("a")])
    let granted = try engine.until { $0["method"]?.string == "session/granted" }
    let token = try #require(granted.last?["params"]?["secret"]?["rememberedDevice"]?.string)
    let secrets = JSONValue.object([.init("rememberedDevice", .string(token))])
    try engine.send(
      Line.call("session/open", [.init("session", .string("b")), .init("secrets", secrets)]),
      Line.edit("b", "email", "ada@example.com"), Line.edit("b", "password", "another horse"),
      Line.press("b", "submit"))
    let (rest, status) = try engine.finish()
    #expect(status == .exited(0))
    #expect(rest.contains { $0.session == "b" && $0.state == "requestSucceeded" })
    let told = (granted + rest).map(\.text)
    let kept = try FileManager.default.subpathsOfDirectory(atPath: directory.path).compactMap { name in
      FileManager.default.contents(atPath: directory.path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(kept.contains { $0.contains("ada@example.com") } && kept.count > 4)
    let plain = codes[0].filter { $0 != "-" }
    for secret in ["correct horse", "another horse", codes[0], plain, plain.lowercased(), token] {
      #expect(!kept.contains { $0.contains(secret) } && !engine.log.contains(secret))
      #expect(told.count { $0.contains(secret) } == (secret == token ? 1 : 0))
    }
  }

  @Test("a login with an expired password requires a recovery code and a new password, which replaces the old one")
  func expired() throws {
    let codes = try administrate("recovery-codes", "ada", "--count", "2")
    try administrate("expire", "ada")
    let engine = try RunningEngine(in: directory)
    try engine.send(Line.login("a"))
    #expect(try updates(engine, of: "a", screen: "recoveryCode").state == "initial")
    try engine.send(enter([("code", codes[0])]))
    #expect(try updates(engine, of: "a", screen: "newPassword").state == "initial")
    try engine.send(enter([("password", "correct horse"), ("repetition", "correct horse")]))
    let unchanged = try engine.update(of: "a", "requestFailed")
    #expect(unchanged.shownError == "newPassword.unchanged")
    #expect(unchanged.item("password")?["messages"]?[0]?["code"]?.string == "newPassword.unchanged")
    #expect(unchanged.item("password")?["filled"]?.bool == false)
    try engine.send(Line.edit("a", "password", "another horse"), Line.edit("a", "repetition", "another house"))
    let different = try engine.until { $0.item("repetition")?["validity"]?.string == "invalid" }
    #expect(
      different.last?.item("repetition")?["messages"]?[0]?["code"]?.string == "newPassword.different")
    try engine.send(enter([("repetition", "another horse")]))
    #expect(try engine.update(of: "a", "requestSucceeded").snapshot?["scene"]?["principal"]?.string == "ada")
    try engine.send(Line.login("old"))
    #expect(try engine.update(of: "old", "requestFailed").shownError == "invalidCredentials")
    try administrate("recovery-codes", "ada", "--off")
    try engine.send(Line.login("new", "ada@example.com", "another horse"))
    _ = try engine.update(of: "new", "requestSucceeded")
    #expect(try engine.finish().status == .exited(0))
    #expect(engine.log.isEmpty)
  }

  @Test("leaving a recovery challenge keeps the typed address and discards the password")
  func leaving() throws {
    let codes = try administrate("recovery-codes", "ada", "--count", "2")
    let engine = try asked()
    try engine.send(Line.press("a", "leave"))
    let login = try updates(engine, of: "a", screen: "login")
    #expect(login.item("email")?["value"]?.string == "ada@example.com")
    #expect(login.item("password")?["filled"]?.bool == false)
    #expect(login.shownError == nil)
    try engine.send(enter([("password", "correct horse")]))
    _ = try updates(engine, of: "a", screen: "recoveryCode")
    try engine.send(enter([("code", codes[0])]))
    _ = try engine.update(of: "a", "requestSucceeded")
  }

  @Test("the fifth wrong recovery code leads back to the login, and the sixth attempt is throttled")
  func tooMany() throws {
    let codes = try administrate("recovery-codes", "ada", "--count", "2")
    let engine = try asked(["--clock", "manual"])
    for _ in 1...4 {
      try engine.send(enter([("code", wrong)]))
      #expect(try engine.update(of: "a", "requestFailed").shownError == "recoveryCode.invalid")
    }
    try engine.send(enter([("code", wrong)]))
    let over = try engine.update(of: "a", "requestFailed")
    #expect(over.shownError == "recoveryCode.tooManyTries")
    #expect(over.snapshot?["screen"]?.string == "login")
    try engine.send(enter([("password", "correct horse")]))
    _ = try updates(engine, of: "a", screen: "recoveryCode")
    try engine.send(enter([("code", codes[0])]))
    let waiting = try engine.update(of: "a", "requestFailed")
    #expect(waiting.shownError == "throttled")
    #expect(waiting.snapshot?["screen"]?.string == "recoveryCode")
    try engine.ask(Line.advance(1_000, id: 1))
    try engine.send(enter([("code", codes[0])]))
    _ = try engine.update(of: "a", "requestSucceeded")
  }

  @Test("if the accounts could not check a recovery code, retrying succeeds and uses up only one code")
  func repeating() throws {
    let codes = try administrate("recovery-codes", "ada", "--count", "2")
    let engine = try asked()
    var connection: OpaquePointer?
    #expect(sqlite3_open(directory.accounts, &connection) == SQLITE_OK)
    defer { sqlite3_close_v2(connection) }
    #expect(sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    try engine.send(enter([("code", codes[0])]))
    let locked = try engine.update(of: "a", "requestFailed")
    #expect(locked.shownError == "network.accountsLocked")
    #expect(locked.snapshot?["screen"]?.string == "recoveryCode")
    #expect(sqlite3_exec(connection, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
    try engine.send(Line.press("a", "retry"))
    _ = try engine.update(of: "a", "requestSucceeded")
    #expect(try administrate("list")[0].contains("\t1\t-\t-\t"))
  }

  @Test("killing the accounts process during a recovery challenge fails the login at once, and the next login works")
  func death() throws {
    let codes = try administrate("recovery-codes", "ada", "--count", "2")
    let engine = try asked()
    kill(try #require(Processes.children(of: engine.processID).first), SIGKILL)
    let failed = try engine.update(of: "a", "requestFailed")
    #expect(failed.shownError == "network.exited")
    #expect(failed.snapshot?["screen"]?.string == "login")
    try engine.send(enter([("password", "correct horse")]))
    _ = try updates(engine, of: "a", screen: "recoveryCode")
    try engine.send(enter([("code", codes[0])]))
    _ = try engine.update(of: "a", "requestSucceeded")
  }

  @Test("a recovery challenge expires after ten minutes, and the user must log in again")
  func tooLate() throws {
    try administrate("recovery-codes", "ada", "--count", "2")
    let engine = try asked(["--clock", "manual"])
    #expect(try engine.ask(Line.advance(599_999, id: 1)).count == 1)
    let messages = try engine.ask(Line.advance(1, id: 2))
    #expect(messages.first?.shownError == "challengeExpired")
    #expect(messages.first?.snapshot?["screen"]?.string == "login")
  }

  @Test(
    "recovery challenges are in the session's language",
    arguments: [("en", "Recovery code"), ("de", "Wiederherstellungscode")])
  func language(locale: String, title: String) throws {
    try administrate("recovery-codes", "ada", "--count", "2")
    let engine = try RunningEngine(in: directory)
    try engine.send(
      Line.call("session/open", [.init("session", .string("a")), .init("locale", .string(locale))]))
    try engine.send(Array(Line.login("a").dropFirst()))
    let question = try updates(engine, of: "a", screen: "recoveryCode")
    #expect(question.snapshot?["title"]?.string == title)
    #expect(question.item("code")?["title"]?.string == title)
  }

  /// An engine with a session `a` whose password was accepted and that is asked for a recovery
  /// code.
  private func asked(_ arguments: [String] = []) throws -> RunningEngine {
    let engine = try RunningEngine(arguments, in: directory)
    try engine.send(Line.login("a"))
    _ = try updates(engine, of: "a", screen: "recoveryCode")
    return engine
  }

  /// Reads up to the session's next update that shows the given screen, and returns that update.
  private func updates(_ engine: RunningEngine, of session: String, screen: String) throws -> JSONValue {
    let messages = try engine.until { $0.session == session && $0.snapshot?["screen"]?.string == screen }
    return messages[messages.count - 1]
  }
}
