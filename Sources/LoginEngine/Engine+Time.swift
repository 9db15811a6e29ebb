import EventLoop
import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// The engine's time, which may be a clock that only moves when told.
extension Engine {
  // MARK: Deadlines

  /// Fires what is due, one by one, each at its time.
  func fireTimers() {
    var next = nextDeadline
    while let time = next, clock.hasReached(time) {
      guard hasRoom else { return }
      clock.move(to: time)
      fireTimers(until: time)
      if hasRoom { careForDueProcesses() }
      next = nextDeadline
    }
    clock.catchUp(before: next)
  }

  /// From now on nothing happens only because time has passed, so that what is left happens the same however long it takes. Lines that are left may
  /// still move a manual clock.
  func stopTime() {
    timeGoesOn = false
    clock.stop()
  }

  /// The next time at which something happens only because it has come.
  var nextDeadline: UInt64? {
    var next = timers.nextDeadline
    for process in processes {
      if let time = process.nextEngineTime { next = min(next ?? .max, time) }
    }
    return next
  }

  /// Starts or gives up the processes for which it is time.
  func careForDueProcesses() {
    for process in processes { if let time = process.nextEngineTime, time <= clock.now { process.progress() } }
  }

  /// Fires the timers of the deadlines up to a time that has come.
  func fireTimers(until time: UInt64) {
    guard !clock.isStopped else { return }
    while hasRoom, let timer = timers.popExpired(now: time) {
      observer?.timerFires(timer)
      fire(timer)
    }
  }

  /// Does what a timer stands for.
  func fire(_ timer: Timer) {
    switch timer {
    case .requestTimeout(let attempt):
      guard let flight = attempts[attempt] else { return }
      // A question that was not even sent must not be asked later.
      cancel(attempt, hasTimedOut: true)
      answer(.failed(Message(.timeout), items: []), to: attempt, of: flight)
    case .poll(let conversationID): poll(conversationID)
    case .expiry(let conversationID): failConversation(conversationID, Message(.challengeExpired))
    case .throttle(let attempt, let session): endThrottle(of: attempt, session)
    case .presentation(let slot):
      if let session = sessions.session(inSlot: slot) { endPresentation(of: session) }
    case .idle(let slot):
      if let session = sessions.session(inSlot: slot) { endIfIdle(session) }
    }
  }

  // MARK: A clock that is moved by hand

  func beginAdvance(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    guard clock.isManual else { throw .methodNotFound }
    guard let milliseconds = try parameters.optionalNumber(.milliseconds, document) else {
      throw .invalidParams(.milliseconds, "Give milliseconds as a whole number from 0 on.")
    }
    let (target, overflow) = clock.now.addingReportingOverflow(milliseconds)
    guard !overflow, target <= EngineClock.latest else {
      throw .invalidParams(.milliseconds, "The clock cannot be moved beyond \(EngineClock.latest).")
    }
    var question: ClockQuestionID?
    if let accounts = clockFollower, accounts.isRunning {
      let number = nextClockQuestion(to: accounts)
      question = number
      accounts.send(advanceLine(milliseconds, id: number))
    }
    advanced = target
    advance = Advance(target: target, id: call.id.map { Array($0) }, isInBatch: batch != nil, question: question)
    continueAdvance()
  }

  /// Fires the timers up to the target one by one, as room permits, then replies.
  func continueAdvance() {
    guard let current = advance, current.question == nil else { return }
    observer?.movesClock(current)
    while let time = nextDeadline, time <= current.target {
      guard hasRoom else { return }
      clock.move(to: time)
      if let timer = timers.popExpired(now: time) {
        observer?.timerFires(timer)
        fire(timer)
      } else {
        careForDueProcesses()
      }
    }
    clock.move(to: current.target)
    advance = nil
    if let id = current.id {
      let now = clock.now
      // A batch that waits for this very time to pass has no part in it.
      let waiting = current.isInBatch ? nil : batch
      if waiting != nil { batch = nil }
      id.withUnsafeBytes { id in
        reply { buffer in
          buffer.appendReplyHead(id: id)
          buffer.append(#"{"now":"#)
          buffer.append(decimal: now)
          buffer.append("}}")
        }
      }
      if waiting != nil { batch = waiting }
    }
    if batch != nil, batch?.next == nil { endBatch() }
  }

  /// The accounts, if their clock is moved together with the engine's.
  var clockFollower: AuthenticatorProcess? { processes.first { $0.command.followsClock } }

  /// The number of a question to move the clock. Attempts do not share their numbers with it, so that they have the same
  /// whoever decides logins.
  func nextClockQuestion(to process: AuthenticatorProcess) -> ClockQuestionID {
    lastClockQuestion = lastClockQuestion.next
    process.clockQuestions.insert(lastClockQuestion)
    return lastClockQuestion
  }

  /// The question that moves the accounts' clock.
  func advanceLine(_ milliseconds: UInt64, id: ClockQuestionID) -> WipedLine {
    WipedLine.written { AuthenticatorWire.appendAdvance(milliseconds, id: id, to: &$0) }
  }

  /// Has something happen after so many milliseconds of the engine's time.
  @discardableResult
  func schedule(after milliseconds: UInt64, _ timer: Timer) -> TimerID {
    let (deadline, overflow) = clock.now.addingReportingOverflow(milliseconds)
    return timers.schedule(at: overflow ? .max : deadline, timer)
  }
}
