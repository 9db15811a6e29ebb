import Foundation
import System
import TestSupport
import Testing

/// An authenticator does not outlive its engine.
@Suite(.waits) struct DeathTests {
  @Test("killing the engine at any moment ends its authenticators", arguments: 0..<40)
  func killed(round: Int) throws {
    let directory = try Directory()
    // The script ignores all signals that can be ignored, and the end of its input.
    let name = "authenticator-\(UUID().uuidString)"
    let script = try directory.write("trap '' HUP INT TERM PIPE\nwhile :; do sleep 600; done\n", to: name)
    let engine = try RunningEngine(["--authenticator", "/bin/sh \(script)"], in: directory)
    try engine.ask(Line.open("a", id: 1))
    try engine.send(Line.login("b"))
    // The rounds kill the engine before, during and after the start of the authenticator.
    usleep(useconds_t(round * 100))
    engine.signal(SIGKILL)
    #expect(try engine.wait() == .killed(signal: SIGKILL))
    try Eventually.holds("it is gone") { Processes.running(withArgument: name).isEmpty }
  }

  @Test("an authenticator that ignores the end of its input is killed with its process group")
  func unheeding() throws {
    let directory = try Directory()
    let name = "left-\(UUID().uuidString)"
    let body = "trap '' TERM; sh -c 'while :; do sleep 600; done' \(name) & while :; do sleep 600; done"
    let engine = try RunningEngine(["--drain-timeout", "0"] + directory.authenticator(body), in: directory)
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestPending")
    try Eventually.holds("it has started something") { !Processes.running(withArgument: name).isEmpty }
    engine.signal(SIGTERM)
    #expect(try engine.wait() == .exited(0))
    try Eventually.holds("all of it is gone") { Processes.running(withArgument: name).isEmpty }
  }
}
