import AuthenticatorKit
import CPortable
import FlowFiles
import JSONCodec
import LoginMachine
import LoginProtocol
import SecretMemory

/// Answers of authenticators and their consequences.
extension EngineCore {
  /// Handles a message of an authenticator, which is in `document`.
  func handle(
    _ reply: AuthenticatorReply, _ document: borrowing JSONDocument, from authenticator: AuthenticatorReference
  ) {
    switch reply {
    case .notify(let id, let message, let alert): notify(id, message, alert, from: authenticator)
    case .error(let id, let failure):
      settle(id, from: authenticator) { _ in
        ReadAnswer(.undecided(Message(networkError: failure.name, text: failure.userText)))
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

  /// Handles the answer to a question, unless the answer is late or comes from an authenticator
  /// that was not asked this question.
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
    authenticators.link(authenticator)?.settle(key, isConversationOpen: answer.continues(after: key))
    if answer.needsCancellation { sendCancellation(question.conversation, authenticator) }
    self.answer(answer.answer, to: id, question, granting: answer.secret)
  }

  /// Shows a progress message that an authenticator sends before it answers.
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

  /// Passes an answer to the session's machine. The question was removed from the open questions
  /// before.
  func answer(_ answer: Answer, to id: QuestionID, _ question: OpenQuestion, granting secret: SecretLine? = nil) {
    if question.isCheck { return finishCheck(id, question, .unknown) }
    let session = question.session
    guard session.isOpen else { return }
    let answered = AnsweredQuestion(id: id, question: question, answer: answer, secret: secret)
    update(session, after: .answer(answered)) {
      session.machine.handleAnswer(answer, to: id, at: time.utc, question: questions.nextID)
    }
  }

  /// Ends the throttle that was caused by the answer to the question `id`.
  func endThrottle(of id: QuestionID, _ session: Session) {
    session.timers.noteThrottleEnd(of: id)
    update(session) { session.machine.endThrottle(of: id) }
  }

  // MARK: Reading answers

  /// The engine's reading of an authenticator's answer.
  private struct ReadAnswer {
    let answer: Answer
    /// Whether the engine has to tell the authenticator that the conversation is over.
    let needsCancellation: Bool
    /// The line that passes a secret on to the application, if the answer contains a secret for it.
    let secret: SecretLine?

    init(_ answer: Answer, needsCancellation: Bool = false, granting secret: SecretLine? = nil) {
      self.answer = answer
      self.needsCancellation = needsCancellation
      self.secret = secret
    }

    /// Whether the authenticator, having given this answer, expects the conversation to continue.
    func continues(after key: QuestionKey) -> Bool {
      switch answer {
      case .challenge: true
      case .undecided: !key.isFirst
      case .failed(_, _, let retryAfter): needsCancellation || !key.isFirst && retryAfter != nil
      case .accepted, .notice: false
      }
    }
  }

  /// Reads the result that an authenticator has given to a question.
  private func read(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node, to id: QuestionID, _ question: OpenQuestion
  ) -> ReadAnswer {
    let session = question.session
    // The screen of a challenge may contain codes, even if the screen is invalid.
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
        needsCancellation: isChallenge || !QuestionKey(id, of: question.conversation).isFirst)
    }
  }

  /// Warns that an answer names unknown items. The log lists the items that exist, but not the
  /// names in the answer, which may quote user input.
  private func warn(of unknownKeys: Int, inAnswerTo id: QuestionID, to machine: SessionMachine) {
    let keys = machine.origin.items.compactMap(\.apiKey).joined(separator: ", ")
    let known = machine.challenge == nil ? "; there are \(keys)" : ""
    log.write(
      .warning, "the answer to attempt \(id.number) is about items that are not there (\(unknownKeys))\(known)")
  }

  /// Reads the screen of a challenge; `nil` if it is invalid. In that case the log names the
  /// position of the error, but not the content, which may quote user input.
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
