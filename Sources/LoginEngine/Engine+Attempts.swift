import EventLoop
import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol
import SecretMemory

/// The interpreter of what the machine wants done, and what comes back.
extension Engine: AuthenticatorProcess.Owner {
  /// Does what a press leads to.
  func run(_ outcome: SessionMachine.PressOutcome, of session: Session) {
    switch outcome {
    case .refused, .done: break
    case .submit(let submission): ask(submission, of: session)
    case .cancel(let attempt): cancel(attempt)
    case .wipeSecrets: session.vault.wipe()
    }
  }

  private func ask(_ submission: Submission, of session: Session) {
    let attempt = submission.attempt.id
    lastAttempt = max(lastAttempt, attempt)
    let timer = timers.schedule(at: clock.now + session.template.flow.manner.requestTimeout, .requestTimeout(attempt))
    attempts[attempt] = InFlight(session: session, timer: timer)
    var line = ByteBuffer(capacity: 1024)
    AuthenticatorWire.appendSubmit(submission, locale: session.template.locale, to: &line) { item, buffer in
      session.vault.withSecret(at: item) { buffer.appendJSONEscaped($0) }
    }
    authenticator.send(line.withBytes { WipedLine(copying: $0) }, attempt: attempt)
  }

  /// Nobody waits for an attempt any more.
  func cancel(_ attempt: AttemptID) {
    forget(attempt)
    withdraw(attempt)
  }

  /// Tells the authenticator that nobody waits for an attempt any more.
  func withdraw(_ attempt: AttemptID) {
    authenticator.cancel(attempt) {
      var line = ByteBuffer()
      AuthenticatorWire.appendCancel(attempt, to: &line)
      return line.withBytes { WipedLine(copying: $0) }
    }
  }

  /// Takes an attempt off the list of those in flight.
  func forget(_ attempt: AttemptID) {
    if let flight = attempts.removeValue(forKey: attempt) { timers.cancel(flight.timer) }
  }

  /// Lets the machine take an answer and writes what follows.
  func answer(_ answer: Answer, to attempt: AttemptID, of session: Session) {
    guard session.isOpen else { return }
    updates.begin(from: &session.machine)
    switch session.machine.answer(answer, to: attempt) {
    case .late:
      log.write(.debug, "a late answer to attempt \(attempt) was dropped")
      return
    case .wipeSecrets: session.vault.wipe()
    case .throttled(let wait): scheduleThrottle(of: attempt, session, wait)
    case .done: break
    }
    session.lastActive = clock.now
    emitUpdate(of: session, edited: nil)
  }

  private func scheduleThrottle(of attempt: AttemptID, _ session: Session, _ wait: UInt64) {
    let (time, overflow) = clock.now.addingReportingOverflow(wait)
    timers.schedule(at: overflow ? .max : time, .throttle(attempt, session))
  }

  /// It is no longer too early for another request.
  func endThrottle(of attempt: AttemptID, _ session: Session) {
    guard session.isOpen else { return }
    updates.begin(from: &session.machine)
    if session.machine.endThrottle(of: attempt) == .shown { emitUpdate(of: session, edited: nil) }
  }

  /// The authenticator wants something to be read while it works.
  private func notify(_ attempt: AttemptID, _ message: Message?, _ alert: Alert?) {
    guard let session = attempts[attempt]?.session, session.isOpen else {
      log.write(.debug, "a late notification about attempt \(attempt) was dropped")
      return
    }
    updates.begin(from: &session.machine)
    if session.machine.notify(message, alert, of: attempt) == .shown { emitUpdate(of: session, edited: nil) }
  }

  // MARK: The authenticator

  var canTakeAnswers: Bool { hasRoom }
  var now: UInt64 { clock.now }

  func authenticatorSaid(_ line: UnsafeRawBufferPointer) {
    clock.tick()
    guard !line.isEmpty else { return }
    do throws(JSONError) {
      try answers.parse(line)
    } catch {
      authenticator.reject("it wrote a line that is not JSON")
      return
    }
    switch AuthenticatorReply(answers) {
    case .notify(let attempt, let message, let alert): notify(attempt, message, alert)
    case .call: log.write(.debug, "a message of the authenticator's own was ignored")
    case .invalid(let reason): authenticator.reject("it wrote an answer of which \(reason)")
    case .error(let attempt, _) where advance?.question == attempt: advance?.question = nil
    case .result(let attempt, _) where advance?.question == attempt: advance?.question = nil
    case .error(let attempt, let name):
      settle(attempt) { _ in .failed(name.map { Message(networkError: $0) } ?? Message(.refused), items: []) }
    case .result(let attempt, let result):
      settle(attempt) { session in
        switch AuthenticatorReply.answer(answers, result, about: session.machine.screen, of: session.machine.flow) {
        case .success(let answer): return answer
        case .failure(let problem):
          log.write(.warning, "the answer to attempt \(attempt) cannot be used: \(problem.text)")
          return .failed(Message(.invalidAnswer), items: [])
        }
      }
    }
  }

