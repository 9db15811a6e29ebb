import Foundation
import JSONCodec
import System
import TestSupport
import Testing

/// Sessions that are saved in a file while their engine is replaced.
@Suite(.waits) struct SavedFileTests {
  private func options(_ directory: Directory) throws -> [String] {
    let file = directory.path + "/sessions.jsonl"
    return ["--save-on-exit", file, "--restore", file] + (try directory.authenticator("exec sleep 600"))
  }

  @Test(
    "a signal and the end of input save all sessions, and the next engine restores them", arguments: [true, false])
  func restart(isSignal: Bool) throws {
    let directory = try Directory()
    let first = try RunningEngine(try options(directory), in: directory)
    try first.send(
      Line.open("a"), Line.edit("a", "email", "ada@example.com"), Line.edit("a", "password", "correct horse"))
    try first.send(Line.open("b", screen: "setup"))
    try first.ask(Line.open("c", id: 1))
    if isSignal { first.signal(SIGTERM) } else { first.endInput() }
    #expect(try first.wait() == .exited(0))
    let saved = directory.read("sessions.jsonl")
    #expect(saved.split(separator: "\n").count == 3)
    #expect(!saved.contains("correct horse"))
    let mode = try FileManager.default.attributesOfItem(atPath: directory.path + "/sessions.jsonl")[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/sessions.jsonl.tmp"))

    let second = try RunningEngine(try options(directory), in: directory)
    // The engine handles this line after it has restored the sessions, whenever the line is
    // written.
    try second.send(Line.open("d", id: 2))
    let lines = try second.until { $0["id"]?.integer == 2 }
    let updates = lines.compactMap { $0["params"] }
    #expect(updates.compactMap { $0["session"]?.string } == ["a", "b", "c", "d"])
    #expect(updates.compactMap { $0["revision"]?.integer } == [4, 2, 2, 1])
    #expect(updates.compactMap { $0["events"]?.integer } == [2, 0, 0, 0])
    #expect(updates[0]["snapshot"]?["notice"]?["code"]?.string == "secretsNotKept")
    try Eventually.holds("the file is gone") {
      !FileManager.default.fileExists(atPath: directory.path + "/sessions.jsonl")
    }
    second.endInput()
    #expect(try second.wait() == .exited(0))
  }

  /// The mode of an untrusted file, and its owner if it is another user. Only root can change the
  /// owner of a file.
  private static let distrusted: [(mode: Int, owner: UInt32?)] =
    [(0o602, nil), (0o620, nil)] + (geteuid() == 0 ? [(0o600, 12_345)] : [])

  /// A user who can write the file of saved sessions can decide who is logged in.
  @Test(
    "a file of saved sessions that other users can write or have created is refused and not removed",
    arguments: distrusted)
  func untrusted(mode: Int, owner: UInt32?) throws {
    let directory = try Directory()
    let line = #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"a","principal":"ada"}}"#
    let file = try directory.write(line + "\n", to: "sessions.jsonl", mode: mode_t(mode))
    if let owner { try #require(chown(file, owner, owner) == 0) }
    let engine = try RunningEngine(try options(directory), in: directory)
    engine.endInput()
    #expect(try engine.wait() == .exited(1))
    #expect(
      engine.log == "login-engine: \(file): others can write this file or have made it, and sessions say who is in\n")
    #expect(directory.read("sessions.jsonl") == line + "\n")
  }

  @Test("an engine that cannot save its sessions because the folder is missing logs that and exits with status 1")
  func unwritable() throws {
    let directory = try Directory()
    let engine = try RunningEngine(["--save-on-exit", directory.path + "/none/sessions.jsonl"], in: directory)
    try engine.ask(Line.open("a", id: 1))
    engine.endInput()
    #expect(try engine.wait() == .exited(1))
  }

  @Test("a line of saved sessions that opens no session is refused, and the other sessions are restored")
  func damaged() throws {
    let directory = try Directory()
    let first = try RunningEngine(try options(directory), in: directory)
    try first.send(Line.open("a"))
    try first.ask(Line.open("b", id: 1))
    first.endInput()
    #expect(try first.wait() == .exited(0))
    let saved = directory.read("sessions.jsonl").replacing(
      #""session":"a","saved":{"version":1"#, with: #""session":"a","saved":{"version":9"#)
    _ = try directory.write(saved, to: "sessions.jsonl")
    let second = try RunningEngine(try options(directory), in: directory)
    try second.send(Line.open("c", id: 2))
    let lines = try second.until { $0["id"]?.integer == 2 }
    #expect(lines.compactMap { $0["params"]?["session"]?.string } == ["a", "b", "c"])
    #expect(lines.first?["method"]?.string == "session/refused")
    second.endInput()
    #expect(try second.wait() == .exited(0))
  }
}
