import EventLoop
import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol
import SecretMemory

/// The interpreter of what the machine wants done, and what comes back.
extension Engine {
  /// Does what a press leads to.
  func run(_ outcome: SessionMachine.PressOutcome, of session: Session) {
    switch outcome {
    case .refused, .done: break
    case .submit(let submission):
      if let conversationID = submission.conversationID {
        ask(submission, in: conversationID, of: session)
      } else {
        ask(submission, of: session)
      }
    case .cancel(let attempt): cancel(attempt)
    case .wipeSecrets: session.vault.wipe()
    case .end(let ending):
      session.vault.wipe()
      callOff(ending)
    }
  }

  /// Asks whoever decides what a screen asks for.
  private func ask(_ submission: Submission, of session: Session) {
    let attempt = submission.attempt.id
    let authenticator = routes.authenticator(for: submission.screen.request, of: session.template.flow.id)
    guard !refuses(submission.screen.request, authenticator) else {
      noteInFlight(Question(attempt), of: session, authenticator)
      return abandon([attempt], code: .unsupportedRequest)
    }
    let line = questionLine(of: session) { buffer, appendSecret in
      AuthenticatorWire.appendSubmit(
        submission, locale: session.template.locale, ids: authenticator.ids, to: &buffer, appendSecret: appendSecret)
    }
    ask(line, Question(attempt), of: session, authenticator)
  }

  /// Whether an authenticator has said that it does not know a request.
  private func refuses(_ request: String, _ authenticator: any Authenticator) -> Bool {
    guard let known = authenticator.description?.requests else { return false }
    return !known.contains(request)
  }

  /// Sends the line of a question and notes that it is in flight.
  func ask(_ line: WipedLine, _ question: Question, of session: Session, _ authenticator: any Authenticator) {
    noteInFlight(question, of: session, authenticator)
    authenticator.ask(line, question)
  }

  private func noteInFlight(_ question: Question, of session: Session, _ authenticator: any Authenticator) {
    lastAttempt = max(lastAttempt, question.id)
    let timeout = session.template.flow.manner.requestTimeout
    attempts[question.id] = InFlight(
      session: session, timer: schedule(after: timeout, .requestTimeout(question.id)),
      authenticator: authenticator, conversationID: question.conversationID)
  }

  /// A line of which `write` appends what is plain, and has the bytes of an item's secret appended, escaped, where they belong.
  func questionLine(
    of session: Session, _ write: (inout ByteBuffer, (_ item: Int, inout ByteBuffer) -> Void) -> Void
  ) -> WipedLine {
    var line = ByteBuffer(capacity: 1024)
    var secrets: [Range<Int>] = []
    write(&line) { item, buffer in
      let start = buffer.count
      session.vault.withSecret(at: item) { buffer.appendJSONEscaped($0) }
      secrets.append(start..<buffer.count)
    }
    return line.withBytes { WipedLine(copying: $0, secrets: secrets) }
  }

  /// Nobody waits for an attempt any more.
  func cancel(_ attempt: AttemptID, hasTimedOut: Bool = false) {
    withdraw(attempt, hasTimedOut: hasTimedOut)
    forget(attempt)
  }

  /// Tells its authenticator that nobody waits for an attempt in flight any more.
  func withdraw(_ attempt: AttemptID, hasTimedOut: Bool = false) {
    guard let flight = attempts[attempt] else { return }
    tellCancelled(flight.conversationID, flight.authenticator, hasTimedOut: hasTimedOut)
  }

  /// Tells an authenticator that nobody waits for anything of a conversation any more.
  func tellCancelled(_ conversationID: AttemptID, _ authenticator: any Authenticator, hasTimedOut: Bool = false) {
    authenticator.cancel(conversationID, hasTimedOut: hasTimedOut) { cancelNotice(conversationID) }
  }

  /// The line that says that nobody waits for anything of a conversation any more.
  func cancelNotice(_ conversationID: AttemptID) -> WipedLine {
    var line = ByteBuffer()
    AuthenticatorWire.appendCancel(conversationID, to: &line)
    return line.withBytes { WipedLine(copying: $0) }
  }

