import AuthenticatorKit
import LoginMachine
import LoginProtocol

/// The engine's clock, its timers, and the `clock/advance` that is under way.
struct EngineTime {
  private(set) var clock: EngineClock
  private var timers = TimerQueue<Timer>()
  /// A `clock/advance` that is under way.
  private(set) var advance: ClockAdvance?
  /// Whether time goes on: until all input was handled, or something was given up because there is no more.
  private(set) var goesOn = true
  /// The host's steady time, whatever clock the engine has: for what must end in real time.
  private(set) var hostTime: UInt64
  /// When draining or stopping must be over, by `hostTime`.
  private var endDeadline: UInt64?

  /// What happens when a time has come.
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
  /// The engine's time in milliseconds since 1970: what dates are judged by.
  var utc: UInt64 { clock.moment.utc }

  // MARK: Timers

  /// The earliest deadline of a timer.
  var nextTimer: UInt64? { timers.nextDeadline }

  /// Whether a timer's deadline has come that is still to fire.
  var isTimerDue: Bool { !clock.isStopped && timers.nextDeadline.map { $0 <= clock.now } ?? false }

  /// Has something happen after so many milliseconds of the engine's time.
  mutating func schedule(after milliseconds: UInt64, _ timer: Timer) -> TimerID {
    let (deadline, overflow) = clock.now.addingReportingOverflow(milliseconds)
    return timers.schedule(at: overflow ? .max : deadline, timer)
  }

  mutating func schedule(at deadline: UInt64, _ timer: Timer) -> TimerID { timers.schedule(at: deadline, timer) }

  mutating func cancel(_ timer: TimerID) { timers.cancel(timer) }

  /// Takes out the earliest timer whose deadline is not after `time`.
  mutating func popTimer(until time: UInt64) -> Timer? { timers.popExpired(now: time) }

  /// How many timers are scheduled.
  var timerCount: Int { timers.count }

  // MARK: The clock

  /// What an authenticator is told of the clock when it asks: where a manual one stands, or will once it has been moved.
  var clockToTell: AuthenticatorSettings.Clock { clock.isManual ? .manual(now: advance?.target ?? clock.now) : .system }

  mutating func tick(to moment: Moment, before deadline: UInt64?) {
    note(moment)
    clock.tick(to: moment, before: deadline)
  }

  /// Takes the host's time for the end only.
  mutating func note(_ moment: Moment) { hostTime = max(hostTime, min(moment.steady, EngineClock.latestTold)) }

  mutating func catchUp(before deadline: UInt64?) { clock.catchUp(before: deadline) }
  mutating func move(to time: UInt64) { clock.move(to: time) }

  /// From now on nothing happens only because time has passed, so that what is left happens the same however long it takes. Lines that are
  /// left may still move a manual clock.
  mutating func stop() {
    goesOn = false
    clock.stop()
  }

  // MARK: A clock that is moved by hand

  mutating func begin(_ advance: ClockAdvance) { self.advance = advance }

  /// An authenticator has moved its clock, or never will.
  mutating func clockQuestionsAreOver(_ questions: Set<ClockQuestionID>) { advance?.questions.subtract(questions) }

  /// No authenticator is waited for any more.
  mutating func giveUpClockQuestions() { advance?.questions = [] }

  /// Ends the advance at its target, or without having moved the clock.
  mutating func endAdvance() { advance = nil }

  // MARK: The end

  /// Gives what is left at most so many milliseconds of the host's time from now on, unless it has been given less.
  mutating func limitEnd(to milliseconds: UInt64) {
    let (latest, overflow) = hostTime.addingReportingOverflow(milliseconds)
    endDeadline = min(endDeadline ?? .max, overflow ? .max : latest)
  }

  /// Gives what is left its time anew, if it has none.
  mutating func beginEnd(after milliseconds: UInt64) {
    if endDeadline == nil { limitEnd(to: milliseconds) }
  }

  mutating func forgetEnd() { endDeadline = nil }

  /// Whether what was left has had its time.
  var isEndDue: Bool { endDeadline.map { hostTime >= $0 } ?? false }

  /// In how many milliseconds of the host's time what is left has had its time.
  var timeToEnd: UInt64? { endDeadline.map { $0 > hostTime ? $0 - hostTime : 0 } }
}

/// A `clock/advance` that is under way.
struct ClockAdvance {
  var target: UInt64
  /// The text of the request's id; `nil` for a notification.
  var id: [UInt8]?
  var isInBatch: Bool
  /// The questions to authenticators that move their own clocks first, as far as they are not over.
  var questions: Set<ClockQuestionID> = []
}
