import EventLoop
import FlowFiles
import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// What authenticators say, and what comes of it.
extension Engine {
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
    case .described, .call, .invalid, .clockMoved: break
    }
  }

  /// Takes what answers an attempt, unless it is late or comes from another than was asked.
  private func settle(_ attempt: QuestionID, from authenticator: any Authenticator, _ read: (InFlight) -> Reading) {
    guard let flight = attempts[attempt], flight.authenticator === authenticator else {
      return drop(attempt)
    }
    forget(attempt)
    let reading = read(flight)
    let question = QuestionKey(attempt, of: flight.conversationID)
    authenticator.settle(question, conversationGoesOn: reading.goesOn(after: question))
    if reading.isVoid { tellCancelled(flight.conversationID, authenticator) }
    answer(reading.answer, to: attempt, of: flight)
  }

  /// Says that an answer is to a question which is not in flight there.
  func drop(_ attempt: QuestionID) {
    log.write(.debug, "an answer to attempt \(attempt.number), which is not in flight there, was dropped")
    observer?.drops(attempt.number)
  }

  /// The authenticator wants something to be read while it works.
  private func notify(
    _ attempt: ConversationID, _ message: Message?, _ alert: Alert?, from authenticator: any Authenticator
  ) {
    guard let session = sessionConcerned(by: attempt, authenticator), session.isOpen else {
      log.write(.debug, "a late notification about attempt \(attempt.number) was dropped")
      observer?.drops(attempt.number)
      return
    }
    updates.noteView(of: &session.machine)
    if session.machine.notify(message, alert, of: attempt) == .shown { emitUpdate(of: session, edited: nil) }
  }

  /// Lets the machine take an answer and writes what follows.
  func answer(_ answer: Answer, to attempt: QuestionID, of flight: InFlight) {
    let session = flight.session
    guard session.isOpen else { return }
    updates.noteView(of: &session.machine)
    switch session.machine.handleAnswer(answer, to: attempt) {
    case .late:
      log.write(.debug, "a late answer to attempt \(attempt.number) was dropped")
      observer?.drops(attempt.number)
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
  func endThrottle(of attempt: QuestionID, _ session: Session) {
    guard session.isOpen else { return }
    updates.noteView(of: &session.machine)
    if session.machine.endThrottle(of: attempt) == .shown { emitUpdate(of: session, edited: nil) }
  }

  // MARK: Reading them

  /// What was read of an answer.
  private struct Reading {
    let answer: Answer
    /// Whether it takes the engine to tell the authenticator that the conversation is over.
    let isVoid: Bool

    init(_ answer: Answer, isVoid: Bool = false) {
      self.answer = answer
      self.isVoid = isVoid
    }

    /// Whether the authenticator still has something of the conversation after this answer to a question.
    func goesOn(after question: QuestionKey) -> Bool {
      let hasBegun = question.id != question.conversationID.firstQuestion
      return switch answer {
      case .challenge: true
      case .undecided: hasBegun
      case .failed(_, _, let retryAfter): isVoid || hasBegun && retryAfter != nil
      case .accepted, .notice: false
      }
    }
  }

  /// Reads the result that an authenticator has given to a question.
  private func read(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node, to attempt: QuestionID, of flight: InFlight
  ) -> Reading {
    let session = flight.session
    let machine = session.machine
    var unknownKeys: [String] = []
    defer { warn(of: unknownKeys.count, inAnswerTo: attempt, to: machine) }
    do throws(AuthenticatorReply.Problem) {
      let answer = try AuthenticatorReply.answer(
        document, result, about: .init(machine.origin, of: machine.flow, showing: machine.challenge),
        unknownKeys: &unknownKeys
      ) { node in
        screen(Array(document.fullText(node)), to: attempt, of: session)
      }
      return Reading(answer)
    } catch {
      log.write(.warning, "the answer to attempt \(attempt.number) cannot be used: \(error.text)")
      let isChallenge = document.member("outcome", of: result).map { document.equals($0, "challenge") } ?? false
      return Reading(
        .failed(Message(.invalidAnswer), items: []),
        isVoid: isChallenge || flight.conversationID.firstQuestion != attempt)
    }
  }

  /// Says which items there are, not which the answer names: it may quote what was typed.
  private func warn(of unknownKeys: Int, inAnswerTo attempt: QuestionID, to machine: SessionMachine) {
    if unknownKeys == 0 { return }
    let keys = machine.origin.items.compactMap(\.apiKey).joined(separator: ", ")
    let known = machine.challenge == nil ? "; there are \(keys)" : ""
    log.write(
      .warning, "the answer to attempt \(attempt.number) is about items that are not there (\(unknownKeys))\(known)")
  }

  /// The screen of a challenge; `nil` if it is none, of which the log then says where. What stands there is not said, since it may quote what was typed.
  private func screen(_ text: [UInt8], to attempt: QuestionID, of session: Session) -> ChallengeScreen? {
    do throws(FlowFileError) {
      return try challenges.screen(
        text, name: "challenge", session.template, origin: session.machine.originIndex)
    } catch {
      let place = JSONValue.string("/screen" + (error.pointer ?? "")).text
      log.write(
        .warning,
        "the challenge in the answer to attempt \(attempt.number) is wrong at \(place): expected \(error.expected)")
      return nil
    }
  }
}
