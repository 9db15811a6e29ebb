import AuthenticatorKit
import JSONCodec
import LoginMachine
import LoginProtocol
import SecretMemory

/// The engine's time and its timers.
extension EngineCore {
  // MARK: Deadlines

  /// Fires the due timers one by one, each at its own time on the engine's clock, until the core
  /// has requested an effect. The effects of one deadline run before the timers of the next. A
  /// replay moves the clock from deadline to deadline, so it has the same results.
  func fireTimers() {
    var next = nextDeadline
    while let deadline = next, time.clock.hasReached(deadline) {
      guard hasRoom, effects.isEmpty else { return }
      time.move(to: deadline)
      fireTimers(until: deadline)
      if hasRoom { progressDueAuthenticators() }
      next = nextDeadline
    }
    time.catchUp(before: next)
  }

  /// Fires the timers that are due at a deadline or before it. The host's time has reached the
  /// deadline.
  func fireTimers(until deadline: UInt64) {
    guard !time.clock.isStopped else { return }
    while hasRoom, let timer = time.popTimer(until: deadline) { fire(timer) }
  }

  /// Runs the action of a timer.
  private func fire(_ timer: EngineTime.Timer) {
    emit(.timer(event(of: timer)))
    switch timer {
    case .requestTimeout(let id):
      guard let question = questions[id] else { return }
      // A question that was not even sent must not be sent later.
      cancel(id, hasTimedOut: !question.isCheck)
      answer(question.lost(because: Message(.timeout)), to: id, question)
    case .poll(let conversation): poll(conversation)
    case .expiry(let conversation): failConversation(conversation, Message(.challengeExpired))
    case .throttle(let id, let slot):
      if let session = sessions.session(inSlot: slot) { endThrottle(of: id, session) }
    case .presentation(let slot):
      if let session = sessions.session(inSlot: slot) { endPresentation(of: session) }
    case .idle(let slot):
      if let session = sessions.session(inSlot: slot) { closeIfIdle(session) }
    case .check(let slot, let item):
      if let session = sessions.session(inSlot: slot) { beginCheck(of: item, session) }
    }
  }

  private func event(of timer: EngineTime.Timer) -> TimerEvent {
    switch timer {
    case .requestTimeout(let id): .requestTimeout(id)
    case .throttle(let id, _): .throttle(id)
    case .poll(let conversation): .poll(conversation)
    case .expiry(let conversation): .expiry(conversation)
    case .presentation(let slot): .presentation(session: sessions.session(inSlot: slot)?.id.bytes)
    case .idle(let slot): .idle(session: sessions.session(inSlot: slot)?.id.bytes)
    case .check(let slot, _): .check(session: sessions.session(inSlot: slot)?.id.bytes)
    }
  }

  // MARK: Manual clock

  func beginAdvance(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    guard time.clock.isManual else { throw .methodNotFound }
    guard let milliseconds = try parameters.optionalNumber(.milliseconds, document) else {
      throw .invalidParams(.milliseconds, "Give milliseconds as a whole number from 0 to 2^63-1.")
    }
    let (target, overflow) = time.now.addingReportingOverflow(milliseconds)
    guard !overflow, target <= EngineClock.latest else {
      throw .invalidParams(.milliseconds, "The clock cannot be moved beyond \(EngineClock.latest).")
    }
    var advance = ClockAdvance(target: target, id: call.id.map { Array($0) }, isInBatch: input.batch != nil)
    // Callers advance the clock by 0 to learn that the engine has read all earlier lines.
    // Authenticators need not move their clocks for that.
    let followers = (milliseconds == 0 ? [] : authenticators.clockFollowers)
      .map { ($0, authenticators.nextClockQuestion()) }
    advance.questions = Set(followers.map(\.1))
    // The advance must be recorded before the questions are sent, since a question may fail at
    // once.
    time.begin(advance)
    for (link, question) in followers {
      link.append(advanceLine(milliseconds, question, to: link))
      sendOrStart(link)
    }
    continueAdvance()
  }

  /// Continues a `clock/advance`: fires the timers up to its target time one by one, as long as the
  /// output has room, and then replies.
  func continueAdvance() {
    guard let current = time.advance, current.questions.isEmpty else { return }
    emit(.clockMoves)
    while let deadline = nextDeadline, deadline <= current.target {
      guard hasRoom else { return }
      time.move(to: deadline)
      if let timer = time.popTimer(until: deadline) { fire(timer) } else { progressDueAuthenticators() }
    }
    // On the engine's clock, an authenticator that is being started starts before the target time.
    guard !authenticators.isStarting else { return }
    time.move(to: current.target)
    time.endAdvance()
    if let id = current.id { reply(toAdvance: id, isInBatch: current.isInBatch) }
    endBatchIfDone()
  }

  private func reply(toAdvance id: [UInt8], isInBatch: Bool) {
    let now = time.now
    func write() {
      id.withUnsafeBytes { id in
        reply { buffer in
          buffer.appendReplyHead(id: id)
          buffer.append(#"{"now":"#)
          buffer.append(decimal: now)
          buffer.append("}}")
        }
      }
    }
    // If the advance is not an entry of the batch in progress, its reply is a line of its own.
    if isInBatch { write() } else { withoutBatch(write) }
  }

  /// The line that asks an authenticator to move its clock. Records that the engine expects an
  /// answer to it.
  func advanceLine(
    _ milliseconds: UInt64, _ question: ClockQuestionID, to link: AuthenticatorLink
  ) -> SecretLine {
    link.expectClockMoved(question)
    return SecretLine.written {
      EngineNotice.writeAdvance(milliseconds: milliseconds, number: question.number, to: &$0)
    }
  }
}

extension SecretLine {
  /// A secret line with the bytes that `append` appends.
  static func written(by append: (inout ByteBuffer) -> Void) -> SecretLine {
    var line = ByteBuffer()
    append(&line)
    return line.withBytes { SecretLine(copying: $0) }
  }
}
