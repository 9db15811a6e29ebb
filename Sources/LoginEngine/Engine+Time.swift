import EventLoop
import JSONCodec
import LoginMachine
import LoginProtocol

/// The engine's time, which may be a clock that only moves when told.
extension Engine {
  func beginAdvance(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    guard clock.isManual else { throw .methodNotFound }
    guard let milliseconds = try parameters.optionalNumber(.milliseconds, document) else {
      throw .invalidParams(.milliseconds, "Give milliseconds as a whole number from 0 on.")
    }
    let (target, overflow) = clock.now.addingReportingOverflow(milliseconds)
    guard !overflow, target <= EngineClock.latest else {
      throw .invalidParams(.milliseconds, "The clock cannot be moved beyond \(EngineClock.latest).")
    }
    var question: AttemptID?
    if let accounts = clockFollower, accounts.isRunning {
      let number = nextClockQuestion()
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
      if let timer = timers.popExpired(now: time) { fire(timer) } else { careForDueProcesses() }
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
  var clockFollower: AuthenticatorProcess? { routes.processes.first { $0.command.followsClock } }

  /// The number of a question to move the clock. Attempts do not share their numbers with it, so that they have the same
  /// whoever decides logins.
  func nextClockQuestion() -> AttemptID {
    lastClockQuestion -= 1
    return lastClockQuestion
  }

  /// The question that moves the accounts' clock.
  func advanceLine(_ milliseconds: UInt64, id: AttemptID) -> WipedLine {
    WipedLine.written { AuthenticatorWire.appendAdvance(milliseconds, id: id, to: &$0) }
  }

  /// Has something happen after so many milliseconds of the engine's time.
  @discardableResult
  func schedule(after milliseconds: UInt64, _ timer: Timer) -> TimerID {
    let (deadline, overflow) = clock.now.addingReportingOverflow(milliseconds)
    return timers.schedule(at: overflow ? .max : deadline, timer)
  }
}