  private func settle(_ attempt: AttemptID, _ read: (Session) -> Answer) {
    guard let flight = attempts[attempt] else {
      log.write(.debug, "a late answer to attempt \(attempt) was dropped")
      return
    }
    forget(attempt)
    authenticator.settle(attempt)
    answer(read(flight.session), to: attempt, of: flight.session)
  }

  func authenticatorFailed(_ failed: [AttemptID], code: EngineMessage) {
    advance?.question = nil
    abandon(failed, code: code)
  }

  /// Tells sessions that their attempts will never be answered, as fast as there is room.
  func abandon(_ failed: [AttemptID], code: EngineMessage) {
    for attempt in failed { abandoned.append((attempt, code)) }
    answerAbandoned()
  }

  func answerAbandoned() {
    while hasRoom, let next = abandoned.popFirst() {
      guard let flight = attempts[next.attempt] else { continue }
      forget(next.attempt)
      answer(.failed(Message(next.code), items: []), to: next.attempt, of: flight.session)
    }
  }

  func authenticatorStarted() {
    guard authenticator.command.followsClock, advanced > 0 else { return }
    lastAttempt += 1
    authenticator.sendFirst(advanceLine(advanced, id: lastAttempt))
  }

  private func advanceLine(_ milliseconds: UInt64, id: AttemptID) -> WipedLine {
    var line = ByteBuffer()
    AuthenticatorWire.appendAdvance(milliseconds, id: id, to: &line)
    return line.withBytes { WipedLine(copying: $0) }
  }

  /// The process that decides logins, as the options name it. Built-in accounts are this very program.
  func makeAuthenticator() -> AuthenticatorProcess {
    var command = AuthenticatorProcess.Command(arguments: options.authenticator ?? [])
    if options.authenticator == nil {
      var arguments = ["login-engine", "accounts", "serve"]
      if let file = options.accountsFile { arguments += ["--file", file] }
      if let cost = options.hashCost { arguments += ["--hash-cost", "\(cost)"] }
      if let mail = options.mailCommand { arguments += ["--mail-command", CommandWords.join(mail)] }
      if let outbox = options.outbox { arguments += ["--outbox", outbox] }
      if clock.isManual { arguments += ["--clock", "manual"] }
      if !options.forbidsDumps { arguments += ["--hardening", "off"] }
      command.arguments = arguments
      command.isThisProgram = true
      command.followsClock = clock.isManual
    }
    command.environment = ["LOGIN_ENGINE_RUN": Engine.randomName()]
    return AuthenticatorProcess(
      command, loop: loop, log: log, maximumLineBytes: max(options.maximumLineBytes, 1 << 20), owner: self)
  }

  /// A name that no other engine has, by which the accounts tell one engine's attempts from another's.
  private static func randomName() -> String {
    var generator = SystemRandomNumberGenerator()
    return String(generator.next(), radix: 16) + String(generator.next(), radix: 16)
  }

  // MARK: The manual clock

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
    if authenticator.command.followsClock, authenticator.isRunning {
      lastAttempt += 1
      question = lastAttempt
      authenticator.send(advanceLine(milliseconds, id: lastAttempt), attempt: nil)
    }
    advanced = target
    advance = Advance(target: target, id: call.id.map { Array($0) }, question: question)
    continueAdvance()
  }

  /// Fires the timers up to the target one by one, as room permits, then replies.
  func continueAdvance() {
    guard let current = advance, current.question == nil else { return }
    while let time = timers.nextDeadline, time <= current.target {
      guard hasRoom else { return }
      clock.move(to: time)
      if let timer = timers.popExpired(now: time) { fire(timer) }
    }
    clock.move(to: current.target)
    advance = nil
    if let id = current.id {
      let now = clock.now
      id.withUnsafeBytes { id in
        reply { buffer in
          buffer.appendReplyHead(id: id)
          buffer.append(#"{"now":"#)
          buffer.append(decimal: now)
          buffer.append("}}")
        }
      }
    }
    authenticator.start()
    if batch != nil, batch?.next == nil { endBatch() }
  }
}
