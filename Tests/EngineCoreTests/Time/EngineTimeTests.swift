import AuthenticatorKit
import LoginProtocol
import Testing

@testable import EngineCore

@Suite("The engine's time")
struct EngineTimeTests {
  private func time(manual: UInt64? = nil) -> EngineTime { EngineTime(manualStart: manual, at: moment(100)) }
  private func moment(_ steady: UInt64) -> Moment { Moment(steady: steady, utc: steady) }

  @Test("a timer is due as soon as its deadline is reached, unless the clock is stopped")
  func timers() {
    var time = time()
    _ = time.schedule(after: 5, .idle(slot: 1))
    #expect(time.nextTimer == 105)
    #expect(!time.isTimerDue)
    time.move(to: 105)
    #expect(time.isTimerDue)
    time.stop()
    #expect(!time.isTimerDue)
    guard case .idle(slot: 1)? = time.popTimer(until: 105) else {
      Issue.record("the timer comes")
      return
    }
    #expect(time.timerCount == 0)
  }

  @Test("the deadline of a timer whose time overflows is the latest possible time")
  func overflow() {
    var time = time()
    _ = time.schedule(after: .max, .idle(slot: 0))
    #expect(time.nextTimer == .max)
  }

  @Test("a cancelled timer does not fire")
  func cancelling() {
    var time = time()
    let timer = time.schedule(at: 101, .idle(slot: 0))
    time.cancel(timer)
    #expect(time.nextTimer == nil)
    #expect(time.popTimer(until: .max) == nil)
  }

  @Test(
    "the engine records the host's time under a manual clock too, and the recorded time never goes back",
    arguments: [nil, 0] as [UInt64?])
  func hostTime(manual: UInt64?) {
    var time = time(manual: manual)
    time.note(moment(150))
    time.note(moment(120))
    #expect(time.hostTime == 150)
    #expect(time.now == manual ?? 100)
    time.tick(to: moment(.max), before: 7)
    #expect(time.hostTime == EngineClock.latestHostTime)
  }

  @Test(
    "the clock setting for authenticators has the manual clock's time, and during a clock/advance the time it leads to")
  func clockSetting() {
    #expect(time().clockSetting == .system)
    var manual = time(manual: 70)
    #expect(manual.clockSetting == .manual(now: 70))
    manual.begin(ClockAdvance(target: 90, id: nil, isInBatch: false, questions: [.beforeFirst]))
    #expect(manual.clockSetting == .manual(now: 90))
    manual.removeClockQuestions([.beforeFirst])
    #expect(manual.advance?.target == 90)
    #expect(manual.advance?.questions == [])
    manual.endAdvance()
    #expect(manual.advance == nil)
    #expect(manual.now == 70)
  }

  @Test("the engine's time passes until it is stopped, and never again after that")
  func stopping() {
    var time = time(manual: 0)
    #expect(time.goesOn)
    time.stop()
    #expect(!time.goesOn)
    time.move(to: 4)
    #expect(time.now == 4 && !time.goesOn)
  }

  @Test("if several time limits for the shutdown are set, the shortest one applies, measured in the host's time")
  func end() {
    var time = time(manual: 0)
    #expect(!time.isEndDue && time.timeToEnd == nil)
    time.limitEnd(to: 50)
    time.limitEnd(to: 20)
    time.limitEnd(to: 90)
    time.beginEnd(after: 5)
    #expect(time.timeToEnd == 20)
    time.note(moment(119))
    #expect(time.timeToEnd == 1 && !time.isEndDue)
    time.note(moment(200))
    #expect(time.timeToEnd == 0 && time.isEndDue)
    time.forgetEnd()
    #expect(!time.isEndDue)
    time.beginEnd(after: .max)
    #expect(time.timeToEnd == UInt64.max - 200)
  }
}
