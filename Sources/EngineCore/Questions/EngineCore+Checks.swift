import AuthenticatorKit
import JSONCodec
import LoginMachine
import LoginProtocol

/// Values that authenticators check while they are entered. Nothing waits for a check, and none is a try.
extension EngineCore {
  /// Nobody has edited an item for as long as its check says.
  func beginCheck(of item: Int, _ session: Session) {
    session.timers.noteCheck(of: item)
    update(session) { session.machine.check(item, question: questions.nextID) }
  }

  /// Asks whoever decides what the screen of a check asks for.
  func askCheck(_ question: Question, of session: Session) {
    let authenticator = authenticators.authenticator(for: question.request, of: session.template.flow.id)
    // Nobody is left who could read the answer, or somebody has said that they have none.
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

  /// Takes what answers a check, unless it comes from another than was asked.
  func settleCheck(
    _ id: QuestionID, _ document: borrowing JSONDocument, _ result: JSONDocument.Node,
    from authenticator: AuthenticatorReference
  ) {
    guard let question = questions[id], question.authenticator == authenticator else { return note(.lateReply(id)) }
    questions.close(id, &time)
    authenticators.link(authenticator)?.settle(QuestionKey(id), conversationGoesOn: false)
    do throws(InvalidAnswer) {
      finishCheck(id, question, CheckVerdict(try CheckAnswer(document, result)))
    } catch {
      log.write(.warning, "the answer to check \(id.number) cannot be used: \(error.text)")
      finishCheck(id, question, .unknown)
    }
  }

  /// Shows what is said of a value. That there is no answer is nothing to show.
  func finishCheck(_ id: QuestionID, _ question: OpenQuestion, _ verdict: CheckVerdict) {
    let session = question.session
    guard session.isOpen else { return }
    update(session) { session.machine.handleCheck(verdict, to: id) }
  }
}
