import AuthenticatorKit
import LoginMachine
import LoginProtocol

/// The engine's clock, its timers, and the `clock/advance` in progress.
struct EngineTime {
  private(set) var clock: EngineClock
  private var timers = TimerQueue<Timer>()
  /// The `clock/advance` in progress.
  private(set) var advance: ClockAdvance?
  /// Whether time passes on the engine's clock. Time stops once all input was handled, or once the
  /// engine has given up work after the end of input.
  private(set) var goesOn = true
  /// The host's steady time, which passes even if the engine's clock is manual. Used for limits in
  /// real time.
  private(set) var hostTime: UInt64
  /// The time by which the current stage of the shutdown has to be complete, compared with
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
  /// The engine's time in milliseconds since 1970 (UTC), with which dates are compared.
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

  /// Removes the earliest timer whose deadline is not after `time`.
  mutating func popTimer(until time: UInt64) -> Timer? { timers.popExpired(now: time) }

  /// The number of scheduled timers.
  var timerCount: Int { timers.count }

  // MARK: The clock

  /// The clock setting for authenticators that ask for it. For a manual clock it contains the time,
  /// which is that at the end of the `clock/advance` in progress if there is one.
  var clockSetting: AuthenticatorSettings.Clock {
    clock.isManual ? .manual(now: advance?.target ?? clock.now) : .system
  }

  mutating func tick(to moment: Moment, before deadline: UInt64?) {
    note(moment)
    clock.tick(to: moment, before: deadline)
  }

  /// Records the host's time for limits in real time, without moving the engine's clock.
  mutating func note(_ moment: Moment) { hostTime = max(hostTime, min(moment.steady, EngineClock.latestHostTime)) }

  mutating func catchUp(before deadline: UInt64?) { clock.catchUp(before: deadline) }
  mutating func move(to time: UInt64) { clock.move(to: time) }

  /// Stops time on the engine's clock. From now on, nothing happens only because time passes, so
  /// that the remaining output does not depend on how long it takes. Remaining lines may still move
  /// a manual clock.
  mutating func stop() {
    goesOn = false
    clock.stop()
  }

  // MARK: Manual clock

  mutating func begin(_ advance: ClockAdvance) { self.advance = advance }

  /// Records that authenticators have moved their clocks, or never will: the advance in progress no
  /// longer waits for these questions.
  mutating func removeClockQuestions(_ questions: Set<ClockQuestionID>) { advance?.questions.subtract(questions) }

  /// Makes the advance in progress wait for no authenticator's clock.
  mutating func removeAllClockQuestions() { advance?.questions = [] }

  /// Ends the advance in progress, which has reached its target or is abandoned.
  mutating func endAdvance() { advance = nil }

  // MARK: End

  /// Limits the rest of the shutdown to `milliseconds` of the host's time from now, unless an
  /// earlier limit exists.
  mutating func limitEnd(to milliseconds: UInt64) {
    let (latest, overflow) = hostTime.addingReportingOverflow(milliseconds)
    endDeadline = min(endDeadline ?? .max, overflow ? .max : latest)
  }

  /// Limits the rest of the shutdown to `milliseconds` of the host's time from now, unless a limit
  /// exists already.
  mutating func beginEnd(after milliseconds: UInt64) {
    if endDeadline == nil { limitEnd(to: milliseconds) }
  }

  mutating func forgetEnd() { endDeadline = nil }

  /// Whether the limit of the shutdown is reached.
  var isEndDue: Bool { endDeadline.map { hostTime >= $0 } ?? false }

  /// The time until the limit of the shutdown, in milliseconds of the host's time.
  var timeToEnd: UInt64? { endDeadline.map { $0 > hostTime ? $0 - hostTime : 0 } }
}

/// A `clock/advance` in progress.
struct ClockAdvance {
  var target: UInt64
  /// The text of the request's id; `nil` for a notification.
  var id: [UInt8]?
  var isInBatch: Bool
  /// The open questions to authenticators, which have to move their own clocks before the engine
  /// moves its clock.
  var questions: Set<ClockQuestionID> = []
}
