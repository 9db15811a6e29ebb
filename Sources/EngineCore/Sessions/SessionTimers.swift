import LoginMachine

/// The timers of a session, which end throttles and start the checks of items.
struct SessionTimers {
  private struct Throttle {
    /// The question whose answer has throttled the session.
    let question: QuestionID
    let timer: TimerID
  }

  private struct Check {
    let item: Int
    let timer: TimerID
  }

  private var throttles: [Throttle] = []
  private var checks: [Check] = []

  var isEmpty: Bool { throttles.isEmpty && checks.isEmpty }

  // MARK: Throttles

  /// Starts the timer of a throttle.
  mutating func scheduleThrottle(
    of question: QuestionID, inSlot slot: Int, after milliseconds: UInt64, _ time: inout EngineTime
  ) {
    let timer = time.schedule(after: milliseconds, .throttle(question, slot: slot))
    throttles.append(Throttle(question: question, timer: timer))
  }

  /// Cancels the timers of throttles that are no longer active. As a result, a session has at most
  /// one timer for each screen, and one for each link that makes a request.
  mutating func cancelThrottles(but isActive: (QuestionID) -> Bool, _ time: inout EngineTime) {
    for throttle in throttles where !isActive(throttle.question) { time.cancel(throttle.timer) }
    throttles.removeAll { !isActive($0.question) }
  }

  /// Removes the timer of a throttle after it has fired.
  mutating func noteThrottleEnd(of question: QuestionID) { throttles.removeAll { $0.question == question } }

  // MARK: Checks

  /// Starts or restarts the timer of an item's check.
  mutating func scheduleCheck(
    of item: Int, inSlot slot: Int, after milliseconds: UInt64, _ time: inout EngineTime
  ) {
    cancelCheck(of: item, &time)
    checks.append(Check(item: item, timer: time.schedule(after: milliseconds, .check(slot: slot, item: item))))
  }

  mutating func cancelCheck(of item: Int, _ time: inout EngineTime) {
    for check in checks where check.item == item { time.cancel(check.timer) }
    noteCheck(of: item)
  }

  /// Removes the timer of a check after it has fired.
  mutating func noteCheck(of item: Int) { checks.removeAll { $0.item == item } }

  // MARK: End

  mutating func cancelAll(_ time: inout EngineTime) {
    for throttle in throttles { time.cancel(throttle.timer) }
    for check in checks { time.cancel(check.timer) }
    self = SessionTimers()
  }
}
