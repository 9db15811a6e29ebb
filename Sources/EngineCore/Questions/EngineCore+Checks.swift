import EngineEvents
import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// Values that authenticators check while they are entered. Nothing waits for a check, and none is a try.
extension EngineCore {
  /// Does what an event leads to for the checks of a session: gives up what nobody waits for any more, and waits anew until an item has rested.
  func arrangeChecks(of session: Session) {
    for id in session.machine.takeAbandoned() { cancel(id) }
    let edited = session.machine.takeEditedChecks()
    guard !edited.isEmpty || !session.checks.isEmpty else { return }
    session.checks.removeAll { check in
      if session.machine.awaitsCheck(of: check.item), !edited.contains(check.item) { return false }
      time.cancel(check.timer)
      return true
    }
    for item in edited {
      guard let check = session.machine.screen.items[item].check else { continue }
      let timer = time.schedule(after: check.delay, .check(slot: session.slot, item: item))
      session.checks.append(.init(item: item, timer: timer))
    }
  }

  /// An item has rested: asks whoever decides what its screen asks for.
  func beginCheck(of item: Int, _ session: Session) {
    session.checks.removeAll { $0.item == item }
    guard let question = session.machine.check(item, question: questions.nextID) else { return }
    let authenticator = authenticators.authenticator(for: question.request, of: session.template.flow.id)
    // Nobody is left who could read the answer, or somebody has said that they have none.
    guard input.stage != .draining, !authenticators.refuses(question.request, authenticator) else {
      _ = session.machine.handleCheck(.unknown, to: question.id)
      return
    }
    let line = questionLine(of: session) { buffer, appendSecret in
      AuthenticatorWire.appendCheck(
        question, from: origin(of: session), ids: authenticator.ids, to: &buffer, appendSecret: appendSecret)
    }
    ask(line, QuestionKey(question.id), of: session, authenticator, question)
  }

  /// Takes what answers a check, unless it comes from another than was asked.
  func settleCheck(
    _ id: QuestionID, _ document: borrowing JSONDocument, _ result: JSONDocument.Node,
    from authenticator: AuthenticatorReference
  ) {
    guard let question = questions[id], question.authenticator == authenticator else { return note(.lateReply(id)) }
    close(id)
    authenticators.link(authenticator)?.settle(QuestionKey(id), conversationGoesOn: false)
    do throws(AuthenticatorReply.Problem) {
      finishCheck(id, question, try AuthenticatorReply.checkVerdict(document, result))
    } catch {
      log.write(.warning, "the answer to check \(id.number) cannot be used: \(error.text)")
      finishCheck(id, question, .unknown)
    }
  }

  /// Shows what is said of a value. That there is no answer is nothing to show.
  func finishCheck(_ id: QuestionID, _ question: OpenQuestion, _ verdict: CheckVerdict) {
    let session = question.session
    guard session.isOpen else { return }
    update(session) { session.machine.handleCheck(verdict, to: id) == .done ? .nothing : nil }
  }
}
