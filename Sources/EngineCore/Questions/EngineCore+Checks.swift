import AuthenticatorKit
import JSONCodec
import LoginMachine
import LoginProtocol

/// Checks: authenticators judge values while the user enters them. Nothing has to wait for the
/// answer to a check, and checks do not count as attempts.
extension EngineCore {
  /// Starts the check of an item. Called when the item has not been edited for the check's delay.
  func beginCheck(of item: Int, _ session: Session) {
    session.timers.noteCheck(of: item)
    update(session) { session.machine.check(item, question: questions.nextID) }
  }

  /// Asks the authenticator of the screen's request to check a value.
  func askCheck(_ question: Question, of session: Session) {
    let authenticator = authenticators.authenticator(for: question.request, of: session.template.flow.id)
    // No answer can arrive any more, or the authenticator has said that it does not know the
    // request.
    guard input.stage != .draining, !authenticators.refuses(question.request, authenticator) else {
      return update(session) { session.machine.handleCheck(.unknown, to: question.id) }
    }
    let line = questionLine(of: session) { buffer, appendSecret in
      AuthenticatorWire.append(
        question, from: origin(of: session), numbering: authenticator.numbering, to: &buffer, appendSecret: appendSecret
      )
    }
    ask(line, QuestionKey(question.id), of: session, authenticator, question)
  }

  /// Handles the answer to a check. Ignores an answer from an authenticator that was not asked.
  func settleCheck(
    _ id: QuestionID, _ document: borrowing JSONDocument, _ result: JSONDocument.Node,
    from authenticator: AuthenticatorReference
  ) {
    guard let question = questions[id], question.authenticator == authenticator else { return note(.lateReply(id)) }
    questions.close(id, &time)
    authenticators.link(authenticator)?.settle(QuestionKey(id), isConversationOpen: false)
    do throws(InvalidAnswer) {
      finishCheck(id, question, CheckVerdict(try CheckAnswer(document, result)))
    } catch {
      log.write(.warning, "the answer to check \(id.number) cannot be used: \(error.text)")
      finishCheck(id, question, .unknown)
    }
  }

  /// Shows the authenticator's verdict about a value. The verdict `unknown` shows nothing.
  func finishCheck(_ id: QuestionID, _ question: OpenQuestion, _ verdict: CheckVerdict) {
    let session = question.session
    guard session.isOpen else { return }
    update(session) { session.machine.handleCheck(verdict, to: id) }
  }
}
