import EngineCore
import LoginProtocol
import Testing

@Suite("The times of inputs")
struct InputTimeTests {
  private let harness: Harness
  private let authenticator = AuthenticatorID(index: 0)

  /// Opens a session that waits for an answer, which may take 30 seconds.
  init() throws {
    harness = try Harness { $0.idleTimeout = 1_000_000 }
    harness.signUp()
    _ = harness.takeOutput()
  }

  private var now: UInt64 { harness.core.moment.steady }

  private func moment(_ steady: UInt64) -> Moment { Moment(steady: steady, utc: 5_000 + steady) }

  private func take(_ bytes: String, at moment: Moment) {
    _ = Array(bytes.utf8).withUnsafeBytes { harness.core.receive($0, at: moment) }
  }

  @Test("each input moves the engine's clock to the time of the input at once, before the next turn")
  func inputs() {
    take("{", at: moment(10))
    #expect(harness.core.moment == moment(10))
    harness.core.receive(at: moment(20)) { _ in 0 }
    #expect(harness.core.moment == moment(20))
    harness.core.send(to: authenticator, at: moment(25)) { .wrote($0.count) }
    #expect(harness.core.moment == moment(20), "it had room all the time")
    harness.inputsAreFull = true
    harness.view("}", Calls.press("cancel"))
    harness.core.send(to: authenticator, at: moment(30)) { .wrote($0.count) }
    #expect(harness.core.moment == moment(30))
    _ = harness.core.receive(from: authenticator, at: moment(40)) { _ in 0 }
    #expect(harness.core.moment == moment(40))
    harness.core.authenticatorEnded(authenticator, at: moment(50))
    #expect(harness.core.moment == moment(50))
    harness.core.stop(at: moment(60))
    #expect(harness.core.moment == moment(60))
  }

  @Test("the end of input moves the engine's clock to the time of the end, and after that the clock stands still")
  func end() {
    harness.core.endInput(at: moment(70))
    #expect(harness.core.moment == moment(70))
    take("{", at: moment(80))
    #expect(harness.core.moment == moment(70))
  }

  @Test("an input moves the engine's clock neither back nor past a deadline that has not been handled yet")
  func order() {
    take("{", at: moment(100))
    take("}", at: moment(90))
    #expect(now == 100)
    take("\n", at: moment(500_000))
    let deadline = now + 1
    harness.now = 500_000
    harness.settle()
    #expect(deadline < 500_000)
    #expect(harness.takeOutput().contains { $0.contains("network.timeout") })
    #expect(now == 500_000)
  }

  @Test("no time passes on the engine's clock while an authenticator is being started")
  func starting() throws {
    let harness = try Harness()
    harness.canStart = nil
    harness.signUp()
    let before = harness.core.moment
    harness.core.authenticatorStarted(authenticator, at: moment(100))
    #expect(harness.core.moment == before)
  }
}
