import Foundation
import System
import TestSupport
import Testing

@Suite("The choice of the accounts program", .waits)
struct AccountsProgramTests {
  let directory: Directory

  /// Creates a folder with a copy of the engine.
  init() throws {
    directory = try Directory()
    try FileManager.default.createDirectory(atPath: directory.file("bin"), withIntermediateDirectories: false)
    _ = try directory.installProgram(RunningEngine.executable, as: "bin/login-engine")
  }

  private func engine(_ options: [String] = [], path: String = "/usr/bin:/bin") throws -> RunningEngine {
    try RunningEngine(
      ["PATH=" + path, directory.file("bin/login-engine"), "--accounts", directory.accounts] + options, in: directory,
      executable: "/usr/bin/env", usesDefaults: false)
  }

  private func script(_ answer: String) throws {
    _ = try directory.writeProgram(
      "#!/bin/sh\nread -r line\necho '\(answer)'\nwhile read -r line; do :; done\n", to: "bin/login-accounts")
  }

  @Test("an engine that finds no accounts program still opens forms, and logs what is missing and what to do")
  func missing() throws {
    let engine = try engine()
    try engine.send(Line.login("a"))
    #expect(try engine.update(of: "a", "requestFailed").shownError == "network.unavailable")
    #expect(try engine.finish().status == .exited(0))
    #expect(
      engine.log.contains(
        "there is no login-accounts in the folder of login-engine or in PATH; install it, or choose"))
  }

  @Test("the accounts program is looked up in the engine's folder, then in PATH, whose relative entries are ignored")
  func order() throws {
    let other = directory.file("other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: other + "/login-accounts", withDestinationPath: BuiltProgram.loginAccounts)
    let found = try engine(path: "\(other):/usr/bin:/bin")
    try found.send(Line.setup("new", "ada@example.com", "ada", "correct horse"))
    _ = try found.update(of: "new", "requestSucceeded")
    #expect(try found.finish().status == .exited(0))
    let relative = try RunningEngine(
      ["PATH=:other:/usr/bin:/bin", directory.file("bin/login-engine"), "--accounts", directory.accounts],
      in: directory,
      executable: "/usr/bin/env", workingDirectory: directory.path, usesDefaults: false)
    try relative.send(Line.login("a"))
    #expect(try relative.update(of: "a", "requestFailed").shownError == "network.unavailable")
  }

  @Test("a running engine restarts the same accounts program even if an upgrade has replaced the file")
  func upgrade() throws {
    _ = try directory.installProgram(BuiltProgram.loginAccounts, as: "bin/login-accounts")
    let engine = try engine()
    try engine.send(Line.setup("new", "ada@example.com", "ada", "correct horse"))
    _ = try engine.update(of: "new", "requestSucceeded")
    for child in Processes.children(of: engine.processID) { kill(child, SIGKILL) }
    // Waits until the engine has noticed the exit, because a question to the killed process would
    // only fail.
    try Eventually.holds("the engine knows") { engine.log.contains("has ended") }
    try FileManager.default.removeItem(atPath: directory.file("bin/login-accounts"))
    try script("nonsense")
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestSucceeded")
  }

  @Test("an accounts program of another version is named in the log, with advice")
  func version() throws {
    try script(#"{"jsonrpc":"2.0","id":"describe","result":{"name":"login-accounts","version":"0.0.9"}}"#)
    let engine = try engine()
    try engine.send(Line.login("a"))
    try Eventually.holds("the log says so") {
      engine.log.contains("runs with login-accounts 0.0.9: install both from one build")
    }
  }
}
