import EngineCore
import Testing

@Suite("Throttles")
struct ThrottleTests {
  private let harness: Harness
  private static let year = 31_536_000_000

  /// Opens a session that is throttled for a year.
  init() throws {
    harness = try Harness()
    harness.signUp()
    harness.answer(throttled(1))
  }

  private func throttled(_ question: Int, for milliseconds: Int = year) -> String {
    #"{"jsonrpc":"2.0","id":\#(question),"result":{"outcome":"throttled","retryAfterMs":\#(milliseconds)}}"#
  }

  private var timers: Int { harness.core.tableCounts.timers }

  private func close() { harness.view(#"{"jsonrpc":"2.0","method":"session/close","params":{"session":"s"}}"#) }

  @Test("a closed session leaves no timer, however long it was throttled")
  func closing() {
    #expect(timers == 1)
    close()
    #expect(harness.core.tableCounts == TableCounts())
  }

  @Test("if an edit has ended a throttle, the timer of that throttle is cancelled when the next throttle begins")
  func replacement() {
    for question in 2..<10 {
      harness.view(Calls.edit("password", "12345678\(question)"), Calls.press("submit"))
      harness.answer(throttled(question))
      #expect(timers == 1)
    }
    close()
    #expect(timers == 0)
  }

  @Test("the throttle of a screen that the user has left ends on time, even if another screen is throttled meanwhile")
  func twoScreens() {
    harness.view(
      Calls.press("login"), Calls.edit("email", "ada@example.com"), Calls.edit("password", "123456789"),
      Calls.press("submit"))
    harness.answer(throttled(2, for: 1000))
    #expect(timers == 2)
    harness.wait(until: 1000)
    #expect(timers == 1)
    _ = harness.takeOutput()
    harness.wait(until: UInt64(Self.year))
    #expect(timers == 0)
    #expect(harness.takeOutput().isEmpty, "the screen is not shown")
  }

  @Test("the end of a closed session's throttle does not affect the session that reuses its slot")
  func places() {
    close()
    harness.signUp("next")
    harness.answer(throttled(2, for: 2 * Self.year))
    _ = harness.takeOutput()
    harness.wait(until: UInt64(Self.year) + 1)
    #expect(timers == 1)
    #expect(harness.takeOutput().isEmpty)
  }
}
