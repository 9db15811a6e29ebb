import AuthenticatorKit
import CPortable
import FlowFiles
import JSONCodec
import LoginMachine
import LoginProtocol
import SecretMemory

/// What authenticators say, and what comes of it.
extension EngineCore {
  /// Handles what an authenticator said: the message in `document`.
  func handle(
    _ reply: AuthenticatorReply, _ document: borrowing JSONDocument, from authenticator: AuthenticatorReference
  ) {
    switch reply {
    case .notify(let id, let message, let alert): notify(id, message, alert, from: authenticator)
    case .error(let id, let failure):
      settle(id, from: authenticator) { _ in
        ReadAnswer(.undecided(Message(networkError: failure.name, text: failure.textForPeople)))
      }
    case .result(let id, let result):
      if questions[id]?.isCheck == true {
        settleCheck(id, document, result, from: authenticator)
      } else {
        settle(id, from: authenticator) { read(document, result, to: id, $0) }
      }
    case .described, .undescribed, .clockMoved, .call, .invalid: break
    }
  }

  /// Takes what answers a question, unless it is late or comes from another than was asked.
  private func settle(
    _ id: QuestionID, from authenticator: AuthenticatorReference, _ read: (OpenQuestion) -> ReadAnswer
  ) {
    guard let question = questions[id], question.authenticator == authenticator else {
      log.write(.debug, "an answer to attempt \(id.number), which is not in flight there, was dropped")
      note(.lateReply(id))
      return
    }
    questions.close(id, &time)
    let answer = read(question)
    let key = QuestionKey(id, of: question.conversation)
    authenticators.link(authenticator)?.settle(key, conversationGoesOn: answer.continues(after: key))
    if answer.isVoid { tellCancelled(question.conversation, authenticator) }
    self.answer(answer.answer, to: id, question, granting: answer.secret)
  }

  /// The authenticator wants something to be read while it works.
  private func notify(
    _ id: ConversationID, _ message: Message?, _ alert: Alert?, from authenticator: AuthenticatorReference
  ) {
    guard let session = session(concernedBy: id, authenticator), session.isOpen else {
      log.write(.debug, "a late notification about attempt \(id.number) was dropped")
      note(.lateNotice(id))
      return
    }
    guard session.transitions?.queue.refusesEvents != true else {
      log.write(.debug, "a notification about attempt \(id.number) came while its view presents, and was dropped")
      note(.lateNotice(id))
      return
    }
    update(session) { session.machine.notify(message, alert, of: id) }
  }

  /// Lets the machine of a session take an answer to a question that is not open any more.
  func answer(_ answer: Answer, to id: QuestionID, _ question: OpenQuestion, granting secret: SecretLine? = nil) {
    if question.isCheck { return finishCheck(id, question, .unknown) }
    let session = question.session
    guard session.isOpen else { return }
    let answered = AnsweredQuestion(id: id, question: question, answer: answer, secret: secret)
    update(session, after: .answer(answered)) {
      session.machine.handleAnswer(answer, to: id, at: time.utc, question: questions.nextID)
    }
  }

  /// It is no longer too early for another request.
  func endThrottle(of id: QuestionID, _ session: Session) {
    session.timers.noteThrottleEnd(of: id)
    update(session) { session.machine.endThrottle(of: id) }
  }

  // MARK: Reading them

  /// What was read of an answer.
  private struct ReadAnswer {
    let answer: Answer
    /// Whether it takes the engine to tell the authenticator that the conversation is over.
    let isVoid: Bool
    /// The line that grants the application a secret, if the answer has one.
    let secret: SecretLine?

    init(_ answer: Answer, isVoid: Bool = false, granting secret: SecretLine? = nil) {
      self.answer = answer
      self.isVoid = isVoid
      self.secret = secret
    }

    /// Whether the authenticator still has something of the conversation after this answer to a question.
    func continues(after key: QuestionKey) -> Bool {
      switch answer {
      case .challenge: true
      case .undecided: !key.isFirst
      case .failed(_, _, let retryAfter): isVoid || !key.isFirst && retryAfter != nil
      case .accepted, .notice: false
      }
    }
  }

  /// Reads the result that an authenticator has given to a question.
  private func read(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node, to id: QuestionID, _ question: OpenQuestion
  ) -> ReadAnswer {
    let session = question.session
    // The screen of a challenge may have codes, also one that cannot be used.
    cportable_wipe_freed()
    defer { cportable_keep_freed() }
    var unknownKeys: [String] = []
    defer { if !unknownKeys.isEmpty { warn(of: unknownKeys.count, inAnswerTo: id, to: session.machine) } }
    do throws(InvalidAnswer) {
      let reading = try AuthenticatorReply.answer(
        document, result,
        about: .init(
          session.machine.origin, of: session.machine.flow, showing: session.machine.challenge,
          isBesideSubmit: session.machine.isBesideSubmit(id), at: time.utc),
        unknownKeys: &unknownKeys
      ) { text in
        screen(text.withBytes { Array($0) }, to: id, of: session)
      }
      let granted = reading.secret.map { secret in
        SecretLine.written { $0.appendGranted(secret, session: session.id.bytes) }
      }
      return ReadAnswer(reading.answer, granting: granted)
    } catch {
      log.write(.warning, "the answer to attempt \(id.number) cannot be used: \(error.text)")
      let isChallenge = (try? AuthenticatorAnswer.Outcome(document, of: result)) == .challenge
      return ReadAnswer(
        question.lost(because: Message(.invalidAnswer)),
        isVoid: isChallenge || !QuestionKey(id, of: question.conversation).isFirst)
    }
  }

  /// Says which items there are, not which the answer names: it may quote what was typed.
  private func warn(of unknownKeys: Int, inAnswerTo id: QuestionID, to machine: SessionMachine) {
    let keys = machine.origin.items.compactMap(\.apiKey).joined(separator: ", ")
    let known = machine.challenge == nil ? "; there are \(keys)" : ""
    log.write(
      .warning, "the answer to attempt \(id.number) is about items that are not there (\(unknownKeys))\(known)")
  }

  /// The screen of a challenge; `nil` if it is none, of which the log then says where. What stands there is not said, since it may quote what was typed.
  private func screen(_ text: [UInt8], to id: QuestionID, of session: Session) -> ChallengeScreen? {
    do throws(FlowFileError) {
      let screen = try conversations.screen(
        text, name: "challenge", session.template, origin: session.machine.originIndex,
        supported: session.particulars?.supported ?? [])
      if conversations.hasCodes { output.noteSecrets() }
      return screen
    } catch {
      let place = JSONValue.string("/screen" + (error.pointer ?? "")).text
      log.write(
        .warning,
        "the challenge in the answer to attempt \(id.number) is wrong at \(place): expected \(error.expected)")
      return nil
    }
  }
}
