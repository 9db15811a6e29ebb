import EngineCore
import Testing

@Suite("A manual clock, and authenticators that follow it")
struct ManualClockTests {
  private let harness: Harness
  private let reply = #"{"jsonrpc":"2.0","id":4,"result":{"now":1500}}"#

  /// Starts an authenticator that has asked for the clock and has answered a question.
  init() throws {
    harness = try Harness { $0.manualClock = 1000 }
    harness.signUp()
    harness.answer(#"{"jsonrpc":"2.0","id":"describe","result":{"wants":["clock"]}}"#)
    harness.answer(Calls.accepted(1))
    _ = harness.takeOutput()
    #expect(
      harness.takeSent().dropFirst() == [
        #"{"jsonrpc":"2.0","method":"authenticator/configure","params":{"clock":{"manual":true,"now":1000}}}"#
      ])
  }

  /// Expects that the core takes input, and does not ask the host for one turn after another.
  private func expectProgress() {
    #expect(harness.core.timeToWait == nil)
    harness.view(Calls.list())
    #expect(harness.takeOutput().contains { $0.contains(#""id":3,"result""#) })
  }

  @Test("clock/advance moves the clock of the accounts before that of the engine")
  func advance() {
    harness.view(Calls.advance(500))
    #expect(harness.takeOutput().isEmpty)
    #expect(
      harness.takeSent() == [
        #"{"jsonrpc":"2.0","id":9007199254740991,"method":"clock/advance","params":{"milliseconds":500}}"#
      ])
    harness.answer(#"{"jsonrpc":"2.0","id":9007199254740991,"result":{}}"#)
    #expect(harness.takeOutput() == [reply])
    expectProgress()
  }

  @Test(
    "clock/advance is sent to the authenticators that asked for the clock, and moves their clocks before the engine's")
  func several() throws {
    let harness = try Harness {
      $0.manualClock = 0
      $0.authenticators = ["setup", "login", "forgotPassword"].map { .init(.init(request: $0), .command([$0])) }
    }
    for (index, screen) in ["setup", "login", "forgotPassword"].enumerated() {
      harness.view(Calls.open(screen, screen: screen), Calls.edit("email", "ada@example.com", session: screen))
      harness.view(
        Calls.edit("userName", "ada", session: screen), Calls.edit("password", "123456789", session: screen))
      harness.view(Calls.press("submit", session: screen))
      let wants = index < 2 ? #""wants":["clock"]"# : ""
      harness.answer(#"{"jsonrpc":"2.0","id":"describe","result":{\#(wants)}}"#, from: index)
      _ = harness.takeSent(to: index)
    }
    _ = harness.takeOutput()
    harness.view(Calls.advance(1500))
    let sent = (0..<3).map { harness.takeSent(to: $0).filter { $0.contains("clock/advance") } }
    #expect(sent.map(\.count) == [1, 1, 0])
    harness.answer(#"{"jsonrpc":"2.0","id":9007199254740991,"result":{}}"#)
    #expect(harness.takeOutput().isEmpty)
    harness.answer(#"{"jsonrpc":"2.0","id":9007199254740990,"result":{}}"#, from: 1)
    #expect(harness.takeOutput() == [reply])
  }

  @Test("an accounts process that exits before it has moved its clock does not block the engine's clock")
  func death() {
    harness.view(Calls.advance(500))
    harness.exit()
    #expect(harness.takeOutput() == [reply])
    expectProgress()
  }

  @Test("an accounts process that no longer reads its input does not block the engine's clock")
  func closedInput() {
    harness.inputsAreClosed = true
    harness.view(Calls.advance(500))
    #expect(harness.takeOutput() == [reply])
    expectProgress()
  }

  @Test("an accounts process that answers clock/advance with an invalid line does not block the engine's clock")
  func nonsense() {
    harness.view(Calls.advance(500))
    harness.answer("nonsense")
    #expect(harness.takeOutput() == [reply])
    expectProgress()
  }

  @Test("an accounts process that never answers clock/advance is given up at the end of input")
  func end() {
    harness.view(Calls.advance(500))
    harness.endInput()
    #expect(!harness.core.isFinished)
    harness.wait(until: 60_000)
    #expect(harness.takeOutput() == [reply])
    #expect(harness.core.isFinished)
  }

  @Test("a clock/advance that waits for the accounts does not move the engine's clock after the engine was stopped")
  func stop() {
    harness.view(Calls.advance(500))
    harness.core.stop(at: harness.moment)
    harness.settle()
    #expect(harness.takeOutput().isEmpty)
    #expect(harness.core.isFinished)
  }
}