  /// Takes an attempt off the list of those in flight, and its timeout with it.
  func forget(_ attempt: AttemptID) {
    if let flight = attempts.removeValue(forKey: attempt) { timers.cancel(flight.timer) }
  }

  /// Lets the machine take an answer and writes what follows.
  func answer(_ answer: Answer, to attempt: AttemptID, of flight: InFlight) {
    let session = flight.session
    guard session.isOpen else { return }
    updates.begin(from: &session.machine)
    switch session.machine.answer(answer, to: attempt) {
    case .late:
      log.write(.debug, "a late answer to attempt \(attempt) was dropped")
      observer?.drops(attempt)
      return
    case .wipeSecrets: session.vault.wipe()
    case .throttled(let wait): schedule(after: wait, .throttle(attempt, session))
    case .done: break
    case .challenged(let timing):
      session.vault.wipe()
      noteChallenge(flight, timing)
    case .unchanged(let timing): return noteChallenge(flight, timing)
    }
    if session.machine.conversationID != flight.conversationID { dropConversation(flight.conversationID) }
    session.lastActive = clock.now
    emitUpdate(of: session, edited: nil)
  }

  /// It is no longer too early for another request.
  func endThrottle(of attempt: AttemptID, _ session: Session) {
    guard session.isOpen else { return }
    updates.begin(from: &session.machine)
    if session.machine.endThrottle(of: attempt) == .shown { emitUpdate(of: session, edited: nil) }
  }

  // MARK: Answers

  /// Takes what an authenticator said: the message in `document`.
  func take(_ reply: AuthenticatorReply, _ document: borrowing JSONDocument, from authenticator: any Authenticator) {
    switch reply {
    case .notify(let attempt, let message, let alert): notify(attempt, message, alert, from: authenticator)
    case .error(let attempt, let name):
      settle(attempt, from: authenticator) { _ in
        Reading(.undecided(name.map { Message(networkError: $0) } ?? Message(.refused)))
      }
    case .result(let attempt, let result):
      settle(attempt, from: authenticator) { read(document, result, to: attempt, of: $0) }
    case .described, .call, .invalid: break
    }
  }

  /// Takes what answers an attempt, unless it is late or comes from another than was asked.
  private func settle(_ attempt: AttemptID, from authenticator: any Authenticator, _ read: (InFlight) -> Reading) {
    guard let flight = attempts[attempt], flight.authenticator === authenticator else {
      log.write(.debug, "an answer to attempt \(attempt), which is not in flight there, was dropped")
      observer?.drops(attempt)
      return
    }
    forget(attempt)
    let reading = read(flight)
    let question = Question(attempt, of: flight.conversationID)
    authenticator.settle(question, conversationGoesOn: reading.goesOn(after: question))
    if reading.isVoid { tellCancelled(flight.conversationID, authenticator) }
    answer(reading.answer, to: attempt, of: flight)
  }

  /// The authenticator wants something to be read while it works.
  private func notify(
    _ attempt: AttemptID, _ message: Message?, _ alert: Alert?, from authenticator: any Authenticator
  ) {
    guard let session = sessionConcerned(by: attempt, authenticator), session.isOpen else {
      log.write(.debug, "a late notification about attempt \(attempt) was dropped")
      observer?.drops(attempt)
      return
    }
    updates.begin(from: &session.machine)
    if session.machine.notify(message, alert, of: attempt) == .shown { emitUpdate(of: session, edited: nil) }
  }

  /// Tells sessions that their attempts will never be answered, as fast as there is room.
  func abandon(_ failed: [AttemptID], code: EngineMessage) {
    for attempt in failed { abandoned.append((attempt, code)) }
    answerAbandoned()
  }

  /// Goes on telling those for whom there was no room.
  func answerAbandoned() {
    while hasRoom, let next = abandoned.popFirst() {
      guard let flight = attempts[next.attempt] else {
        breakOff(next.attempt, Message(next.code))
        continue
      }
      forget(next.attempt)
      answer(.failed(Message(next.code), items: []), to: next.attempt, of: flight)
    }
  }
}
