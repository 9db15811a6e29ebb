import AuthenticatorKit
import JSONCodec
import LoginMachine
import LoginProtocol
import SecretMemory

/// Asking and cancelling questions for session machines.
extension EngineCore {
  /// Asks a machine's question. A question that continues a conversation goes to the authenticator
  /// of that conversation. Any other question goes to the authenticator that decides the request.
  func ask(_ question: Question, of session: Session) {
    if let conversation = question.conversationID {
      ask(question, in: conversation, of: session)
    } else if question.checked != nil {
      askCheck(question, of: session)
    } else {
      askFirst(question, of: session)
    }
  }

  /// Asks a question that begins a conversation. It goes to the authenticator that decides the
  /// request.
  private func askFirst(_ question: Question, of session: Session) {
    let id = question.id
    let authenticator = authenticators.authenticator(for: question.request, of: session.template.flow.id)
    guard !authenticators.refuses(question.request, authenticator) else {
      noteOpen(QuestionKey(id), of: session, authenticator, question)
      return failQuestions([.question(id)], .unsupportedRequest)
    }
    let line = questionLine(of: session) { buffer, appendSecret in
      AuthenticatorWire.append(
        question, from: origin(of: session), numbering: authenticator.numbering, to: &buffer, appendSecret: appendSecret
      )
    }
    ask(line, QuestionKey(id), of: session, authenticator, question)
  }

  /// Sends the line of a question and records the question as open.
  func ask(
    _ line: SecretLine, _ key: QuestionKey, of session: Session, _ authenticator: AuthenticatorReference,
    _ question: Question
  ) {
    noteOpen(key, of: session, authenticator, question)
    guard let link = authenticators.link(authenticator) else {
      return output.append(line, asking: observer == nil ? nil : askingSession(of: key.id))
    }
    link.append(line, asking: key)
    sendOrStart(link)
    checkResponsiveness(of: link)
  }

  private func noteOpen(
    _ key: QuestionKey, of session: Session, _ authenticator: AuthenticatorReference, _ question: Question
  ) {
    if question.checked == nil { statistics.noteQuestion() }
    questions.insert(
      OpenQuestion(
        session: session, authenticator: authenticator, conversation: key.conversation, request: question.request,
        start: time.now, isBackground: question.isBackground, isCheck: question.checked != nil), key.id,
      timeout: session.template.flow.options.requestTimeout,
      // The timeout of a background question is never paused for the user.
      isPaused: waitsForUser(session) && session.machine.awaitedQuestion == key.id, &time)
  }

  /// The data about a session that each of its questions contains in addition to the entered
  /// values.
  func origin(of session: Session) -> QuestionOrigin {
    QuestionOrigin(
      session: session.id.bytes, flow: session.template.flow.id, screen: session.machine.origin.id,
      locale: session.template.locale, run: configuration.run, principal: session.particulars?.principal,
      context: session.particulars?.context, supports: session.particulars?.supports,
      secretNames: session.particulars?.secrets.map(\.name) ?? [], keys: session.keys)
  }

  /// The line of a question. `write` is called with a buffer and a function. It appends the line's
  /// text to the buffer, and calls the function wherever the escaped bytes of a secret belong.
  func questionLine(
    of session: Session, _ write: (inout ByteBuffer, (QuestionSecret, inout ByteBuffer) -> Void) -> Void
  ) -> SecretLine {
    var line = ByteBuffer(capacity: 1024)
    var secrets: [Range<Int>] = []
    write(&line) { secret, buffer in
      let start = buffer.count
      switch secret {
      case .item(let item): session.vault.withSecret(at: item) { buffer.appendJSONEscaped($0) }
      case .opening(let index):
        session.particulars?.secrets[index].value.withBytes { buffer.appendJSONEscaped($0) }
      }
      secrets.append(start..<buffer.count)
    }
    return line.withBytes { SecretLine(copying: $0, secrets: secrets) }
  }

  // MARK: Cancelling

  /// Closes a question whose answer is not needed any more, and tells this to the authenticator.
  func cancel(_ id: QuestionID, hasTimedOut: Bool = false) {
    if !hasTimedOut, questions[id]?.isCheck == false { statistics.noteCancel() }
    withdraw(id, hasTimedOut: hasTimedOut)
    questions.close(id, &time)
  }

  /// Tells an authenticator that its answer to this question is not needed any more. The question
  /// stays open.
  func withdraw(_ id: QuestionID, hasTimedOut: Bool = false) {
    guard let question = questions[id] else { return }
    sendCancellation(question.conversation, question.authenticator, hasTimedOut: hasTimedOut)
  }

  /// Tells an authenticator that a conversation is over.
  func sendCancellation(
    _ conversation: ConversationID, _ authenticator: AuthenticatorReference, hasTimedOut: Bool = false
  ) {
    func notice() -> SecretLine {
      SecretLine.written { EngineNotice.writeCancel(attempt: conversation.number, to: &$0) }
    }
    guard let link = authenticators.link(authenticator) else { return output.append(notice()) }
    if link.cancel(conversation, hasTimedOut: hasTimedOut, notice: notice) { sendOrStart(link) }
    checkResponsiveness(of: link)
  }

  // MARK: Losses

  /// Fails questions and conversations for which no answer can arrive any more. If the output has
  /// no room, the rest of them fails later.
  func failQuestions(_ subjects: [QuestionTable.FailedSubject], _ message: EngineMessage) {
    for subject in subjects { questions.fail(subject, message) }
    answerFailed()
  }

  /// Continues to fail questions and conversations that could not fail earlier, because the output
  /// had no room.
  func answerFailed() {
    while hasRoom, let (subject, message) = questions.popFailure() {
      switch subject {
      case .conversation(let conversation): failConversation(conversation, Message(message))
      case .question(let id):
        guard let question = questions.close(id, &time) else { continue }
        answer(question.lost(because: Message(message)), to: id, question)
      }
    }
  }
}
