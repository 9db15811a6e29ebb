import EventLoop
import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol
import SecretMemory

/// Does what a machine wants done: has questions asked, and gives them up.
extension Engine {
  /// Does what a press leads to.
  func run(_ outcome: SessionMachine.PressOutcome, of session: Session) {
    switch outcome {
    case .refused, .done: break
    case .ask(let question):
      if let conversationID = question.conversationID {
        ask(question, in: conversationID, of: session)
      } else {
        ask(question, of: session)
      }
    case .cancel(let attempt): cancel(attempt)
    case .wipeSecrets: session.vault.wipe()
    case .end(let ending):
      session.vault.wipe()
      callOff(ending)
    }
  }

  /// Asks whoever decides what a screen asks for.
  private func ask(_ question: Question, of session: Session) {
    let authenticator = routes.authenticator(for: question.screen.request, of: session.template.flow.id)
    guard !refuses(question.screen.request, authenticator) else {
      noteInFlight(QuestionKey(question.id), of: session, authenticator)
      return abandon([.question(question.id)], code: .unsupportedRequest)
    }
    let line = questionLine(of: session) { buffer, appendSecret in
      AuthenticatorWire.appendSubmit(
        question, locale: session.template.locale, ids: authenticator.ids, to: &buffer, appendSecret: appendSecret)
    }
    ask(line, QuestionKey(question.id), of: session, authenticator)
  }

  /// Whether an authenticator has said that it does not know a request.
  private func refuses(_ request: String, _ authenticator: any Authenticator) -> Bool {
    guard let known = authenticator.description?.requests else { return false }
    return !known.contains(request)
  }

  /// Sends the line of a question and notes that it is in flight.
  func ask(_ line: WipedLine, _ question: QuestionKey, of session: Session, _ authenticator: any Authenticator) {
    noteInFlight(question, of: session, authenticator)
    authenticator.ask(line, question)
  }

  private func noteInFlight(_ question: QuestionKey, of session: Session, _ authenticator: any Authenticator) {
    lastQuestion = max(lastQuestion, question.id)
    let timeout = session.template.flow.options.requestTimeout
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
  func cancel(_ attempt: QuestionID, hasTimedOut: Bool = false) {
    withdraw(attempt, hasTimedOut: hasTimedOut)
    forget(attempt)
  }

  /// Tells its authenticator that nobody waits for an attempt in flight any more.
  func withdraw(_ attempt: QuestionID, hasTimedOut: Bool = false) {
    guard let flight = attempts[attempt] else { return }
    tellCancelled(flight.conversationID, flight.authenticator, hasTimedOut: hasTimedOut)
  }

  /// Tells an authenticator that nobody waits for anything of a conversation any more.
  func tellCancelled(_ conversationID: ConversationID, _ authenticator: any Authenticator, hasTimedOut: Bool = false) {
    authenticator.cancel(conversationID, hasTimedOut: hasTimedOut) {
      WipedLine.written { AuthenticatorWire.appendCancel(conversationID, to: &$0) }
    }
  }

  /// Takes an attempt off the list of those in flight, and its timeout with it.
  func forget(_ attempt: QuestionID) {
    if let flight = attempts.removeValue(forKey: attempt) { timers.cancel(flight.timer) }
  }

  /// Tells sessions that their attempts will never be answered, as fast as there is room.
  func abandon(_ lost: [Lost], code: EngineMessage) {
    for lost in lost { abandoned.append((lost, code)) }
    answerAbandoned()
  }

  /// Goes on telling those for whom there was no room.
  func answerAbandoned() {
    while hasRoom, let next = abandoned.popFirst() {
      switch next.lost {
      case .conversation(let conversationID): failConversation(conversationID, Message(next.code))
      case .question(let question):
        guard let flight = attempts[question] else { continue }
        forget(question)
        answer(.failed(Message(next.code), items: []), to: question, of: flight)
      }
    }
  }
}
