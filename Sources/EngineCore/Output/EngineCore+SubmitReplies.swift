import JSONCodec
import LoginMachine
import LoginProtocol

/// Responses to `session/submit`. A response is written as soon as the outcome of the request is
/// known.
extension EngineCore {
  /// Answers the pending submit of a session, if the session no longer waits for the question that
  /// the submit asked.
  @inline(__always) func settleSubmit(of session: Session, _ outcome: @autoclosure () -> RequestOutcome) {
    guard !submits.isEmpty, let entry = submits.removeSettled(inSlot: session.slot, session.machine.awaitedQuestion)
    else { return }
    reply(to: entry, of: session, outcome())
  }

  /// Answers the pending submit of a session, even if the question that the submit asked is still
  /// open.
  func endSubmit(of session: Session, _ outcome: RequestOutcome) {
    guard !submits.isEmpty, let entry = submits.remove(inSlot: session.slot) else { return }
    reply(to: entry, of: session, outcome)
  }

  /// Writes the response to a pending submit as a line of its own, even if a batch is in progress.
  private func reply(to entry: SubmitTable.Entry, of session: Session, _ outcome: RequestOutcome) {
    if let timeout = entry.timeout { time.cancel(timeout) }
    withoutBatch { reply(toSubmit: entry.request, of: session, outcome) }
  }

  /// Serves `$/cancelRequest`: cancels the pending submit whose JSON-RPC request has the given id.
  /// Does nothing if there is none.
  func cancel(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    guard let id = parameters[.id], IncomingMessage.isValidID(document, id) else {
      throw .invalidParams(.id, "Give the id of the request that is to be cancelled, a string or a number.")
    }
    if let slot = submits.slot(of: document.fullText(id)), let session = sessions.session(inSlot: slot) {
      update(session, after: .press) { session.machine.giveUp(question: questions.nextID) }
    }
    reply(to: call) { $0.append("{}") }
  }

  /// Answers all pending submits as cancelled, because the engine stops.
  func endSubmits() {
    for slot in submits.slots {
      if let session = sessions.session(inSlot: slot) { endSubmit(of: session, .cancelled) }
    }
  }

  /// Answers a submit with a snapshot of the session's current state, even if the view is in a
  /// transition and was not sent that state yet.
  func reply(toSubmit request: RequestID, of session: Session, _ outcome: RequestOutcome?) {
    var snapshot = ByteBuffer(capacity: 2048)
    output.updates.appendSnapshot(of: &session.machine, session.template, to: &snapshot)
    request.text.withUnsafeBytes { id in
      reply { buffer in
        buffer.appendReplyHead(id: id)
        buffer.append(#"{"session":"#)
        session.id.withUnsafeBytes { buffer.appendJSONString($0) }
        buffer.append(#","revision":"#)
        buffer.append(decimal: session.machine.revision)
        buffer.append(#","events":"#)
        buffer.append(decimal: session.machine.events)
        if let outcome {
          buffer.append(#","outcome":"#)
          buffer.appendJSONString(outcome.rawValue)
        }
        buffer.append(#","snapshot":"#)
        snapshot.withBytes { buffer.append($0) }
        buffer.append("}")
        buffer.addIgnored(request.ignored)
        buffer.append("}")
      }
    }
  }
}

extension RequestOutcome {
  /// The outcome of a request for which an authenticator gave this answer. `machine` is the
  /// session's machine after the answer.
  init(_ answer: Answer, _ machine: SessionMachine) {
    // A challenge that could not be shown counts as a failure.
    if case .challenge = answer, machine.challenge == nil {
      self = .failed
    } else {
      self = AttemptResult(answer).outcome
    }
  }
}
