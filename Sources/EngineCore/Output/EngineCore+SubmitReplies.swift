import JSONCodec
import LoginMachine
import LoginProtocol

/// Responses to `session/submit`, which come once it is known what became of the request.
extension EngineCore {
  /// Answers the submit that a session has under way if its question is not awaited any more.
  @inline(__always) func settleSubmit(of session: Session, _ outcome: @autoclosure () -> SubmitOutcome) {
    guard !submits.isEmpty, let id = submits.removeSettled(inSlot: session.slot, session.machine.awaitedQuestion)
    else { return }
    replyOutsideBatch(toSubmit: id, of: session, outcome())
  }

  /// Answers the submit that a session has under way, whatever becomes of its question.
  func endSubmit(of session: Session, _ outcome: SubmitOutcome) {
    guard !submits.isEmpty, let id = submits.remove(inSlot: session.slot) else { return }
    replyOutsideBatch(toSubmit: id, of: session, outcome)
  }

  /// A batch that is under way has no part in it.
  private func replyOutsideBatch(toSubmit id: [UInt8], of session: Session, _ outcome: SubmitOutcome) {
    withoutBatch { reply(toSubmit: id, of: session, outcome) }
  }

  /// Answers all of them, because the engine stops.
  func endSubmits() {
    for slot in submits.slots {
      if let session = sessions.session(inSlot: slot) { endSubmit(of: session, .cancel) }
    }
  }

  /// Answers a submit with what the session shows now, be it that a view which takes its time is not told yet.
  func reply(toSubmit id: [UInt8], of session: Session, _ outcome: SubmitOutcome?) {
    var snapshot = ByteBuffer(capacity: 2048)
    output.updates.appendSnapshot(of: &session.machine, session.template, to: &snapshot)
    id.withUnsafeBytes { id in
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
        buffer.append("}}")
      }
    }
  }
}

extension SubmitOutcome {
  /// What an answer means for the request, after which the session's machine is `machine`.
  init(_ answer: Answer, _ machine: SessionMachine) {
    switch answer {
    case .accepted: self = .success
    case .failed(_, _, let retryAfter): self = retryAfter == nil ? .failure : .throttle
    case .undecided: self = .failure
    case .notice: self = .notice
    // One without a screen, where none was shown, is no answer.
    case .challenge: self = machine.challenge == nil ? .failure : .challenge
    }
  }
}
