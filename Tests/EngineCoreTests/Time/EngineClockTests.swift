import LoginProtocol
import Testing

@testable import EngineCore

@Suite("The engine's clock")
struct EngineClockTests {
  private func moment(_ steady: UInt64) -> Moment { Moment(steady: steady, utc: 1_000_000 + steady) }

  @Test("the engine's clock follows the steady time and the UTC time of its host")
  func following() {
    var clock = EngineClock(manualStart: nil, at: moment(10))
    #expect(!clock.isManual && !clock.isStopped)
    #expect(clock.moment == moment(10))
    clock.tick(to: moment(25), before: nil)
    #expect(clock.moment == moment(25))
  }

  @Test("the engine's clock never passes an unhandled deadline, and its UTC time then lags as much as its steady time")
  func deadlines() {
    var clock = EngineClock(manualStart: nil, at: moment(10))
    clock.tick(to: moment(100), before: 40)
    #expect(clock.moment == moment(39))
    #expect(clock.hasReached(40))
    #expect(clock.hasReached(100))
    #expect(!clock.hasReached(101))
    clock.move(to: 40)
    #expect(clock.moment == moment(40))
    clock.catchUp(before: 101)
    #expect(clock.moment == moment(100))
  }

  @Test("the engine's steady time does not go back, whatever time the host passes in")
  func backwards() {
    var clock = EngineClock(manualStart: nil, at: moment(10))
    clock.tick(to: moment(5), before: nil)
    #expect(clock.now == 10)
    clock.tick(to: moment(50), before: 3)
    #expect(clock.now == 10)
    clock.move(to: 9)
    #expect(clock.now == 10)
    clock.tick(to: moment(50), before: 0)
    #expect(clock.now == 10)
  }

  @Test("a time that is earlier than the host's previous one is ignored")
  func order() {
    var clock = EngineClock(manualStart: nil, at: moment(10))
    clock.tick(to: moment(50), before: 30)
    clock.tick(to: moment(20), before: 30)
    #expect(clock.hasReached(30))
    clock.catchUp(before: nil)
    #expect(clock.moment == moment(50))
  }

  @Test("the engine's UTC time follows a jump of the host's UTC time, even a jump back")
  func jumps() {
    var clock = EngineClock(manualStart: nil, at: moment(10))
    clock.tick(to: Moment(steady: 20, utc: 7), before: nil)
    #expect(clock.moment == Moment(steady: 20, utc: 7))
    clock.tick(to: Moment(steady: 2000, utc: 7), before: 25)
    #expect(clock.moment == Moment(steady: 24, utc: 0))
  }

  @Test("a stopped engine clock ignores the host's time, and moves only when it is moved explicitly")
  func stopping() {
    var clock = EngineClock(manualStart: nil, at: moment(10))
    clock.stop()
    clock.tick(to: moment(100), before: nil)
    clock.catchUp(before: nil)
    #expect(clock.now == 10)
    #expect(!clock.hasReached(5))
    clock.move(to: 11)
    #expect(clock.now == 11)
  }

  @Test("a manual clock starts at the given time, ignores the host's time, and shows one number as steady and UTC time")
  func manual() {
    var clock = EngineClock(manualStart: 1_750_000_000_000, at: moment(10))
    #expect(clock.isManual && clock.isStopped)
    #expect(clock.moment == Moment(steady: 1_750_000_000_000, utc: 1_750_000_000_000))
    clock.tick(to: Moment(steady: .max, utc: .max), before: nil)
    #expect(clock.now == 1_750_000_000_000)
    clock.move(to: 1_750_000_000_001)
    #expect(clock.moment.utc == 1_750_000_000_001)
  }

  @Test("the engine's clock limits the times that it accepts, so that no deadline overflows")
  func latest() {
    #expect(EngineClock(manualStart: .max, at: moment(0)).now == EngineClock.latest)
    var clock = EngineClock(manualStart: nil, at: Moment(steady: .max, utc: .max))
    #expect(clock.now == EngineClock.latestHostTime)
    clock.tick(to: Moment(steady: .max, utc: 5), before: nil)
    #expect(clock.moment == Moment(steady: EngineClock.latestHostTime, utc: 5))
  }

  @Test("the engine's UTC time advances exactly as its steady time does, unless the system's clock was set")
  func timeOfDay() {
    var clock = EngineClock(manualStart: nil, at: Moment(steady: 10, utc: 5_000))
    for waver: UInt64 in [4_999, 5_001, 4_500, 5_900] {
      clock.tick(to: Moment(steady: clock.now + 10, utc: waver + clock.now), before: nil)
      #expect(clock.moment.utc == clock.now + 4_990)
    }
    clock.tick(to: Moment(steady: 100, utc: 90_000), before: nil)
    #expect(clock.moment.utc == 90_000)
    clock.tick(to: Moment(steady: 101, utc: 80_000), before: nil)
    #expect(clock.moment.utc == 80_000)
  }
}
