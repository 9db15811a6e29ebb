import Foundation
import JSONCodec
import System
import TestSupport
import Testing

/// Lines that authenticators write to standard error.
@Suite(.waits) struct StandardErrorTests {
  /// Runs an engine with an authenticator that runs the shell command `complaint` before its first
  /// answer. Returns the lines of the engine's log.
  private func log(_ complaint: String, _ options: [String] = []) throws -> [String] {
    let directory = try Directory()
    let script = try directory.authenticator("ask; \(complaint); accept; while ask; do accept; done")[1]
    let name = directory.path + "/directory-login"
    try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: "/bin/sh")
    let command = script.replacingOccurrences(of: "/bin/sh", with: name)
    let engine = try RunningEngine(options + ["--authenticator", command], in: directory)
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestSucceeded")
    #expect(try engine.finish().status == .exited(0))
    return engine.log.split(separator: "\n").map(String.init)
  }

  @Test(
    "a line of an authenticator's standard error is logged after the authenticator's name, at every log level",
    arguments: ["error", "warning"])
  func prefix(level: String) throws {
    let log = try log("echo 'no such directory: ü' >&2", ["--log-level", level])
    #expect(log == ["login-engine: authenticator directory-login: no such directory: ü"])
  }

  @Test(
    "control characters in an authenticator's standard error are replaced, and an unterminated line is logged at its end"
  )
  func controlCharacters() throws {
    let log = try log(#"printf 'a\033[2Jb\tc\r\n\nrest' >&2"#)
    #expect(
      log == ["a?[2Jb\tc", "", "rest"].map { "login-engine: authenticator directory-login: \($0)" })
  }

  @Test("two-byte control characters and invalid UTF-8 in an authenticator's standard error are replaced")
  func eightBitControlCharacters() throws {
    // CSI as U+009B and as a byte, NEL, and a letter with the same last byte.
    let log = try log(#"printf 'a\302\2332Jb\2332J\302\205c\303\233\n' >&2"#)
    #expect(log == ["login-engine: authenticator directory-login: a?2Jb\u{FFFD}2J?c\u{DB}"])
  }

  @Test("a long line of an authenticator's standard error is cut")
  func long() throws {
    let log = try log("head -c 5000000 /dev/zero | tr '\\0' x >&2; echo >&2; echo short >&2")
    let prefix = "login-engine: authenticator directory-login: "
    #expect(log == [prefix + String(repeating: "x", count: 1000) + " …", prefix + "short"])
  }

  @Test("if an authenticator floods its standard error, the first lines are logged and the others are counted")
  func flood() throws {
    let log = try log("seq 1 100000 >&2")
    let lines = log.map { $0.replacingOccurrences(of: "login-engine: authenticator directory-login: ", with: "") }
    #expect(lines.prefix(100) == (1...100).map { "\($0)" }[...])
    let dropped = lines.compactMap { $0.firstMatch(of: /^\((\d+) more lines were dropped\)$/)?.1 }.compactMap {
      Int($0)
    }
    let passed = lines.count { Int($0) != nil }
    #expect(!dropped.isEmpty)
    #expect(dropped.reduce(passed, +) == 100_000)
  }

  @Test("a log that is not read delays no session")
  func blockedLog() throws {
    let directory = try Directory()
    let script = try directory.authenticator(
      "ask; yes complaint | head -c 3000000 >&2; accept; while ask; do accept; done")
    // Standard error is a pipe that is not read.
    let pipe = directory.path + "/log"
    mkfifo(pipe, 0o600)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let command = [RunningEngine.executable, "--flow", Fixtures.path("flows/example.json")] + script
    let engine = try RunningEngine(
      ["-c", #"exec 2>"$0"; exec "$@""#, pipe] + command, in: directory, executable: "/bin/bash", usesDefaults: false)
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestSucceeded")
    #expect(try engine.finish().status == .exited(0))
  }
}
