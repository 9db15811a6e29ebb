import EngineCore
import LoginProtocol
import Testing

/// How long the engine waits for an authenticator that does not exit: "at most `--drain-timeout`,
/// or two seconds if that is more", as README.md says, and two more seconds after a second signal.
@Suite struct EndTests {
  private func stopped(_ effects: [Effect]) -> Bool {
    effects.contains { if case .stop = $0 { true } else { false } }
  }

  /// A core whose authenticator has answered a question, and ignores the end of its input.
  private func harness(drainTimeout: UInt64) throws -> Harness {
    let harness = try Harness { $0.drainTimeout = drainTimeout }
    harness.exitsAtEnd = false
    harness.signUp()
    harness.answer(Calls.accepted(1))
    harness.wait(until: 10_000)
    return harness
  }

  @Test(
    "an authenticator that does not exit is stopped when the drain timeout is over, and not before",
    arguments: [(0, 2_000), (1_999, 2_000), (5_000, 5_000), (30_000, 30_000)] as [(UInt64, UInt64)], [false, true])
  func timeout(times: (drain: UInt64, end: UInt64), bySignal: Bool) throws {
    let harness = try harness(drainTimeout: times.drain)
    if bySignal {
      harness.core.stop(at: harness.moment)
      harness.settle()
    } else {
      harness.endInput()
    }
    harness.wait(until: 10_000 + times.end - 1)
    #expect(!harness.core.isFinished && !stopped(harness.effects))
    harness.wait(until: 10_000 + times.end)
    #expect(harness.core.isFinished && stopped(harness.effects))
  }

  @Test("after a second signal, an authenticator has two more seconds to exit") func secondSignal() throws {
    let harness = try harness(drainTimeout: 30_000)
    for time: UInt64 in [10_000, 15_000] {
      harness.wait(until: time)
      harness.core.stop(at: harness.moment)
      harness.settle()
    }
    harness.wait(until: 16_999)
    #expect(!harness.core.isFinished)
    harness.wait(until: 17_000)
    #expect(harness.core.isFinished && stopped(harness.effects))
  }
}
