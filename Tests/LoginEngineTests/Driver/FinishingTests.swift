import Foundation
import System
import TestSupport
import Testing

/// How long authenticators may go on working when their engine ends.
@Suite(.waits) struct FinishingTests {
  /// What ends the engine: a signal, or `nil` for the end of input.
  private static let ends: [Int32?] = [nil, SIGTERM, SIGINT, SIGHUP]

  @Test("an authenticator may finish its work within the drain timeout, whatever ends the engine", arguments: ends)
  func finishing(signal: Int32?) throws {
    let directory = try Directory()
    let script = "trap 'sleep 2.5; echo > \(directory.path)/finished' EXIT; while ask; do accept; done"
    let engine = try RunningEngine(directory.authenticator(script), in: directory)
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestSucceeded")
    if let signal { engine.signal(signal) } else { engine.endInput() }
    #expect(try engine.wait() == .exited(0))
    #expect(directory.read("finished") == "\n")
    #expect(engine.log.isEmpty)
  }

  @Test("an authenticator that works longer than the drain timeout is killed, and that is logged", arguments: ends)
  func unfinished(signal: Int32?) throws {
    let directory = try Directory()
    let options = ["--drain-timeout", "0"] + (try directory.authenticator("ask; accept; exec sleep 600"))
    let engine = try RunningEngine(options, in: directory)
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestSucceeded")
    let children = Processes.children(of: engine.processID)
    if let signal { engine.signal(signal) } else { engine.endInput() }
    #expect(try engine.wait() == .exited(0))
    #expect(engine.log.contains("took too long to end and is killed; mails may be lost"))
    try Eventually.holds("no child is left") { !children.contains { Processes.exists($0) } }
  }

  @Test("if the accounts process is stopped, the engine exits after the drain timeout and logs that", arguments: ends)
  func stoppedAccounts(signal: Int32?) throws {
    let engine = try RunningEngine(["--drain-timeout", "0"])
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestFailed")
    let children = Processes.children(of: engine.processID)
    #expect(children.count == 1)
    for child in children { kill(child, SIGSTOP) }
    if let signal { engine.signal(signal) } else { engine.endInput() }
    #expect(try engine.wait() == .exited(0))
    #expect(engine.log.contains("authenticator accounts took too long to end and is killed; mails may be lost"))
    try Eventually.holds("no child is left") { !children.contains { Processes.exists($0) } }
  }
}
