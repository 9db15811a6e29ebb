import EngineCore
import Testing

@Suite("A clock that is moved by hand, and the accounts")
struct ManualClockTests {
  private let harness: Harness
  private let reply = #"{"jsonrpc":"2.0","id":4,"result":{"now":1500}}"#

  /// The accounts run, and have answered.
  init() throws {
    harness = try Harness { $0.manualClock = 1000 }
    harness.signUp()
    harness.answer(Calls.accepted(1))
    _ = harness.takeOutput()
    let sent = harness.takeSent()
    #expect(
      sent.first == #"{"jsonrpc":"2.0","id":9007199254740991,"method":"clock/advance","params":{"milliseconds":1000}}"#)
    #expect(sent.count == 2)
  }

  /// Whether the core goes on taking input, and does not ask to be called for ever.
  private func expectProgress() {
    #expect(harness.core.timeToWait == nil)
    harness.view(Calls.list())
    #expect(harness.takeOutput().contains { $0.contains(#""id":3,"result""#) })
  }

  @Test("the accounts move their clock first")
  func advance() {
    harness.view(Calls.advance(500))
    #expect(harness.takeOutput().isEmpty)
    #expect(
      harness.takeSent() == [
        #"{"jsonrpc":"2.0","id":9007199254740990,"method":"clock/advance","params":{"milliseconds":500}}"#
      ])
    harness.answer(#"{"jsonrpc":"2.0","id":9007199254740990,"result":{}}"#)
    #expect(harness.takeOutput() == [reply])
    expectProgress()
  }

  @Test("accounts that die before they have moved their clock do not hold up the engine's")
  func death() {
    harness.view(Calls.advance(500))
    harness.exit()
    #expect(harness.takeOutput() == [reply])
    expectProgress()
  }

  @Test("accounts that read nothing any more do not hold it up either")
  func closedInput() {
    harness.inputsAreClosed = true
    harness.view(Calls.advance(500))
    #expect(harness.takeOutput() == [reply])
    expectProgress()
  }

  @Test("accounts that write nonsense instead do not hold it up either")
  func nonsense() {
    harness.view(Calls.advance(500))
    harness.answer("nonsense")
    #expect(harness.takeOutput() == [reply])
    expectProgress()
  }

  @Test("at the end of input, accounts that never move their clock are given up")
  func end() {
    harness.view(Calls.advance(500))
    harness.endInput()
    #expect(!harness.core.isFinished)
    harness.wait(until: 60_000)
    #expect(harness.takeOutput() == [reply])
    #expect(harness.core.isFinished)
  }

  @Test("when the engine is told to end, a clock that waits for the accounts is not moved any more")
  func stop() {
    harness.view(Calls.advance(500))
    harness.core.stop(at: harness.moment)
    harness.settle()
    #expect(harness.takeOutput().isEmpty)
    #expect(harness.core.isFinished)
  }
}
