import AuthenticatorKit
import LoginMachine
import LoginProtocol

/// The engine's clock, its timers, and the `clock/advance` in progress.
struct EngineTime {
  private(set) var clock: EngineClock
  private var timers = TimerQueue<Timer>()
  /// The `clock/advance` in progress.
  private(set) var advance: ClockAdvance?
  /// Whether time passes on the engine's clock. It no longer passes once all input was handled, or
  /// once the engine has given up its pending work after the end of input.
  private(set) var goesOn = true
  /// The host's steady time, which passes even if the engine's clock is manual. Limits of the
  /// shutdown use it, because they are in real time.
  private(set) var hostTime: UInt64
  /// The time by which the current stage of the shutdown has to be complete, as a value of
  /// `hostTime`.
  private var endDeadline: UInt64?

  /// What a timer of the engine does when it fires.
  enum Timer {
    case requestTimeout(QuestionID)
    case throttle(QuestionID, slot: Int)
    case poll(ConversationID)
    case expiry(ConversationID)
    case presentation(slot: Int)
    case idle(slot: Int)
    case check(slot: Int, item: Int)
  }

  init(manualStart: UInt64?, at moment: Moment) {
    clock = EngineClock(manualStart: manualStart, at: moment)
    hostTime = moment.steady
  }

  var now: UInt64 { clock.now }
  var moment: Moment { clock.moment }
  /// The engine's UTC time in milliseconds since 1970. Rules about dates use it.
  var utc: UInt64 { clock.moment.utc }

  // MARK: Timers

  /// The earliest deadline of all timers.
  var nextTimer: UInt64? { timers.nextDeadline }

  /// Whether a timer is due and has not fired yet.
  var isTimerDue: Bool { !clock.isStopped && timers.nextDeadline.map { $0 <= clock.now } ?? false }

  /// Schedules a timer `milliseconds` of the engine's time from now.
  mutating func schedule(after milliseconds: UInt64, _ timer: Timer) -> TimerID {
    let (deadline, overflow) = clock.now.addingReportingOverflow(milliseconds)
    return timers.schedule(at: overflow ? .max : deadline, timer)
  }

  mutating func schedule(at deadline: UInt64, _ timer: Timer) -> TimerID { timers.schedule(at: deadline, timer) }

  mutating func cancel(_ timer: TimerID) { timers.cancel(timer) }

  /// Removes and returns the earliest timer, if its deadline is `time` or earlier.
  mutating func popTimer(until time: UInt64) -> Timer? { timers.popExpired(now: time) }

  /// The number of scheduled timers.
  var timerCount: Int { timers.count }

  // MARK: The clock

  /// The clock setting for authenticators that ask for it. For a manual clock, it contains the
  /// current time or, during a `clock/advance`, the target time.
  var clockSetting: AuthenticatorSettings.Clock {
    clock.isManual ? .manual(now: advance?.target ?? clock.now) : .system
  }

  mutating func tick(to moment: Moment, before deadline: UInt64?) {
    note(moment)
    clock.tick(to: moment, before: deadline)
  }

  /// Records the host's time, to which limits in real time refer. Does not move the engine's clock.
  mutating func note(_ moment: Moment) { hostTime = max(hostTime, min(moment.steady, EngineClock.latestHostTime)) }

  mutating func catchUp(before deadline: UInt64?) { clock.catchUp(before: deadline) }
  mutating func move(to time: UInt64) { clock.move(to: time) }

  /// Stops time on the engine's clock. From now on, nothing happens merely because time passes.
  /// Therefore the remaining output does not depend on how long the shutdown takes. Remaining lines
  /// may still move a manual clock.
  mutating func stop() {
    goesOn = false
    clock.stop()
  }

  // MARK: Manual clock

  mutating func begin(_ advance: ClockAdvance) { self.advance = advance }

  /// Records that authenticators have answered these questions, or will never answer them. The
  /// `clock/advance` in progress no longer waits for them.
  mutating func removeClockQuestions(_ questions: Set<ClockQuestionID>) { advance?.questions.subtract(questions) }

  /// Makes the `clock/advance` in progress no longer wait for authenticators.
  mutating func removeAllClockQuestions() { advance?.questions = [] }

  /// Ends the `clock/advance` in progress, because it has reached its target or is abandoned.
  mutating func endAdvance() { advance = nil }

  // MARK: End

  /// Limits the rest of the shutdown to `milliseconds` of the host's time from now. Does nothing if
  /// there is an earlier limit.
  mutating func limitEnd(to milliseconds: UInt64) {
    let (latest, overflow) = hostTime.addingReportingOverflow(milliseconds)
    endDeadline = min(endDeadline ?? .max, overflow ? .max : latest)
  }

  /// Limits the rest of the shutdown to `milliseconds` of the host's time from now. Does nothing if
  /// there is a limit already.
  mutating func beginEnd(after milliseconds: UInt64) {
    if endDeadline == nil { limitEnd(to: milliseconds) }
  }

  mutating func forgetEnd() { endDeadline = nil }

  /// Whether the time limit of the shutdown is reached.
  var isEndDue: Bool { endDeadline.map { hostTime >= $0 } ?? false }

  /// The time that is left for the shutdown, in milliseconds of the host's time; `nil` if it has no
  /// limit.
  var timeToEnd: UInt64? { endDeadline.map { $0 > hostTime ? $0 - hostTime : 0 } }
}

/// A `clock/advance` in progress.
struct ClockAdvance {
  var target: UInt64
  /// The text of the request's id; `nil` for a notification.
  var id: [UInt8]?
  var isInBatch: Bool
  /// The open questions that ask authenticators to move their clocks. They have to be answered
  /// before the engine moves its own clock.
  var questions: Set<ClockQuestionID> = []
}
