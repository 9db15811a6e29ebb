import LoginMachine
import LoginProtocol
import Testing

@testable import EngineCore

@Suite("Timers of a session")
struct SessionTimersTests {
  private var time = EngineTime(manualStart: 0, at: .init(steady: 0, utc: 0))

  @Test("an item has one timer for its check, and each edit restarts that timer")
  mutating func checks() {
    var timers = SessionTimers()
    timers.scheduleCheck(of: 0, inSlot: 1, after: 10, &time)
    timers.scheduleCheck(of: 1, inSlot: 1, after: 20, &time)
    timers.scheduleCheck(of: 0, inSlot: 1, after: 30, &time)
    #expect(time.timerCount == 2 && time.nextTimer == 20)
    timers.cancelCheck(of: 1, &time)
    #expect(time.timerCount == 1 && time.nextTimer == 30)
    guard case .check(slot: 1, item: 0)? = time.popTimer(until: 30) else { return #expect(Bool(false)) }
    timers.noteCheck(of: 0)
    #expect(timers.isEmpty)
  }

  @Test("the timers of throttles that are over can be cancelled")
  mutating func throttles() {
    var timers = SessionTimers()
    timers.scheduleThrottle(of: 1, inSlot: 0, after: 10, &time)
    timers.scheduleThrottle(of: 2, inSlot: 0, after: 20, &time)
    timers.cancelThrottles(but: { $0 == 2 }, &time)
    #expect(time.timerCount == 1 && time.nextTimer == 20)
    timers.noteThrottleEnd(of: 2)
    #expect(timers.isEmpty)
  }

  @Test("all timers of a session can be cancelled at its end")
  mutating func end() {
    var timers = SessionTimers()
    timers.scheduleThrottle(of: 1, inSlot: 0, after: 10, &time)
    timers.scheduleCheck(of: 0, inSlot: 0, after: 10, &time)
    timers.cancelAll(&time)
    #expect(timers.isEmpty && time.timerCount == 0)
  }
}
